package commerce

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// parted is a scene with a paid order of 3 and 1 tracked pieces.
func parted(t *testing.T) (*scene, *Order) {
	s, _ := sold(t)
	o := orderR(t)
	for i := range o.Lines {
		o.Lines[i].Unit = UnitPiece
		o.Takes = append(o.Takes, StockAsk{Item: o.Lines[i].ProductID, Quantity: o.Lines[i].Quantity.Micros()})
		s.shop.Products = append(s.shop.Products, &Product{ID: o.Lines[i].ProductID, TrackStock: true})
	}
	s.shop.Index()
	return s, o
}

// asked is the part of a request of lines "LINE×QUANTITY".
func asked(what, reference string) AskedPart {
	part := refunds(reference, what, 0).AskedPart
	part.PartID = testID(0xf1)
	return part
}

// Example 20 of the page.
func TestPartsOfAnOrder(t *testing.T) {
	s, o := parted(t)
	post, bike := ShipmentDetails{Carrier: "Post"}, ShipmentDetails{Carrier: "Bike"}
	for _, step := range []struct {
		name    string
		command Command[*Order]
		// want is the refusal, "same", or the event with the stock that comes back.
		want       string
		fulfilment string
		parts      int
	}{
		{"a first parcel", ShipLines{asked("1×2", "P1"), post}, "order.shipped", "partial", 1},
		{"the first parcel again", ShipLines{asked("1×2", "P1"), post}, "same", "partial", 1},
		{"the first parcel, corrected", ShipLines{asked("", "P1"), bike}, "order.shipped", "partial", 1},
		{"the first parcel with less", ShipLines{asked("1×1", "P1"), post}, "REFERENCE_USED", "partial", 1},
		{"delivered", DeliverOrder{}, "NOT_SHIPPED", "partial", 1},
		{"too much", ShipLines{asked("1×2 2×1", ""), post}, "lines.0.quantity: The lines.0.quantity field must not be greater than 1.", "partial", 1},
		{"half a piece", ShipLines{asked("1×0.5", ""), post}, "lines.0.quantity: The quantity must be a whole number.", "partial", 1},
		{"a cancel of a piece", CancelOrder{AskedPart: asked("1×1", "C1"), Restock: true}, "order.returned 81:1", "partial", 2},
		{"the cancel again", CancelOrder{AskedPart: asked("1×1", "C1"), Restock: true}, "same", "partial", 2},
		{"another cancel", CancelOrder{AskedPart: asked("1×1", ""), Restock: true}, "lines.0.quantity: The lines.0.quantity field must not be greater than 0.",
			"partial", 2},
		{"a cancel of all", CancelOrder{Restock: true}, "ORDER_SHIPPED", "partial", 2},
		{"the rest", ShipOrder{ShipmentDetails: post}, "order.shipped", "shipped", 3},
		{"the rest again", ShipOrder{ShipmentDetails: post}, "same", "shipped", 3},
		{"the rest, corrected", ShipOrder{ShipmentDetails: bike}, "order.shipped", "shipped", 3},
		{"one more parcel", ShipLines{asked("", ""), post}, "NOTHING_TO_SHIP", "shipped", 3},
		{"too many back", ReturnLines{AskedPart: asked("1×3", ""), Restock: true}, "lines.0.quantity: The lines.0.quantity field must not be greater than 2.",
			"shipped", 3},
		{"one back", ReturnLines{AskedPart: asked("1×1", "RMA 7"), Restock: true}, "order.returned 81:1", "shipped", 4},
		{"one back again", ReturnLines{AskedPart: asked("1×1", "RMA 7"), Restock: true}, "same", "shipped", 4},
		{"two back", ReturnLines{AskedPart: asked("1×2", "RMA 7"), Restock: true}, "REFERENCE_USED", "shipped", 4},
		{"delivered whole", DeliverOrder{}, "order.delivered", "shipped", 4},
		{"a broken one back", ReturnLines{AskedPart: asked("2×1", "")}, "order.returned", "shipped", 5},
		{"a cancel of lines", CancelOrder{AskedPart: asked("1×1", "")}, "ORDER_COMPLETED", "shipped", 5},
	} {
		next, effects, r := s.change(o, step.command)
		got := shortly(r)
		if r == nil {
			got, o = shownEffects(effects), next
		}
		if got != step.want || o.Fulfilment().String() != step.fulfilment || len(o.Parts) != step.parts {
			t.Fatalf("%s: %s, %v, %d parts; want %s, %s, %d", step.name, got, o.Fulfilment(), len(o.Parts), step.want, step.fulfilment, step.parts)
		}
	}
	if want := []LineCounts{{Shipped: 2 * One, Cancelled: One, Returned: One}, {Shipped: One, Returned: One}}; !slices.Equal(o.Counts(), want) {
		t.Errorf("counted %+v, want %+v", o.Counts(), want)
	}
	if o.PaymentStatus() != PaymentIsPaid || o.Shipment().ShipmentDetails != bike || o.Parts[3].Restocked != true || o.Parts[4].Restocked {
		t.Errorf("the order is %v, %+v, %+v", o.PaymentStatus(), o.Shipment(), o.Parts)
	}
}

