package commerce

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// A basket costs to the cent what a new cart costs after the same adds and codes: its lines, discounts,
// totals, quote triggers and deliveries are the cart's, and a refused line has the cart's refusal.
func TestBasketsCostWhatCartsCost(t *testing.T) { compareBaskets(t, 600) }

func compareBaskets(t *testing.T, n int) {
	r := dice.New(t)
	met := map[string]int{}
	var e Evaluation // reused: nothing of the last basket may remain
	kinds := []string{"line", "same", "refused", "code", "discount", "period", "quote", "delivery", "gross", "net", "later",
		"several", "exclusive", "category", "batch", "spent"}
	for i := 0; i < n || i < 10*n && rarest(met, kinds) < n/200; i++ {
		w := newPriceWalk(t, r, met)
		w.changeDocument()
		w.shop.Quotes = QuoteSettings{Enabled: true, CartThreshold: price(Amount(r.IntN(50_000)))}
		w.shop.Policy.MaxLines, w.shop.Policy.MaxQuantityPerLine = 1+r.IntN(5), Quantity(20+r.IntN(40))*One
		w.shop.Policy.MaxDiscountCodes = r.IntN(6)
		w.limitCodes()
		w.compareBasket(w.someBasket(), &e)
	}
	t.Logf("%v", met)
	if rarest(met, kinds) < n/200 {
		t.Error("one of them is too rare to show anything")
	}
}

// rarest is how often the rarest of some kinds of cases was met. A random test goes on until it is enough.
func rarest(met map[string]int, kinds []string) int {
	least := math.MaxInt
	for _, kind := range kinds {
		least = min(least, met[kind])
	}
	return least
}

// limitCodes gives some discounts with codes a limit for each customer, and a batch of codes.
func (w *priceWalk) limitCodes() {
	for i := range w.shop.Discounts {
		d := &w.shop.Discounts[i]
		if limit := int64(1 + w.r.IntN(3)); d.Code != "" && w.r.IntN(2) == 0 {
			d.CustomerLimit = &limit
		}
		if d.Code != "" && w.r.IntN(3) > 0 {
			d.CodeBatches = []CodeBatch{{Number: i, Prefix: fmt.Sprint("B", i), Secret: make([]byte, 24), Active: true, Uses: int64(2 + w.r.IntN(3))}}
		}
	}
	w.shop.Index()
}

// someCode is a code of a discount or of its batch, or none.
func (w *priceWalk) someCode() string {
	i := w.r.IntN(5)
	if i < len(w.shop.Discounts) && len(w.shop.Discounts[i].CodeBatches) > 0 && w.r.IntN(3) > 0 {
		d := &w.shop.Discounts[i]
		return slowCode(d.ID, &d.CodeBatches[0], uint32(w.r.IntN(3)))
	}
	return fmt.Sprint("code ", i)
}

// someBasket has adds of the test's shop, faulty ones too.
func (w *priceWalk) someBasket() *Basket {
	r, b := w.r, &Basket{}
	for range r.IntN(8) {
		pick := combinations[r.IntN(len(combinations))]
		entry := BatchedAdd{AddLine: AddLine{ProductID: pick.product, VariantID: pick.variant, Quantity: Quantity(1+r.IntN(30)) * One}}
		switch r.IntN(12) {
		case 0:
			entry.ProductID = []uuid.UUID{nowhere, withdrawn, bulk, faded, drill, blind}[r.IntN(6)]
		case 1:
			entry.Quantity += 500
		case 2:
			entry.AddLine = AddLine{ProductID: blind, Quantity: One, Configuration: &Selection{Choices: []string{fmt.Sprint("c", r.IntN(2))}}}
		case 3:
			var faults Faults
			faults.Add("quantity", MsgRequired("quantity"))
			entry.Fault = faults.Refusal()
		}
		b.Lines = append(b.Lines, entry)
	}
	for range r.IntN(6) { // beyond the limit a later one takes the place of one that is over, or is refused
		b.Codes = append(b.Codes, w.someCode())
	}
	if r.IntN(2) == 0 {
		b.Country = &Country{'N', 'L'}
	}
	if r.IntN(3) == 0 {
		b.At = someMoment(r).Add(2 * time.Millisecond)
	}
	return b
}

