package commerce

import "strconv"

// MaxBatch is the maximum number of adds in one batch.
const MaxBatch = 100

// AddLines are several adds in one request: all are applied, in their order, or none.
type AddLines []BatchedAdd

// BatchedAdd is one entry of a batch.
type BatchedAdd struct {
	AddLine
	// Fault is the decoder's refusal of the entry.
	Fault *Refusal
}

func (AddLines) Locate(*Cart) *Refusal { return nil }

// Apply applies the entries one after another. A refused entry does not count for later ones. The
// refusals of all entries are reported together.
func (b AddLines) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	var refused batchRefusal
	var kept []Line
	old := len(next.Lines)
	for i := range b {
		r := b[i].Fault
		if r == nil {
			kept = append(kept[:0], next.Lines...)
			if _, r = b[i].AddLine.Apply(next, in); r != nil {
				next.Lines = append(next.Lines[:0], kept...)
			}
		}
		if r != nil {
			refused.add(i, r)
		}
		next.setBorn(old, 0) // a later entry is not simultaneous with its own batch
	}
	next.setBorn(old, in.Next)
	return Effects{}, refused.refusal()
}

// setBorn sets the commit of the lines from an index on.
func (c *Cart) setBorn(from int, born uint64) {
	for i := from; i < len(c.Lines); i++ {
		c.Lines[i].Born = born
	}
}

// batchRefusal collects the refusals of several entries.
type batchRefusal struct {
	fields []FieldError
	code   string
}

// add adds an entry's refusal under its path: its fields as lines.N.field, a refusal without fields
// as lines.N. No two entries share a path.
func (b *batchRefusal) add(entry int, r *Refusal) {
	path := "lines." + strconv.Itoa(entry)
	if len(r.Fields) == 0 {
		b.fields = append(b.fields, FieldError{Field: path, Messages: []Message{r.alone(path)}})
	}
	for _, f := range r.Fields {
		b.fields = append(b.fields, f.below(path))
	}
	if b.code == "" {
		b.code = r.Code
	}
}

// ofEntry is the refusal of an entry by itself: one that is no map has its fault under its path. r may be
// nil.
func (r *Refusal) ofEntry(entry int) *Refusal {
	if r == nil || len(r.Fields) == 0 || r.Fields[0].Field != "" {
		return r
	}
	var b batchRefusal
	b.add(entry, r)
	return b.refusal()
}

// refusal is the 422 of all entries, or nil. Its message is the first one; its code is the first
// that an entry has.
func (b *batchRefusal) refusal() *Refusal {
	if len(b.fields) == 0 {
		return nil
	}
	return &Refusal{Kind: Invalid, Message: b.fields[0].Messages[0].Text(), Code: b.code, Fields: b.fields}
}
