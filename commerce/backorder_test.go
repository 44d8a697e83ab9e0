package commerce

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
)

// freeLevels are levels at which so much is free.
func freeLevels(free map[uuid.UUID]Micros) StockLevels {
	levels := StockLevels{}
	for item, n := range free {
		levels[item] = StockLevel{OnHand: n}
	}
	return levels
}

func mustDate(t *testing.T, text string) Date {
	t.Helper()
	d, ok := ParseDate(text)
	if !ok {
		t.Fatalf("%q is no date", text)
	}
	return d
}

func TestDates(t *testing.T) {
	for text, want := range map[string]Date{"0001-01-01": 1, "0001-12-31": 365, "1970-01-01": dayOfEpoch, "2000-03-01": 730_180, "9999-12-31": lastDate} {
		if got, ok := ParseDate(text); !ok || got != want || got.String() != text || !got.Known() {
			t.Errorf("%s is %d, %v, written %s; want %d", text, got, ok, got, want)
		}
	}
	for _, text := range []string{"", "0000-12-31", "2027-02-29", "2027-5-12", "2027-05-12T00:00:00Z", " 2027-05-12", "27-05-12", "2027-05-32", "2027/05/12"} {
		if got, ok := ParseDate(text); ok {
			t.Errorf("%q is the date %s", text, got)
		}
	}
	for d := Date(1); d <= lastDate; d += 97 {
		if got, ok := ParseDate(d.String()); !ok || got != d {
			t.Fatalf("%d is written %s, which is %d", d, d, got)
		}
	}
	if Date(0).Known() || (lastDate + 1).Known() || DateOf(time.Date(2027, 5, 12, 23, 59, 0, 0, time.UTC)).String() != "2027-05-12" {
		t.Error("a day begins at midnight")
	}
}

// Examples 13 and 14 of what is free, and its status.
func TestFreeStockWithALimit(t *testing.T) {
	may := mustDate(t, "2027-05-12")
	for _, c := range []struct {
		level          StockLevel
		available, now Micros
		state          StockState
	}{
		{StockLevel{OnHand: 3}, 3, 3, StockState{Status: StockIn}},
		{StockLevel{OnHand: 3, Limit: 10}, 13, 3, StockState{Status: StockIn}},
		{StockLevel{OnHand: 3, Limit: 10, Held: 5}, 8, 0, StockState{StockBackorder, may}},
		{StockLevel{OnHand: 3, Limit: 10, Held: 5, Own: 5}, 13, 3, StockState{Status: StockIn}},
		{StockLevel{OnHand: -2, Limit: 10}, 8, 0, StockState{StockBackorder, may}},
		{StockLevel{OnHand: -2}, 0, 0, StockState{}},
		{StockLevel{OnHand: -2, Limit: 2}, 0, 0, StockState{}},
		{StockLevel{OnHand: -2, Limit: 1}, 0, 0, StockState{}},
		{StockLevel{OnHand: -100_000_000_000_000, Limit: MaxBackorder}, 0, 0, StockState{}},
	} {
		if l := c.level; l.Available() != c.available || l.Now() != c.now || l.State(may) != c.state {
			t.Errorf("%+v: %d, %d, %+v; want %+v", l, l.Available(), l.Now(), l.State(may), c)
		}
	}
}

func TestStatesOfSeveralItems(t *testing.T) {
	in, out := StockState{Status: StockIn}, StockState{}
	unknown, may, june := StockState{Status: StockBackorder}, StockState{StockBackorder, 5}, StockState{StockBackorder, 6}
	for _, c := range []struct {
		all  []StockState
		want StockState
	}{
		{nil, out}, {[]StockState{out, in, may}, in}, {[]StockState{out, june, may, unknown}, may}, {[]StockState{unknown, june}, june},
		{[]StockState{unknown, out}, unknown},
	} {
		var forward, backward StockState
		for i := range c.all {
			forward.Join(c.all[i])
			backward.Join(c.all[len(c.all)-1-i])
		}
		if forward != c.want || backward != c.want {
			t.Errorf("%v: %v, %v; want %v", c.all, forward, backward, c.want)
		}
	}
}