// shownEffects is the event of a change with the stock that comes back, by the last byte of its item.
func shownEffects(e Effects) string {
	if e.OrderNews == nil {
		return "same"
	}
	text := e.OrderNews.Event
	if e.Return != nil {
		for n, item := range e.Return.Items {
			news := e.Return.StockNews(n)
			text += fmt.Sprintf(" %x:%v", item.Item[15], item.Quantity)
			if want := map[string]string{"order.cancelled": "cancel", "order.returned": "return"}[e.OrderNews.Event]; *news.Change.Reason != want &&
				e.OrderNews.Part.Kind != PartCancel {
				text += " " + *news.Change.Reason
			}
		}
	}
	return text
}

// A cancel of all lines that are left, of which none has left, ends the order; in parts as at once.
func TestCancelOfTheLastLinesEndsTheOrder(t *testing.T) {
	s, o := parted(t)
	one := s.must(o, CancelOrder{AskedPart: asked("1×2", ""), Restock: true})
	if one.Status != OrderPlaced || one.Restocked {
		t.Fatalf("the order is %v", one.Status)
	}
	next, effects, r := s.change(one, CancelOrder{AskedPart: asked("2×1 1×1", "C2"), Restock: true, Reason: "Called"})
	if r != nil || next.Status != OrderCancelled || next.CancelReason != "Called" || !next.Restocked || len(next.Parts) != 2 || next.CancelledAt != s.in.Now ||
		shownEffects(effects) != "order.cancelled 81:1 82:1" || effects.OrderNews.Part != &next.Parts[1] || effects.OrderNews.Order != next {
		t.Errorf("the end is %s, %v, %+v", shownEffects(effects), r, next)
	}
	if want := []LineCounts{{Cancelled: 3 * One}, {Cancelled: One}}; !slices.Equal(next.Counts(), want) {
		t.Errorf("counted %+v", next.Counts())
	}
	if again, effects, r := s.change(next, CancelOrder{AskedPart: asked("1×1 2×1", "C2")}); r != nil || effects != (Effects{}) || !reflect.DeepEqual(again, next) {
		t.Errorf("the same again: %v, %+v", r, effects)
	}
	if _, _, r := s.change(next, CancelOrder{AskedPart: asked("1×1", "")}); r != OrderIsCancelled {
		t.Errorf("another cancel: %v", r)
	}
	whole, effects, r := s.change(one, CancelOrder{Restock: true})
	if r != nil || whole.Status != OrderCancelled || len(whole.Parts) != 1 || shownEffects(effects) != "order.cancelled 81:1 82:1" {
		t.Errorf("the rest at once: %s, %v", shownEffects(effects), r)
	}
}

// An order that waits for its payment is cancelled whole, also by its lines, and not in part.
func TestDueOrderIsNotCancelledInPart(t *testing.T) {
	s, o := sold(t)
	o.Lines[0].Quantity, o.Takes[0].Quantity = 2*One, 2*One.Micros()
	lines := func(n Quantity) AskedPart { return AskedPart{Lines: []SentLine{{LineID: o.Lines[0].ID, Quantity: n}}} }
	if _, _, r := s.change(o, CancelOrder{AskedPart: lines(One)}); r != PaymentDue {
		t.Errorf("one of two: %v", r)
	}
	if next, effects, r := s.change(o, CancelOrder{AskedPart: lines(2 * One), Restock: true}); r != nil || next.Status != OrderCancelled ||
		len(effects.Return.Items) != 1 {
		t.Errorf("both: %v, %+v", r, next)
	}
}

