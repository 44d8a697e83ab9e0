package commerce

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// AskedPart has the members that the requests about parts of an order share.
type AskedPart struct {
	// PartID is the id for a new part.
	PartID uuid.UUID
	// Lines are nil if they are absent or null.
	Lines     []SentLine
	Reference string
	// Faults are those of all fields but the lines.
	Faults Faults
}

// SentLine is an entry of the lines of a request.
type SentLine struct {
	LineID   uuid.UUID
	Quantity Quantity
	// Faults are those of the entry's own fields.
	Faults Faults
}

func (AskedPart) Locate(*Order) *Refusal { return nil }

// pieces returns the sent lines as pieces of the order's lines, as they were sent, or the 422 of the form:
// the faults of all fields, in the order of the body's table. Of an archived order there are no lines.
func (a *AskedPart) pieces(o *Order, fields ...string) ([]PartLine, *Refusal) {
	unsent := make(map[uuid.UUID]int, len(o.Lines))
	for i := range o.Lines {
		unsent[o.Lines[i].ID] = i
	}
	faults := a.Faults.clone()
	var pieces []PartLine
	for i := range a.Lines {
		sent, path := &a.Lines[i], "lines."+strconv.Itoa(i)
		line, found := unsent[sent.LineID]
		delete(unsent, sent.LineID)
		if !found && o.ArchivedAt.IsZero() && !sent.Faults.has("line_id") && !sent.Faults.has("") {
			faults.Add(path+".line_id", MsgIn(path+".line_id"))
		}
		faults.AddBelow(path, &sent.Faults)
		if found && !sent.Quantity.Fits(o.Lines[line].Unit) && !sent.Faults.has("quantity") {
			faults.Add(path+".quantity", QuantityNotWhole.About.of(path+".quantity"))
		}
		if found {
			pieces = append(pieces, PartLine{line, sent.Quantity})
		}
	}
	return pieces, faults.inOrder(fields).Refusal()
}

// inLineOrder are pieces in the order of the order's lines.
func inLineOrder(pieces []PartLine) []PartLine {
	return slices.SortedFunc(slices.Values(pieces), func(a, b PartLine) int { return cmp.Compare(a.Line, b.Line) })
}

// aboveLeft is the 422 of sent pieces of which fewer are left for a part of a kind.
func (o *Order) aboveLeft(sent []PartLine, kind PartKind, counts []LineCounts) *Refusal {
	var faults Faults
	for i, l := range sent {
		if left := counts[l.Line].left(kind, &o.Lines[l.Line]); l.Quantity > left {
			field := "lines." + strconv.Itoa(i) + ".quantity"
			faults.Add(field, MsgMax(field, left))
		}
	}
	return faults.Refusal()
}

// repeats reports whether sent pieces are those of an earlier part, which has none once it is archived.
func (p *Part) repeats(sent []PartLine, o *Order) bool {
	return sent == nil || !o.ArchivedAt.IsZero() || slices.Equal(p.Lines, inLineOrder(sent))
}
