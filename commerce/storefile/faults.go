package storefile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/spelling"
	"cartd/internal/strictjson"
)

// Fault is one error in a document.
type Fault struct {
	// Path is the path of the value: products[3].variants[0].price_amount, or document for the
	// whole document. If the text is not JSON, it is a position: line 3, column 14.
	Path    string `json:"path"`
	Message string `json:"message"`
	// Line is the line in which the value begins, 0 for the whole document.
	Line int `json:"line,omitempty"`
	// Value is the faulty text, number, true or false. It is empty if there is none, if it may be a
	// secret, and if the fault is the field's name.
	Value string `json:"value,omitempty"`
	// ID and SKU are those of the product, customer or other entry that has the value.
	ID  string `json:"id,omitempty"`
	SKU string `json:"sku,omitempty"`
	// DidYouMean is a known name that is similar to a misspelt one.
	DidYouMean string `json:"did_you_mean,omitempty"`
	kind       faultKind
}

// faultKind separates the faults that a JSON schema finds from those that it cannot find.
type faultKind uint8

const (
	// ofShape is a value that is wrong by itself, or members that an object may not have together.
	ofShape faultKind = iota
	// ofContent is a fault that a schema cannot see. It depends on other values (a duplicate, a
	// dangling reference, a cycle, an order, a table's size), on the text rather than its values
	// (5.0 for 5, a repeated member), or on more than a pattern (a URL, an unprintable character).
	ofContent
)

// String returns the fault as "path: message".
func (f Fault) String() string { return f.Path + ": " + f.Message }

// Details returns the text that may follow String: the value, the similar name and the position.
func (f Fault) Details() string {
	var text strings.Builder
	question := ": did you mean "
	switch {
	case f.Value == "":
	case strings.HasPrefix(f.Message, "must be "):
		text.WriteString(", not " + f.Value)
	default:
		text.WriteString(": " + f.Value)
		question = ", did you mean "
	}
	if f.DidYouMean != "" {
		text.WriteString(question + strconv.Quote(f.DidYouMean) + "?")
	}
	var where []string
	if f.Line > 0 {
		where = append(where, "line "+strconv.Itoa(f.Line))
	}
	if f.SKU != "" {
		where = append(where, "SKU "+strconv.Quote(f.SKU))
	}
	if f.ID != "" {
		where = append(where, "id "+f.ID)
	}
	if len(where) > 0 {
		text.WriteString(" (" + strings.Join(where, ", ") + ")")
	}
	return text.String()
}

// Meant returns the text that may follow Message: the known name that a misspelt one was meant to be.
func (f Fault) Meant() string {
	if f.DidYouMean == "" {
		return ""
	}
	return ": did you mean " + strconv.Quote(f.DidYouMean) + "?"
}

// Faults are all faults of a document in its order. It is the error of Parse.
type Faults struct {
	kept []Fault
	more int // the number of further faults
}

// List returns the faults. Of more than 10,000 it has the first ones, and a last entry with the
// number of the others.
func (f *Faults) List() []Fault {
	if f.more == 0 {
		return f.kept
	}
	return append(slices.Clip(f.kept), Fault{Path: wholeDocument, Message: moreFaults(f.more)})
}

// Total is the number of all faults, including those that are not in the list.
func (f *Faults) Total() int { return len(f.kept) + f.more }

// Error returns every fault on a line of its own.
func (f *Faults) Error() string {
	var lines []string
	for _, fault := range f.List() {
		lines = append(lines, fault.String())
	}
	return strings.Join(lines, "\n")
}