// compareBasket makes a cart by the commands of a client that waits for each answer.
func (w *priceWalk) compareBasket(b *Basket, e *Evaluation) {
	now := w.in.Now
	counts := &UseCounts{Uses: b.Uses(w.shop, w.in.Visitor)}
	for range counts.Uses {
		counts.Counts = append(counts.Counts, w.r.Int64N(4))
	}
	got := b.Price(e, w.shop, w.in.Visitor, counts, now)
	if !b.At.IsZero() {
		w.in.Now = b.At
		w.met["later"]++
	}
	w.met[map[bool]string{true: "gross", false: "net"}[w.shop.PricesIncludeTax]]++
	added := make([]uuid.UUID, len(b.Lines)) // the line of each row
	for i := range b.Lines {
		row, refused := &got.Rows[i], b.Lines[i].Fault
		if refused == nil {
			add := b.Lines[i].AddLine
			add.LineID = uuid.New()
			var next *Cart
			if next, _, refused = w.try(add); refused == nil {
				added[i] = next.Lines[next.raised(w.cart)].ID
				w.cart = next
				w.in.Seen, w.in.Next = w.in.Next, w.in.Next+1
			}
		}
		if inWords(row.Refused) != inWords(refused) {
			w.Fatalf("row %d of %+v is refused by %s; the cart's add by %s", i, b.Lines, inWords(row.Refused), inWords(refused))
		}
		if refused != nil {
			w.met["refused"]++
		}
	}
	for _, code := range b.Codes {
		w.attach(code, counts)
	}
	want := w.evaluate()
	w.compareRows(b, got, want, added)
	amounts := func(e *Evaluation) string {
		var discounts []any
		for _, d := range e.Discounts {
			discounts = append(discounts, d.Discount.ID, d.Amount)
			if d.Code != nil {
				discounts = append(discounts, d.Code.Code)
			}
		}
		return fmt.Sprint(e.LineTotals, discounts, e.CodeErrors, e.Subtotal, e.TaxTotal, e.Total, e.DiscountTotal, e.Breakdown, e.QuoteReasons, e.VATDisplay)
	}
	if amounts(got.Evaluation) != amounts(want) {
		w.Fatalf("%+v\ncosts %s\na cart %s", b, amounts(got.Evaluation), amounts(want))
	}
	accepted := *b
	accepted.Lines = nil
	for i := range b.Lines {
		if got.Rows[i].Refused == nil {
			accepted.Lines = append(accepted.Lines, b.Lines[i])
		}
	}
	if without := accepted.Price(new(Evaluation), w.shop, w.in.Visitor, counts, now); amounts(without.Evaluation) != amounts(want) {
		w.Fatalf("%+v\ncosts %s\nwithout its refused lines %s", b, amounts(got.Evaluation), amounts(without.Evaluation))
	}
	options := DeliveryOptions(w.cart, w.shop, w.in.Visitor, w.in.Now, b.Country)
	if got.Asked != (b.Country != nil) || got.Asked && !slices.Equal(got.Deliveries, options) {
		w.Fatalf("deliveries %+v, the cart's %+v", got.Deliveries, options)
	}
	w.meet(want)
	if got.Asked {
		w.met["delivery"] += len(options)
	}
}

// attach reads the counts that an attach needs ahead of it, as the engine does.
func (w *priceWalk) attach(code string, counts *UseCounts) {
	w.in.Counts = nil
	next, effects, refused := w.try(AttachCode{Code: code})
	if refused == nil && effects.Uncounted != nil {
		for _, use := range effects.Uncounted.Uses {
			if _, known := counts.of(use); !known {
				w.Fatalf("the basket of code %q does not know %+v, which the cart reads; it has %+v", code, use, counts)
			}
		}
		w.in.Counts = counts
		next, _, refused = w.try(AttachCode{Code: code})
	}
	if refused == nil {
		w.cart = next
	}
}