// Only lines that require shipping are shipped; the others can be cancelled.
func TestLinesThatAreNotShipped(t *testing.T) {
	s, o := parted(t)
	o.Lines[1].Freight = Freight{}
	next := s.must(o, ShipLines{AskedPart: asked("", "")})
	if next.Fulfilment() != FulfilledWhole || len(next.Parts[0].Lines) != 1 {
		t.Errorf("shipped %+v", next.Parts)
	}
	if _, _, r := s.change(o, ShipLines{AskedPart: asked("2×1", "")}); shortly(r) != "lines.0.quantity: The lines.0.quantity field must not be greater than 0." {
		t.Errorf("a service is shipped: %v", shortly(r))
	}
	if next, _, r := s.change(next, CancelOrder{AskedPart: asked("2×1", "")}); r != nil || next.Status != OrderPlaced {
		t.Errorf("a service is cancelled: %v", r)
	}
	goods := s.must(o, CancelOrder{AskedPart: asked("1×3", "")})
	if _, _, r := s.change(goods, ShipOrder{}); r != NothingToShip {
		t.Errorf("nothing left to ship: %v", r)
	}
	if _, _, r := s.change(goods, DeliverOrder{}); r != nil {
		t.Errorf("the service alone is delivered: %v", r)
	}
	o.Lines[0].Freight = Freight{}
	none := s.must(o, ShipOrder{ShipmentDetails: ShipmentDetails{Carrier: "Post"}})
	if none.Fulfilment() != FulfilledWhole || none.Parts[0].Lines != nil {
		t.Errorf("an order without lines to ship: %+v", none.Parts)
	}
	if _, _, r := s.change(o, ShipLines{AskedPart: asked("", "")}); r != NothingToShip {
		t.Errorf("a parcel of nothing: %v", r)
	}
}

// A take that its pieces do not divide comes back whole, and so do components: example 19.
func TestPartsGiveBackExactlyWhatWasTaken(t *testing.T) {
	s, o := parted(t)
	o.Lines[0].Configuration = &Configuration{Components: []ComponentUse{
		{ProductID: testID(0x81), Quantity: "0.333333666"}, {ProductID: testID(0x82), Quantity: "1"}, {ProductID: testID(0x99), Quantity: "5"},
	}}
	for _, want := range []string{"order.returned 81:0.333334 82:1", "order.returned 81:0.333333 82:1", "order.returned 81:0.333334 82:1"} {
		next, effects, r := s.change(o, CancelOrder{AskedPart: asked("1×1", ""), Restock: true})
		if got := shownEffects(effects); r != nil || got != want {
			t.Errorf("a piece gives back %s, %v; want %s", got, r, want)
		}
		o = next
	}
	s.shop.Products = s.shop.Products[:0]
	s.shop.Index()
	if _, effects, r := s.change(o, CancelOrder{Restock: true}); r != nil || effects.Return != nil {
		t.Errorf("an item in no document comes back: %v, %+v", r, effects.Return)
	}
}

// A number that is off by one breaks the invariant of parts.
func TestBrokenPartsAreFound(t *testing.T) {
	s, o := parted(t)
	o = s.must(o, ShipLines{AskedPart: asked("1×2", "")}, ReturnLines{AskedPart: asked("1×2", "")}, CancelOrder{AskedPart: asked("1×1", "")},
		refunds("a", "1×3 2×1 shipping", 0))
	if _, is := o.Broken(); is {
		t.Fatalf("%+v do not add up", o.Parts)
	}
	for name, spoil := range map[string]func([]Part){
		"shipped":   func(p []Part) { p[0].Lines[0].Quantity++ },
		"returned":  func(p []Part) { p[1].Lines[0].Quantity++ },
		"cancelled": func(p []Part) { p[2].Lines[0].Quantity++ },
		"refunded":  func(p []Part) { p[3].Lines[0].Quantity++ },
		"an amount": func(p []Part) { p[3].Amount++ },
		"a row":     func(p []Part) { p[3].Taxes[1].Base++ },
	} {
		spoilt := *o
		spoilt.Parts = slices.Clone(o.Parts)
		for i := range spoilt.Parts {
			p := &spoilt.Parts[i]
			p.Lines, p.Taxes = slices.Clone(p.Lines), slices.Clone(p.Taxes)
		}
		spoil(spoilt.Parts)
		if broken, is := spoilt.Broken(); !is || broken != PartsAddUp {
			t.Errorf("%s: found %v %v", name, broken, is)
		}
	}
}

