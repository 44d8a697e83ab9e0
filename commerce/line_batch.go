package commerce

import (
	"strconv"
	"strings"
)

// MaxBatch is how many adds one batch may hold.
const MaxBatch = 100

// AddLines are several adds as one: all are applied, in their order, or none.
type AddLines []BatchedAdd

// BatchedAdd is one entry of a batch.
type BatchedAdd struct {
	AddLine
	// Fault is what the decoder found wrong with the entry.
	Fault *Refusal
}

func (AddLines) Locate(*Cart) *Refusal { return nil }

// apply adds entry after entry to the same cart. What an entry is refused for does
// not count for those behind it; the refusals of all are reported together.
func (b AddLines) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	var refused batchRefusal
	var before []Line
	stood := len(next.Lines)
	for i := range b {
		r := b[i].Fault
		if r == nil {
			before = append(before[:0], next.Lines...)
			if _, r = b[i].AddLine.Apply(next, in); r != nil {
				next.Lines = append(next.Lines[:0], before...)
			}
		}
		if r != nil {
			refused.add(i, r)
		}
		next.bear(stood, 0) // a later entry is no loser of a simultaneous add against its own batch
	}
	next.bear(stood, in.Next)
	return Effects{}, refused.refusal()
}

// bear sets the commit that made the lines from a place on.
func (c *Cart) bear(from int, born uint64) {
	for i := from; i < len(c.Lines); i++ {
		c.Lines[i].Born = born
	}
}

// batchRefusal collects the refusals of a batch's entries.
type batchRefusal struct {
	fields []FieldError
	code   string
}

// add reports an entry's refusal under its path: its fields under lines.N.field, one
// without fields under lines.N. No two entries share a path.
func (b *batchRefusal) add(entry int, r *Refusal) {
	path := "lines." + strconv.Itoa(entry)
	if len(r.Fields) == 0 {
		b.fields = append(b.fields, FieldError{Field: path, Messages: []string{r.Message}})
	}
	for _, f := range r.Fields {
		b.fields = append(b.fields, f.below(path))
	}
	if b.code == "" {
		b.code = r.Code
	}
}

// renamed is a validation message about a field under its path.
func renamed(message, field, path string) string {
	if rest, ok := strings.CutPrefix(message, the(field)); ok {
		return the(path) + rest
	}
	return message
}

// refusal is the 422 of all entries, or nil: message is the first error, code the
// first that an entry has.
func (b *batchRefusal) refusal() *Refusal {
	if len(b.fields) == 0 {
		return nil
	}
	return &Refusal{Kind: Invalid, Message: b.fields[0].Messages[0], Code: b.code, Fields: b.fields}
}