// meet counts what a cart shows.
func (w *priceWalk) meet(e *Evaluation) {
	w.met["discount"] += len(e.Discounts)
	w.met["quote"] += len(e.QuoteReasons)
	w.met["code"] += len(w.cart.Codes)
	if len(w.cart.Codes) > 1 {
		w.met["several"]++
	}
	for _, applied := range e.Discounts {
		if applied.Discount.Exclusive {
			w.met["exclusive"]++
		}
		if len(applied.Discount.CategoryIDs) > 0 {
			w.met["category"]++
		}
		if applied.BatchCode.Batch != nil {
			w.met["batch"]++
		}
	}
	for i := range w.cart.Codes {
		c := &w.cart.Codes[i]
		d, of := w.shop.discountByCode(c.Code)
		if d != nil && (c.usedUpBy(w.in.Visitor.CustomerID, d.Discount) || of.Batch != nil && c.Used >= of.Batch.Uses) {
			if e.CodeErrors[i] != CodeUsageLimit && e.CodeErrors[i] != CodeExpired && e.CodeErrors[i] != CodeNotEligible {
				w.Fatalf("%+v is used up, and shown as %q", c, e.CodeErrors[i])
			}
			w.met["spent"]++
		}
	}
}

// compareRows compares the amounts of the rows with the details of the cart's lines.
func (w *priceWalk) compareRows(b *Basket, got *PricedBasket, want *Evaluation, added []uuid.UUID) {
	view := w.shop.PriceView(&w.in.Visitor, Country{}, w.in.Now)
	for i := range got.Rows {
		row := &got.Rows[i]
		first := slices.Index(added, added[i])
		switch {
		case row.Refused != nil:
			if row.Line != nil || row.SameAs >= 0 || row.LineAmounts != (LineAmounts{}) {
				w.Fatalf("the refused row %d is %+v", i, row)
			}
		case first < i:
			if row.Line != nil || row.SameAs != first || row.LineAmounts != (LineAmounts{}) {
				w.Fatalf("row %d is %+v; want the same as row %d", i, row, first)
			}
			w.met["same"]++
		default:
			at := want.Cart.line(added[i])
			line, d := &want.Cart.Lines[at], want.LineDetails(w.shop, view, at, nil)
			if row.SameAs >= 0 || row.Line == nil || row.Line.Quantity != line.Quantity || row.Unit != line.UnitPrice ||
				row.Total != want.LineTotals[at] || row.LineAmounts != d.LineAmounts {
				w.Fatalf("row %d of %+v is %+v; the cart's line %+v, %+v", i, b.Lines, row, line, d)
			}
			w.met["line"]++
			if line.priceOrigin(w.shop.Product(line.ProductID), view.Pricing).Source == FromPeriod {
				w.met["period"]++
			}
		}
	}
}

