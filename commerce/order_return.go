package commerce

import (
	"cmp"

	"github.com/google/uuid"
)

// ReturnLines records shipped goods that came back. docs/api/orders.md#routes, returns.
type ReturnLines struct {
	AskedPart
	Reason  string
	Restock bool
}

func (c ReturnLines) Apply(next *Order, in *Input) (Effects, *Refusal) {
	sent, r := c.pieces(next, "lines", "reason", "restock", "reference")
	if r != nil {
		return Effects{}, r
	}
	if at := next.repeated(PartReturn, c.Reference); at >= 0 {
		if !next.Parts[at].repeats(sent, next) {
			return Effects{}, ReferenceUsed
		}
		return Effects{}, nil
	}
	if !next.ArchivedAt.IsZero() {
		return Effects{}, OrderIsArchived
	}
	counts := next.counts()
	if r = cmp.Or(next.room(len(sent)), next.aboveLeft(sent, PartReturn, counts)); r != nil {
		return Effects{}, r
	}
	p := Part{ID: c.PartID, Kind: PartReturn, At: in.Now, Lines: inLineOrder(sent), Reference: c.Reference, Reason: c.Reason}
	return next.giveBack(p, c.Restock, counts, in), nil
}

// giveBack adds a cancel of lines or a return, for which there is room, with the stock that comes back.
func (o *Order) giveBack(p Part, restock bool, counts []LineCounts, in *Input) Effects {
	var back *Return
	if items := o.due(p.Lines, counts, in.Store); restock && items != nil {
		back = &Return{Store: in.Store, Items: items, Reason: stockReasons[p.Kind], At: in.Now}
		p.Restocked = true
	}
	effects := o.add(p, EventOrderReturned, in)
	effects.Return = back
	return effects
}

// stockReasons are the reasons in the stock events of parts.
var stockReasons = map[PartKind]*string{PartCancel: &cancelReason, PartReturn: &returnReason}

// due is the stock that pieces give back, by item; nil for none. A line that took T of an item is due T × x / Q
// once x of its Q pieces have come back, rounded half up: pieces give the difference that they make. An item
// that is in no document is left out.
func (o *Order) due(pieces []PartLine, counts []LineCounts, s *Store) (items []StockAsk) {
	for _, piece := range pieces {
		line, c := &o.Lines[piece.Line], &counts[piece.Line]
		before := c.Cancelled + c.Returned
		for _, take := range o.takesOf(line) {
			if s.hasItem(take.Item) {
				take.Quantity = Micros(share(int64(take.Quantity), before+piece.Quantity, line.Quantity) - share(int64(take.Quantity), before, line.Quantity))
				items = append(items, take)
			}
		}
	}
	return addedUp(items)
}

// takesOf is what a line took among the order's takes, by item.
func (o *Order) takesOf(l *OrderLine) (takes []StockAsk) {
	if l.Configuration == nil {
		item := l.ProductID
		if l.VariantID != uuid.Nil {
			item = l.VariantID
		}
		takes = append(takes, StockAsk{Item: item, Quantity: l.Quantity.Micros()})
	} else {
		for _, use := range l.Configuration.Components {
			takes = append(takes, StockAsk{Item: use.ProductID, Quantity: use.of(l.Quantity)})
		}
	}
	took := takes[:0]
	for _, take := range addedUp(takes) {
		if _, found := findAsk(o.Takes, take.Item); found {
			took = append(took, take)
		}
	}
	return took
}

// share is whole × part / of, rounded half up. part is at most of.
func share(whole int64, part, of Quantity) int64 {
	n, _ := Amount(whole).scale(uint64(min(part, of)), uint64(max(of, 1)))
	return int64(n)
}