// syntaxFault is the fault of a text that is not JSON, with its line and column, or that is empty.
// Columns are counted in characters.
func syntaxFault(data []byte, err *strictjson.SyntaxError) *Faults {
	if len(bytes.TrimSpace(data)) == 0 {
		return &Faults{kept: []Fault{{Path: wholeDocument, Message: "is empty"}}}
	}
	valid := data[:err.Offset]
	line := 1 + bytes.Count(valid, []byte{'\n'})
	column := 1 + utf8.RuneCount(valid[bytes.LastIndexByte(valid, '\n')+1:])
	return &Faults{kept: []Fault{{Path: fmt.Sprintf("line %d, column %d", line, column), Message: err.Message}}}
}

// maxFaults is the number of faults that are kept of one document.
const maxFaults = 10_000

// found is a fault without its path, which collector.faults adds.
type found struct {
	at      int    // the offset of the value in the document
	member  string // the missing member, "" if the fault is the value itself
	kind    faultKind
	message string
	other   int // the offset of the value whose path ends the message, 0 if none
	// known are the accepted names: of the value, or of its member if misnamed is true.
	known    []string
	misnamed bool
}

// lineCounter finds the lines of offsets. The offsets must be in ascending order.
type lineCounter struct {
	data           []byte
	counted, lines int
}

func (c *lineCounter) at(offset int) int {
	c.lines += bytes.Count(c.data[c.counted:offset], []byte{'\n'})
	c.counted = offset
	return c.lines + 1
}

// mergedParts are the parts of a text that was merged of others.
type mergedParts interface {
	// isSent reports whether a value is judged anew, pathOf and lineOf its path and its line there.
	isSent(at int) bool
	pathOf(path string) string
	lineOf(at int) int
}

// collector gets faults in any order and keeps the first ones of the document.
type collector struct {
	found   []found
	dropped int
	// merged says of a text that was merged of others what is theirs; nil but in the model of the tests.
	merged mergedParts
}

func (c *collector) add(f found) {
	if c.dropped > 0 && f.at >= c.found[maxFaults-1].at {
		c.dropped++
		return
	}
	c.found = append(c.found, f)
	if len(c.found) == 2*maxFaults {
		c.sort()
	}
}

// sort sorts the faults in the document's order and drops those beyond maxFaults.
func (c *collector) sort() {
	slices.SortStableFunc(c.found, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	if excess := len(c.found) - maxFaults; excess > 0 {
		c.found, c.dropped = c.found[:maxFaults], c.dropped+excess
	}
}

// faults returns the faults with their paths, nil if there are none. root is the document's value.
func (c *collector) faults(data []byte, root strictjson.Value) *Faults {
	if len(c.found) == 0 {
		return nil
	}
	c.sort()
	return &Faults{kept: c.located(data, root, []textPart{{root, position{of: &documentOutline}}}), more: c.dropped}
}

// located are the faults with their paths. Faults beyond the data have no line.
func (c *collector) located(data []byte, root strictjson.Value, parts []textPart) []Fault {
	positions, lines := positionsOf(root, parts, c.found), lineCounter{data: data}
	start := cap(data) - cap(root)
	list := make([]Fault, 0, len(c.found))
	for _, f := range c.found {
		at := positions[f.at]
		fault := Fault{Path: at.path, Message: f.message, Value: at.shown, ID: at.id, SKU: at.sku, kind: f.kind}
		switch {
		case f.member != "":
			fault.Path, fault.Value = memberPath(at.path, f.member), ""
		case f.misnamed:
			fault.DidYouMean, _ = spelling.Closest(at.name, f.known)
			fault.Value = ""
		case at.shown != "":
			fault.DidYouMean, _ = spelling.Closest(at.text, f.known)
		}
		other := ""
		if f.other != 0 {
			other = positions[f.other].path
		}
		switch {
		case c.merged == nil && start+f.at < len(data):
			fault.Line = lines.at(start + f.at)
		case c.merged != nil:
			fault.Line = c.merged.lineOf(f.at)
			fault.Path, other = c.merged.pathOf(fault.Path), c.merged.pathOf(other)
		}
		if other != "" {
			fault.Message += " " + other
		}
		list = append(list, fault)
	}
	return list
}

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
