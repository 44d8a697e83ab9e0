package storefile

import (
	"fmt"
	"io"
	"strings"

	"cartd/commerce"
)

// FaultTexts makes the texts of faults for one sort of reader.
type FaultTexts interface {
	// Add takes a fault; faults come in their order.
	Add(f *Fault)
	// More takes the number of further faults, at the end, if there are any.
	More(n int)
}

// Render makes the texts of all faults.
func (f *Faults) Render(to FaultTexts) {
	for i := range f.kept {
		to.Add(&f.kept[i])
	}
	if f.more > 0 {
		to.More(f.more)
	}
}

// DocumentTexts writes each fault of a document on a line, with its value, position and entry.
type DocumentTexts struct{ W io.Writer }

// Add writes "path: message" with the fault's details.
func (d DocumentTexts) Add(f *Fault) { fmt.Fprintln(d.W, f.String()+f.Details()) }

// More writes the number as a fault of the whole document.
func (d DocumentTexts) More(n int) { d.Add(&Fault{Path: wholeDocument, Message: moreFaults(n)}) }

func moreFaults(n int) string { return fmt.Sprintf("has %d more faults", n) }

// BodyTexts are the messages of the fields of a request's body. Spec: Errors.
type BodyTexts struct {
	faults commerce.Faults
	more   int
}

// Add adds the message of a field. A path such as set.products[0].name is the field set.products.0.name.
func (b *BodyTexts) Add(f *Fault) {
	field := fieldOfPath.Replace(f.Path)
	b.faults.Add(field, commerce.MsgDocument(field, f.Message+f.Meant()))
}

var fieldOfPath = strings.NewReplacer("[", ".", "]", "")

// More counts faults that are not among the fields.
func (b *BodyTexts) More(n int) { b.more = n }

// Refusal is the 422 with the first commerce.MaxFaults fields, and the number of the other faults; nil if there are none.
func (b *BodyTexts) Refusal() *commerce.Refusal {
	refusal := b.faults.Refusal()
	if refusal != nil {
		refusal.Fields = commerce.FirstFaults(refusal.Fields, wholeDocument, b.more)
	}
	return refusal
}

// Refusal is the refusal of a body with these faults.
func (f *Faults) Refusal() *commerce.Refusal {
	texts := &BodyTexts{}
	f.Render(texts)
	return texts.Refusal()
}
