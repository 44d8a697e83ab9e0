package commerce

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// Carts, in documents that change between any two requests, against a slow model: the stored prices, the
// prices that count, discounts by those, and sales at the total that the deliveries and explain showed.
func TestLinePricesMatchTheModel(t *testing.T) { comparePrices(t, 100) }

func comparePrices(t *testing.T, n int) {
	t.Helper()
	r := dice.New(t)
	met := map[string]int{}
	kinds := []string{"add", "change", "remove", "claim", "copy", "order", "quote", "lower", "higher", "period", "bogo", "discount"}
	for i := 0; i < n || i < 10*n && rarest(met, kinds) < n/20; i++ {
		w := newPriceWalk(t, r, met)
		for range 12 {
			w.changeDocument()
			w.act()
			w.changeDocument()
			w.check()
		}
		w.changeDocument()
		w.sell()
	}
	t.Logf("%v", met)
	if rarest(met, kinds) < n/20 {
		t.Error("one of them is too rare to show anything")
	}
}

// pricedLine is a line of the model, with the price that is stored.
type pricedLine struct {
	combination
	quantity Quantity
	stored   Amount
}

// priceWalk is a scene with the model's cart.
type priceWalk struct {
	*scene
	r     *rand.Rand
	met   map[string]int
	lines []pricedLine
}

func newPriceWalk(t *testing.T, r *rand.Rand, met map[string]int) *priceWalk {
	w := &priceWalk{scene: newScene(t), r: r, met: met}
	w.in.Visitor = []Visitor{guest, ada, trade}[r.IntN(3)]
	w.changeDocument()
	return w
}

// changeDocument replaces the store, or leaves it as it is, and moves the clock.
func (w *priceWalk) changeDocument() {
	w.in.Now = someMoment(w.r)
	if w.r.IntN(3) == 0 {
		return
	}
	s := testShop()
	unlimited(s)
	s.Policy.LinePrices, s.PricesIncludeTax = LinePrices(w.r.IntN(3)), w.r.IntN(2) == 0
	s.ShippingMethods = []ShippingMethod{{ID: parcel, Name: "Parcel", Price: 695, Tax: taxed(21e9), Tiers: []ShippingTier{{5000, 0}}}}
	prices := func(p *Prices) {
		if p.Base != nil && w.r.IntN(2) == 0 {
			p.Base = price(Amount(1 + w.r.IntN(1500)))
		}
		for i := range p.Tiers {
			p.Tiers[i].Price = Amount(1 + w.r.IntN(1500))
		}
		p.Periods = somePeriods(w.r, 1500)
	}
	for _, p := range s.Products {
		prices(&p.Prices)
		p.RequiresShipping = p.ID == tile
		for i := range p.Variants {
			prices(&p.Variants[i].Prices)
		}
	}
	if w.r.IntN(6) == 0 {
		s.Product(cord).Active = false
	}
	s.Categories = []Category{{ID: testID(0xc01), ParentID: testID(0xc02)}, {ID: testID(0xc02)}, {ID: testID(0xc03)}}
	s.Product(tile).CategoryIDs = []uuid.UUID{testID(0xc01)}
	s.Product(cord).CategoryIDs = []uuid.UUID{testID(0xc01 + w.r.IntN(3)), testID(0xc03)}
	some := func() (of ProductRange) {
		of.ProductIDs = []uuid.UUID{tile, cord, drill, special}[:w.r.IntN(5)]
		if w.r.IntN(2) == 0 {
			of.CategoryIDs = []uuid.UUID{testID(0xc01 + w.r.IntN(3))}
		}
		if w.r.IntN(4) == 0 {
			of.ExcludedIDs = []uuid.UUID{[]uuid.UUID{tile, cord, drill}[w.r.IntN(3)]}
		}
		return of
	}
	for i := range w.r.IntN(5) {
		s.Discounts = append(s.Discounts, someDiscount(w.r, i, some))
	}
	s.Index()
	w.shop, w.in.Store = s, s
}

func (w *priceWalk) model(c combination) (*Product, *Variant) {
	p := w.shop.Product(c.product)
	return p, p.Variant(c.variant)
}

// current is the price of a model's line now.
func (w *priceWalk) current(l pricedLine) (Amount, bool) {
	p, v := w.model(l.combination)
	if !p.Active || v != nil && !v.Active {
		return 0, false
	}
	return modelPrice(p, v, w.in.Visitor.pricing(w.in.Now), l.quantity)
}

func (w *priceWalk) store(l *pricedLine) {
	if price, ok := w.current(*l); ok {
		l.stored = price
	}
}

func (w *priceWalk) line(c combination) *pricedLine {
	for i := range w.lines {
		if w.lines[i].combination == c {
			return &w.lines[i]
		}
	}
	return nil
}