// A variant's own back order counts, else its product's; an index follows the products.
func TestBackOrderOfAnItem(t *testing.T) {
	s := newScene(t).shop
	if s.Backorder(tile) != (Backorder{}) {
		t.Error("a store without back orders has one")
	}
	of := *s.Product(drill)
	of.Variants = slices.Clone(of.Variants)
	of.Backorder, of.Variant(white).Backorder = &Backorder{Limit: 10, From: 7}, &Backorder{}
	next := *s
	next.Products = slices.Clone(s.Products)
	next.Products[slices.Index(s.Products, s.Product(drill))] = &of
	next.IndexAfter(s)
	for item, want := range map[uuid.UUID]Backorder{drill: {10, 7}, grey: {10, 7}, white: {}, tile: {}, nowhere: {}} {
		if got := next.Backorder(item); got != want {
			t.Errorf("%v: %+v, want %+v", item, got, want)
		}
	}
	last := *s
	if last.IndexAfter(&next); last.backorders != 0 || last.Backorder(grey) != (Backorder{}) {
		t.Errorf("%d products have a back order that is gone", last.backorders)
	}
}

// The order says which of its takes had a limit, and a line waits if any of its items fell below zero.
func TestWaitingLines(t *testing.T) {
	s := newScene(t)
	unlimited(s.shop)
	for _, p := range s.shop.Products {
		p.TrackStock = true
	}
	s.shop.Product(tile).Backorder = &Backorder{Limit: 10e6, From: 5}
	s.shop.Product(drill).Variant(white).Backorder = &Backorder{Limit: 5e6}
	s.shop.Product(cord).Backorder = &Backorder{From: 9} // no limit: it cannot be sold ahead
	s.shop.Index()
	o := &Order{}
	line := func(product, variant uuid.UUID) OrderLine {
		return OrderLine{Line: Line{ProductID: product, VariantID: variant, Quantity: One}}
	}
	made := OrderLine{Line: Line{ProductID: blind, Quantity: 2 * One, Configuration: &Configuration{
		Components: []ComponentUse{{ProductID: cord, Quantity: "0.5"}, {ProductID: tile, Quantity: "1"}}}}}
	o.Lines = []OrderLine{line(cord, uuid.Nil), line(drill, white), line(drill, grey), line(tile, uuid.Nil), made}
	var takes []StockAsk
	for i := range o.Lines {
		takes = o.Lines[i].Line.appendAsks(takes, s.shop)
	}
	o.take(addedUp(takes), s.shop)
	at := func(item uuid.UUID) int { i, _ := findAsk(o.Takes, item); return i }
	byTake := func(a, b AheadTake) int { return a.Take - b.Take }
	want := []AheadTake{{Take: at(white)}, {Take: at(tile), From: 5}}
	slices.SortFunc(want, byTake)
	if !reflect.DeepEqual(o.Ahead, want) || len(o.Takes) != 4 {
		t.Fatalf("ahead %+v of %+v, want %+v", o.Ahead, o.Takes, want)
	}
	left := make([]Micros, len(o.Takes))
	left[at(cord)], left[at(white)], left[at(tile)] = -1, 0, -1
	o.Ahead = o.WithLeft(left)
	waits := Waiting{true, 5}
	if got := o.Waiting(); !reflect.DeepEqual(got, []Waiting{{}, {}, {}, waits, waits}) {
		t.Errorf("waiting: %+v", got)
	}
	left[at(white)] = -1
	o.Ahead = o.WithLeft(left)
	if got := o.Waiting(); !reflect.DeepEqual(got, []Waiting{{}, {Backordered: true}, {}, waits, waits}) {
		t.Errorf("waiting: %+v", got)
	}
	if (&Order{Lines: o.Lines, Takes: o.Takes}).Waiting() != nil {
		t.Error("an order without limits waits")
	}
}