// Whatever is shipped, cancelled and returned in whatever parts, pieces add up; once all of a line's pieces are
// back, so is exactly what it took.
func TestPiecesAndStockOfPartsAtRandom(t *testing.T) {
	r := dice.New(t)
	for range 200 {
		s, o := parted(t)
		use := Micros(1 + upTo(r, 5e6))
		o.Lines[0].Quantity = Quantity(1+r.IntN(40)) * One
		o.Lines[0].Configuration = &Configuration{Components: []ComponentUse{{ProductID: testID(0x81), Quantity: use.String()}}}
		o.Takes[0].Quantity = Micros(o.Lines[0].Quantity/One) * use
		back := map[uuid.UUID]Micros{}
		do := func(c Command[*Order]) {
			next, effects, refusal := s.change(o, c)
			if refusal != nil {
				return
			}
			if o = next; effects.Return != nil {
				for _, item := range effects.Return.Items {
					back[item.Item] += item.Quantity
				}
			}
			if _, is := o.Broken(); is {
				t.Fatalf("%+v do not add up", o.Parts)
			}
		}
		for range 20 {
			part := asked(fmt.Sprintf("1×%d", 1+r.IntN(4)), "")
			do([]Command[*Order]{ShipLines{AskedPart: part}, CancelOrder{AskedPart: part, Restock: true}, ReturnLines{AskedPart: part, Restock: true}}[r.IntN(3)])
		}
		counts := o.counts()
		for _, kind := range []PartKind{PartCancel, PartReturn} {
			if left := o.allLeft(kind, counts); len(left) > 0 && o.Status == OrderPlaced {
				part := AskedPart{}
				for _, l := range left {
					part.Lines = append(part.Lines, SentLine{LineID: o.Lines[l.Line].ID, Quantity: l.Quantity})
				}
				do(map[PartKind]Command[*Order]{PartCancel: CancelOrder{AskedPart: part, Restock: true}, PartReturn: ReturnLines{AskedPart: part, Restock: true}}[kind])
			}
		}
		for _, take := range o.Takes {
			if back[take.Item] != take.Quantity {
				t.Fatalf("%v of %v came back, by %+v", back[take.Item], take.Quantity, o.Parts)
			}
		}
	}
}

func TestPartsAreBounded(t *testing.T) {
	s, o := parted(t)
	full := *o
	full.Parts = []Part{{Kind: PartRefund, Lines: make([]PartLine, MaxPartLines-1)}}
	if _, _, r := s.change(&full, ShipLines{AskedPart: asked("1×1 2×1", "")}); r != PartsLimit {
		t.Errorf("too many lines: %v", r)
	}
	if _, _, r := s.change(&full, ShipLines{AskedPart: asked("1×1", "")}); r != nil {
		t.Errorf("the last line: %v", r)
	}
	full.Parts = make([]Part, MaxParts)
	for name, c := range map[string]Command[*Order]{
		"shipment": ShipOrder{ShipmentDetails: ShipmentDetails{Carrier: "x"}}, "lines": ShipLines{AskedPart: asked("1×1", "")},
		"cancel": CancelOrder{AskedPart: asked("1×1", "")}, "return": ReturnLines{AskedPart: asked("1×9", "")},
	} {
		full.Parts[0].Lines = []PartLine{{Line: 0, Quantity: One}}
		if _, _, r := s.change(&full, c); r != PartsLimit {
			t.Errorf("%s: %v", name, r)
		}
	}
}