// act changes the cart and the model.
func (w *priceWalk) act() {
	w.in.Seen = w.in.Next // no add is simultaneous with another
	at := w.r.IntN(len(w.lines) + 1)
	switch kind := w.r.IntN(8); {
	case kind < 4 || at == len(w.lines):
		w.add()
	case kind == 4:
		w.lines[at].quantity = Quantity(1+w.r.IntN(30)) * One
		w.do(ChangeLine{LineID: w.cart.Lines[at].ID.String(), Quantity: w.lines[at].quantity})
		w.store(&w.lines[at])
		w.met["change"]++
	case kind == 5:
		w.do(RemoveLine{w.cart.Lines[at].ID.String()})
		w.lines = slices.Delete(w.lines, at, at+1)
		w.met["remove"]++
	case kind == 6:
		w.claim()
	default:
		w.copy()
	}
}

func (w *priceWalk) add() {
	c := combinations[w.r.IntN(len(combinations))]
	added := pricedLine{c, Quantity(1+w.r.IntN(30)) * One, 0}
	next, _, refusal := w.try(AddLine{LineID: uuid.New(), ProductID: c.product, VariantID: c.variant, Quantity: added.quantity})
	full := w.line(c) == nil && len(w.lines) == w.shop.Policy.MaxLines
	if sold := w.shop.Product(c.product).Active; (refusal == nil) != (sold && !full) {
		w.Fatalf("an add of a product that is active (%v): %v", sold, refusal)
	}
	if refusal != nil {
		return
	}
	w.cart = next
	if l := w.line(c); l != nil {
		l.quantity += added.quantity
		w.store(l)
	} else {
		w.store(&added)
		w.lines = append(w.lines, added)
	}
	w.met["add"]++
}

// claim folds another cart of the account into the cart. Every line gets today's price.
func (w *priceWalk) claim() {
	if !w.in.Visitor.Known {
		return
	}
	c := combinations[w.r.IntN(len(combinations))]
	other := NewCart(uuid.New(), noon)
	other.Lines = []Line{{ID: uuid.New(), ProductID: c.product, VariantID: c.variant, Quantity: 3 * One, UnitPrice: 77}}
	w.in.Others = []*Cart{other}
	w.do(ClaimCart{})
	w.in.Others = nil
	for i := range w.lines {
		w.store(&w.lines[i])
	}
	if l := w.line(c); l != nil {
		l.quantity += 3 * One
		w.store(l)
	} else {
		moved := pricedLine{c, 3 * One, 77}
		w.store(&moved)
		w.lines = append(w.lines, moved)
	}
	w.met["claim"]++
}

// copy goes on with a copy of the cart at today's prices, without the lines that are not sold any more.
func (w *priceWalk) copy() {
	next, left, refusal := CopyOfCart(w.cart).Make(uuid.New(), &w.in)
	if refusal != nil {
		w.Fatal(refusal)
	}
	var kept []pricedLine
	for _, l := range w.lines {
		if price, ok := w.current(l); ok {
			kept = append(kept, pricedLine{l.combination, l.quantity, price})
		}
	}
	if len(left) != len(w.lines)-len(kept) {
		w.Fatalf("%d lines are left out, want %d", len(left), len(w.lines)-len(kept))
	}
	w.cart, w.lines = next, kept
	w.met["copy"]++
}

// sold is the model's cart at the prices that count.
func (w *priceWalk) sold() *Cart {
	c := *w.cart
	c.Lines = slices.Clone(c.Lines)
	for i, l := range w.lines {
		unit := l.stored
		switch current, ok := w.current(l); {
		case !ok || w.shop.Policy.LinePrices == KeepPrices:
		case w.shop.Policy.LinePrices == FollowPrices, current < unit:
			unit = current
		}
		c.Lines[i].UnitPrice = unit
	}
	return &c
}