// The fields are judged by the store and the clock, all together, in their order.
func TestBasketFields(t *testing.T) {
	now := noon.Add(600 * time.Millisecond)
	for _, row := range []struct {
		name  string
		at    time.Time
		codes int
		want  []FieldError
	}{
		{"nothing", time.Time{}, 0, nil},
		{"now", now, 1, nil},
		{"this second", noon, 0, nil},
		{"the second before", noon.Add(-1), 0, []FieldError{{"at", saying("The at field must be a date after or equal to 2026-11-20T12:00:00Z.")}}},
		{"366 days ahead", now.Add(366 * 24 * time.Hour), 0, nil},
		{"later", now.Add(366*24*time.Hour + 1), 0, []FieldError{{"at", saying("The at field must be a date before or equal to 2027-11-21T12:00:00Z.")}}},
		{"both", noon.Add(-time.Hour), 2, []FieldError{
			{"discount_codes", saying("The discount codes field must not have more than 1 items.")},
			{"at", saying("The at field must be a date after or equal to 2026-11-20T12:00:00Z.")},
		}},
	} {
		b := &Basket{At: row.at, Codes: make([]string, row.codes)}
		var want *Refusal
		if row.want != nil {
			want = (&Faults{fields: row.want}).Refusal()
		}
		if got := b.Judge(testShop(), now); inWords(got) != inWords(want) {
			t.Errorf("%s: got %s, want %s", row.name, inWords(got), inWords(want))
		}
	}
	found := &Basket{At: noon.Add(-time.Hour)}
	found.Faults.Add("country", MsgSize("country", CountryLength))
	if r := found.Judge(testShop(), now); len(r.Fields) != 2 || r.Fields[0].Field != "country" || len(found.Faults.fields) != 1 {
		t.Errorf("got %s, from %+v", inWords(r), found.Faults)
	}
}

// The moment of a basket decides the prices of periods and which discounts run, and nothing else: a cart
// at that moment costs the same.
func TestBasketAtALaterMoment(t *testing.T) {
	s := testShop()
	friday, monday := noon.Add(24*time.Hour), noon.Add(96*time.Hour)
	s.Product(tile).Prices.Periods = []PricePeriod{{From: friday, Until: monday, Price: 700}}
	s.Discounts = []Discount{
		{ID: testID(0xd1), Name: "Weekend", Active: true, StartsAt: friday, EndsAt: monday, Value: DiscountValue{Fixed: true, Amount: 100}},
		{ID: testID(0xd2), Name: "Until Friday", Active: true, EndsAt: friday, Value: DiscountValue{Fixed: true, Amount: 10}},
	}
	s.Index()
	for _, row := range []struct {
		at          time.Time
		unit, total Amount
	}{
		{time.Time{}, 1000, 990}, {friday.Add(-1), 1000, 990}, {friday, 700, 600}, {monday.Add(-1), 700, 600}, {monday, 1000, 1000},
	} {
		b := &Basket{Lines: AddLines{{AddLine: AddLine{ProductID: tile, Quantity: One}}}, At: row.at}
		got := b.Price(new(Evaluation), s, guest, nil, noon)
		if got.Rows[0].Unit != row.unit || got.Total != row.total {
			t.Errorf("at %v: %d each, %d in all; want %d, %d", row.at, got.Rows[0].Unit, got.Total, row.unit, row.total)
		}
	}
}

// A basket is costly above 10,000 lines × discounts; its codes count as discounts.
func TestDearBaskets(t *testing.T) {
	for _, row := range []struct {
		lines, automatic, codes int
		dear                    bool
	}{
		{100, 100, 0, false}, {100, 100, 1, true}, {100, 99, 1, false}, {0, 500, 1, false}, {20, 500, 0, false}, {21, 500, 0, true},
	} {
		s := testShop()
		for range row.automatic {
			s.Discounts = append(s.Discounts, Discount{ID: uuid.New(), Active: true})
		}
		s.Index()
		b := &Basket{Lines: make(AddLines, row.lines), Codes: make([]string, row.codes)}
		if b.Costly(s) != row.dear {
			t.Errorf("%+v: dear %v", row, b.Costly(s))
		}
	}
}

// 30 µs of processor time for three lines, the request included, is the goal; this is the price alone.
func BenchmarkBasketOfThreeLines(b *testing.B) {
	s := testShop()
	basket := &Basket{Lines: AddLines{
		{AddLine: AddLine{ProductID: tile, Quantity: 12 * One}}, {AddLine: AddLine{ProductID: cord, Quantity: 2500}},
		{AddLine: AddLine{ProductID: drill, VariantID: white, Quantity: One}},
	}}
	var e Evaluation
	b.ReportAllocs()
	for b.Loop() {
		basket.Price(&e, s, guest, nil, noon)
	}
}
