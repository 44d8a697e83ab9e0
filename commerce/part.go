package commerce

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// The maximum number of an order's parts, of their lines in all, and of the lines of one request.
const (
	MaxParts      = 100
	MaxPartLines  = 2_000
	MaxSentLines  = 1_000
	MaxPartReason = 255
)

// PartKind is what happened in a part.
type PartKind uint8

const (
	PartShipment PartKind = iota
	PartCancel
	PartReturn
	PartRefund
	partKindCount
)

var partKindNames = [partKindCount]string{"shipment", "cancel", "return", "refund"}

// String returns the kind as the API spells it.
func (k PartKind) String() string { return partKindNames[k] }

// Known reports whether k is a kind.
func (k PartKind) Known() bool { return k < partKindCount }

// PartKindNames are all names of kinds.
func PartKindNames() []string { return slices.Clone(partKindNames[:]) }

// Part is one thing that happened to an order after its sale: a shipment, a cancel of lines, a return or a
// refund. docs/api/orders.md#in-parts
type Part struct {
	ID   uuid.UUID
	Kind PartKind
	At   time.Time
	// Lines are the pieces, in the order of the order's lines; nil if the part has none, or is archived.
	Lines []PartLine
	// ShipmentDetails are a shipment's.
	ShipmentDetails
	// Reference and Reason are the merchant's; an empty text is null.
	Reference, Reason string
	// Restocked is true if stock came back.
	Restocked bool
	// Shipping is true if a refund includes the delivery.
	Shipping bool
	// Amount is the amount of a refund. Taxes is what it takes of each group of the order, in their order:
	// nil if the order was archived.
	Amount Amount
	Taxes  []TaxRow
}

// PartLine is a number of pieces of the order's line with an index.
type PartLine struct {
	Line     int
	Quantity Quantity
}

// has reports whether a reference is the part's, also after its erasure.
func (p *Part) has(kind PartKind, reference string) bool {
	return p.Kind == kind && reference != "" && (p.Reference == reference || p.Reference == ErasedReference(reference))
}

// repeated returns the index of the part of a kind with a reference; -1 if there is none.
func (o *Order) repeated(kind PartKind, reference string) int {
	return slices.IndexFunc(o.Parts, func(p Part) bool { return p.has(kind, reference) })
}

// add appends a part, for which there is room, to a copy of the parts. It returns the effects of its event.
func (o *Order) add(p Part, event string, in *Input) Effects {
	o.Parts = append(slices.Clip(o.Parts), p)
	return in.partNews(event, o, len(o.Parts)-1)
}

// room refuses a part of so many lines if the order would have too many.
func (o *Order) room(lines int) *Refusal {
	for i := range o.Parts {
		lines += len(o.Parts[i].Lines)
	}
	if len(o.Parts) >= MaxParts || lines > MaxPartLines {
		return PartsLimit
	}
	return nil
}

// LineCounts are the pieces of a line by what became of them.
type LineCounts struct {
	// Shipped and Cancelled together are at most the line's quantity, Returned at most Shipped.
	Shipped, Cancelled, Returned Quantity
	// Refunded is at most the line's quantity.
	Refunded Quantity
}

// of returns the count that a part of a kind changes.
func (c *LineCounts) of(kind PartKind) *Quantity {
	return [...]*Quantity{PartShipment: &c.Shipped, PartCancel: &c.Cancelled, PartReturn: &c.Returned, PartRefund: &c.Refunded}[kind]
}

// Counts returns the counts of each line; nil if all are 0. All lines of a cancelled order are cancelled.
func (o *Order) Counts() []LineCounts {
	if len(o.Parts) == 0 && o.Status != OrderCancelled {
		return nil
	}
	return o.counts()
}

// counts is Counts with the zeros.
func (o *Order) counts() []LineCounts {
	all := make([]LineCounts, len(o.Lines))
	for i := range o.Parts {
		p := &o.Parts[i]
		for _, l := range p.Lines {
			*all[l.Line].of(p.Kind) += l.Quantity
		}
	}
	if o.Status == OrderCancelled {
		for i := range all {
			all[i].Cancelled = o.Lines[i].Quantity
		}
	}
	return all
}

// PartedLines are the lines with what their parts are shown by: id, quantity and freight; nil without parts.
func (o *Order) PartedLines() []OrderLine {
	if len(o.Parts) == 0 {
		return nil
	}
	all := make([]OrderLine, len(o.Lines))
	for i := range all {
		l := &o.Lines[i]
		all[i] = OrderLine{Line: Line{ID: l.ID, Quantity: l.Quantity}, Freight: l.Freight}
	}
	return all
}

// left is how many pieces of a line a part of a kind may have.
func (c *LineCounts) left(kind PartKind, of *OrderLine) Quantity {
	switch kind {
	case PartShipment:
		if !of.ships() {
			return 0
		}
	case PartReturn:
		return c.Shipped - c.Returned
	case PartRefund:
		return of.Quantity - c.Refunded
	}
	return of.Quantity - c.Shipped - c.Cancelled
}

// ships reports whether the line requires shipping.
func (l *OrderLine) ships() bool { return l.Freight.RequiresShipping }

// allLeft are all pieces that a part of a kind may have.
func (o *Order) allLeft(kind PartKind, counts []LineCounts) (all []PartLine) {
	for i := range counts {
		if left := counts[i].left(kind, &o.Lines[i]); left > 0 {
			all = append(all, PartLine{i, left})
		}
	}
	return all
}

// last returns the last part of a kind; nil if there is none.
func (o *Order) last(kind PartKind) *Part {
	for i := range slices.Backward(o.Parts) {
		if o.Parts[i].Kind == kind {
			return &o.Parts[i]
		}
	}
	return nil
}

// Fulfilment says how much of an order has left.
type Fulfilment uint8

const (
	NotFulfilled Fulfilment = iota
	PartlyFulfilled
	FulfilledWhole
	fulfilmentCount
)

var fulfilmentNames = [fulfilmentCount]string{"none", "partial", "shipped"}

// String returns the fulfilment as the API spells it.
func (f Fulfilment) String() string { return fulfilmentNames[f] }

// FulfilmentNames are all names of a fulfilment.
func FulfilmentNames() []string { return slices.Clone(fulfilmentNames[:]) }

// Fulfilment is FulfilledWhole if there is a shipment, and nothing is left of the lines that require
// shipping.
func (o *Order) Fulfilment() Fulfilment {
	switch {
	case o.last(PartShipment) == nil:
		return NotFulfilled
	case len(o.allLeft(PartShipment, o.counts())) > 0:
		return PartlyFulfilled
	}
	return FulfilledWhole
}

// Broken returns the invariant that the order's parts do not meet; false if they meet all.
func (o *Order) Broken() (Invariant, bool) {
	for i, c := range o.Counts() {
		if quantity := o.Lines[i].Quantity; c.Shipped+c.Cancelled > quantity || c.Returned > c.Shipped || c.Refunded > quantity {
			return PartsAddUp, true
		}
	}
	for _, g := range o.groups() {
		if g.refunded > g.amount {
			return PartsAddUp, true
		}
	}
	return PartsAddUp, o.Refunded() > o.Totals.Total
}

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