// check compares the cart and its evaluation with the model.
func (w *priceWalk) check() {
	if w.r.IntN(2) == 0 {
		code := fmt.Sprintf("code %d", w.r.IntN(5))
		w.do(AttachCode{Code: code})
	}
	if len(w.lines) != len(w.cart.Lines) {
		w.Fatalf("%d lines, want %d", len(w.cart.Lines), len(w.lines))
	}
	sold, e := w.sold(), w.evaluate()
	view := w.shop.PriceView(&w.in.Visitor, Country{}, w.in.Now)
	for i, l := range w.lines {
		got, want := e.Cart.Lines[i], sold.Lines[i]
		if w.cart.Lines[i].UnitPrice != l.stored || got.Quantity != l.quantity || got.UnitPrice != want.UnitPrice {
			w.Fatalf("line %d: stored %d, %s at %d; want stored %d, %s at %d",
				i, w.cart.Lines[i].UnitPrice, got.Quantity, got.UnitPrice, l.stored, l.quantity, want.UnitPrice)
		}
		current, ok := w.current(l)
		d := e.LineDetails(w.shop, view, i, nil)
		if d.Stored != l.stored || d.HasCurrent != ok || d.Current != current || d.PriceChanged() != (ok && current != l.stored) {
			w.Fatalf("line %d: %+v; want stored %d, current %d, %v", i, d, l.stored, current, ok)
		}
		if got.UnitPrice < l.stored {
			w.met["lower"]++
		} else if got.UnitPrice > l.stored {
			w.met["higher"]++
		}
	}
	x := Explain(w.cart, w.shop, w.in.Visitor, w.in.Now, nil)
	for i, step := range x.Lines {
		if step.Line.UnitPrice != sold.Lines[i].UnitPrice {
			w.Fatalf("explain has line %d at %d, want %d", i, step.Line.UnitPrice, sold.Lines[i].UnitPrice)
		}
		if step.From.Source == FromPeriod {
			w.met["period"]++
		}
	}
	got := discounted{lines: e.LineTotals, errs: e.CodeErrors}
	for _, d := range e.Discounts {
		got.discounts = append(got.discounts, fmt.Sprint(d.Discount.Name, " ", d.Amount))
		if d.Discount.Kind == DiscountBogo {
			w.met["bogo"]++
		}
		w.met["discount"]++
	}
	atNoon := *w.shop // the model's discounts run at noon
	atNoon.Discounts = slices.Clone(w.shop.Discounts)
	for i := range atNoon.Discounts {
		d := &atNoon.Discounts[i]
		if !d.StartsAt.IsZero() {
			d.StartsAt = d.StartsAt.Add(noon.Sub(w.in.Now))
		}
		if !d.EndsAt.IsZero() {
			d.EndsAt = d.EndsAt.Add(noon.Sub(w.in.Now))
		}
	}
	if want := modelDiscounts(sold, &atNoon, w.in.Visitor.pricing(w.in.Now)); got.String() != want.String() {
		w.Fatalf("lines %+v\ndiscounts %+v\n got %v\nwant %v", sold.Lines, w.shop.Discounts, got, want)
	}
}

// sell makes an order or a quote of the cart, at the total that explain and the deliveries show for this
// moment. A quote keeps its prices in every later document.
func (w *priceWalk) sell() {
	w.shop.Quotes = QuoteSettings{Enabled: true, ValidDays: 1}
	w.check()
	options := DeliveryOptions(w.cart, w.shop, w.in.Visitor, w.in.Now, nil)
	explained := Explain(w.cart, w.shop, w.in.Visitor, w.in.Now, nil).Totals
	if prepared := PrepareCheckout(w.cart, w.shop, w.in.Visitor, w.in.Now); prepared.Totals.Total != explained.Total || !slices.Equal(prepared.Methods, options) {
		w.Fatalf("the checkout costs %+v, with %+v; want %d, with %+v", prepared.Totals, prepared.Methods, explained.Total, options)
	}
	if w.r.IntN(2) == 0 {
		w.sellQuote(explained)
		return
	}
	next, effects, refusal := w.try(w.order(func(c *Checkout) {
		if len(options) == 0 { // nothing is shipped
			c.AskedDelivery = AskedDelivery{}
		}
	}))
	if refusal != nil {
		return // a line is not sold any more, or by quote only
	}
	order := effects.Sale.Order
	want := explained.Total
	if order.Shipping != nil {
		want = options[0].OrderTotal
	}
	if order.Totals.Total != want || order.Totals.DiscountTotal > explained.DiscountTotal {
		w.Fatalf("the order costs %+v; want %d, %+v", order.Totals, want, explained)
	}
	for i, l := range w.sold().Lines {
		if order.Lines[i].UnitPrice != l.UnitPrice {
			w.Fatalf("the order sells line %d at %d, want %d", i, order.Lines[i].UnitPrice, l.UnitPrice)
		}
	}
	if next.Lines[0].UnitPrice != w.lines[0].stored {
		w.Fatalf("the sale has stored the price %d, want %d", next.Lines[0].UnitPrice, w.lines[0].stored)
	}
	w.met["order"]++
}

func (w *priceWalk) sellQuote(explained TotalsStep) {
	sold := w.sold()
	_, effects, refusal := w.try(w.ask())
	if refusal != nil {
		if len(w.lines) > 0 {
			w.Fatal(refusal)
		}
		return
	}
	quote := effects.Sale.Quote
	w.changeDocument()
	if totals := quote.Totals(); totals.Total != explained.Total {
		w.Fatalf("the quote costs %+v; want %+v", totals, explained)
	}
	for i, l := range sold.Lines {
		if quote.Goods.Lines[i].UnitPrice != l.UnitPrice {
			w.Fatalf("the quote promises line %d at %d, want %d", i, quote.Goods.Lines[i].UnitPrice, l.UnitPrice)
		}
	}
	w.in.Now = w.in.Now.Add(time.Hour)
	_, effects, refusal = w.answer(quote, accept())
	if refusal != nil {
		w.Fatal(refusal)
	}
	goods := Amount(0)
	for _, l := range effects.Sale.Order.Lines {
		goods += l.Total
	}
	promised := Amount(0)
	for _, l := range quote.Goods.Lines {
		promised += l.Total
	}
	if goods != promised {
		w.Fatalf("the order's goods cost %d; the quote promised %d", goods, promised)
	}
	w.met["quote"]++
}
