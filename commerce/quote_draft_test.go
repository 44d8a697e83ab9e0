package commerce

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// The products of docs/api/quotes.md's merchant.
var (
	fitting = testID(0x101) // 59.00, 21 %
	atlas   = testID(0x102) // 24.50, 9 %, tracked
	tube    = testID(0x103) // metre, 6.90, 6.20 from 10 on
)

// desk is a store whose requests for quotes wait for the merchant, with one quote.
type desk struct {
	*testing.T
	in    Input
	quote *Quote
	seeds int
}

func newDesk(t *testing.T) *desk {
	s := &Store{
		ID: testID(0x5), Modules: 1<<moduleCount - 1, PricesIncludeTax: true, Secret: [32]byte{7},
		Policy: Policy{MaxLines: 4, MaxQuantityPerLine: 100 * One, Pricing: PricingDisplay{VATDisplay: "inc"}},
		Quotes: QuoteSettings{Enabled: true, Mode: ReviewedQuotes, ValidDays: 30, AcceptanceMode: clickMode}, StockHold: time.Hour,
		TaxRates: []TaxRate{{Code: "standard", Rate: 21e9}, {Code: "reduced", Rate: 9e9}},
	}
	s.Products = []*Product{
		{ID: fitting, Name: "Fitting", Active: true, Tax: &s.TaxRates[0], Prices: Prices{Base: price(5900)}},
		{ID: atlas, Name: "Book", Active: true, Tax: &s.TaxRates[1], TrackStock: true, Prices: Prices{Base: price(2450)}},
		{ID: tube, Name: "Tube", Active: true, Unit: UnitMetre, Tax: &s.TaxRates[0], Prices: Prices{Base: price(690), Tiers: []Tier{{10 * One, 620, uuid.Nil}}}},
	}
	s.Index()
	return &desk{T: t, in: Input{Store: s, Now: noon, By: "desk"}}
}

// write makes the quote, or changes it.
func (d *desk) write(edit func(w *WriteQuote)) *Refusal {
	d.Helper()
	d.seeds++
	w := &WriteQuote{Seed: testID(0x2000 + d.seeds)}
	edit(w)
	var next *Quote
	var r *Refusal
	if d.quote == nil {
		next, _, r = w.Make(quoteID, nil, &d.in)
	} else {
		next, _, r = ChangeQuote(d.quote, w, &d.in)
	}
	if r == nil {
		d.quote = next
	}
	return r
}

func (d *desk) do(command Command[*Quote]) *Refusal {
	d.Helper()
	next, _, r := ChangeQuote(d.quote, command, &d.in)
	if r == nil {
		d.quote = next
	}
	return r
}

func (d *desk) offer(expected Amount) *Refusal { return d.do(&OfferQuote{ExpectedTotal: &expected}) }

// accept accepts a version, delivered at home.
func (d *desk) accept(version int64) (*Order, *Refusal) {
	d.Helper()
	a := &AcceptQuote{OrderID: testID(0xac), AcceptForm: AcceptForm{Version: version}}
	next, effects, r := ChangeQuote(d.quote, a, &d.in)
	if r != nil {
		return nil, r
	}
	d.quote = next
	return effects.Sale.Order, nil
}

// sums are the draft's amounts, as text.
func (d *desk) sums() string { return shownSums(d.quote.Sums(d.in.Store, nil, d.in.Now)) }

func shownSums(t *DraftSums) string {
	var lines []string
	for i := range t.Goods.Lines {
		lines = append(lines, fmt.Sprint(t.Goods.Lines[i].Total))
	}
	return strings.Join(lines, " ") + " | " + shownTotals(&t.Totals) + " | " + fmt.Sprint(t.Order.Total)
}

func shownTotals(t *OrderTotals) string {
	var rows []string
	for _, row := range t.Breakdown {
		rows = append(rows, fmt.Sprintf("%d+%d", row.Base, row.Tax))
	}
	return strings.Join(rows, " ") + " = " + fmt.Sprint(t.Total)
}

func (d *desk) want(got, want string) {
	d.Helper()
	if got != want {
		d.Errorf("got %s\nwant %s", got, want)
	}
}

func (d *desk) wantRefusal(got *Refusal, want *Refusal) {
	d.Helper()
	if got == nil || got.Message != want.Message || got.Code != want.Code {
		d.Errorf("got %v, want %v", got, want)
	}
}

func (d *desk) must(r *Refusal) {
	d.Helper()
	if r != nil {
		d.Fatalf("refused: %v %v", r, r.Fields)
	}
}

func sentLines(lines ...SentDraftLine) func(w *WriteQuote) {
	return func(w *WriteQuote) { w.Lines = Sent[[]SentDraftLine]{true, lines} }
}

func sentLine(product uuid.UUID, quantity Quantity, unitPrice *Amount, discount Amount) SentDraftLine {
	return SentDraftLine{
		ProductID: Sent[uuid.UUID]{true, product}, Quantity: Sent[Quantity]{true, quantity},
		UnitPrice: Sent[*Amount]{true, unitPrice}, Discount: Sent[Amount]{true, discount},
	}
}

func outsideLine(name, tax string, quantity Quantity, unitPrice Amount) SentDraftLine {
	l := sentLine(uuid.Nil, quantity, &unitPrice, 0)
	l.Name, l.Tax = Sent[string]{true, name}, Sent[string]{true, tax}
	return l
}

// sameLines are the draft's lines as they are, for a list that adds or changes some.
func (d *desk) sameLines() (all []SentDraftLine) {
	for i := range d.quote.Draft.Lines {
		all = append(all, SentDraftLine{ID: d.quote.Draft.Lines[i].ID})
	}
	return all
}

// Examples 1 to 6: a request, the merchant's draft, two offers, an accept.
func TestQuoteOfARequest(t *testing.T) {
	d := newDesk(t)
	cart := NewCart(cartID, noon)
	cart.Lines = []Line{{ID: testID(0x11), ProductID: fitting, Name: "Fitting", Quantity: 90 * One, UnitPrice: 5900}}
	sold, effects, r := ChangeCart(cart, &RequestQuote{QuoteID: quoteID, QuoteForm: QuoteForm{Email: "buyer@example.com"}}, &d.in)
	if d.must(r); sold.Status != CartConverted || sold.QuoteID != quoteID {
		t.Errorf("the cart is %v with quote %v", sold.Status, sold.QuoteID)
	}
	d.quote = effects.Sale.Quote
	totals := d.quote.Totals()
	d.want(shownTotals(&totals), "438843+92157 = 531000")
	if q := d.quote; q.Status(noon) != QuoteIsDraft || q.Number != 0 || !q.ValidUntil.IsZero() || q.Version != 0 {
		t.Errorf("the request is %+v", q)
	}
	line := SentDraftLine{ID: d.quote.Draft.Lines[0].ID, UnitPrice: Sent[*Amount]{true, price(5500)}}
	d.must(d.write(func(w *WriteQuote) {
		sentLines(line)(w)
		w.Discount = Sent[*WholeDiscount]{true, &WholeDiscount{Name: "Project", ByPercent: true, Percent: 2_500_000_000}}
	}))
	d.want(d.sums(), "482625 | 398864+83761 = 482625 | 482625")
	totals = d.quote.Totals()
	d.want(shownTotals(&totals), "438843+92157 = 531000")
	d.must(d.write(sentLines(append(d.sameLines(), outsideLine("Measuring on site", "reduced", One, 7500))...)))
	d.want(d.sums(), "482625 7312 | 398864+83761 6708+604 = 489937 | 489937")
	sums := d.quote.Sums(d.in.Store, nil, noon)
	d.want(fmt.Sprint(sums.Goods.Discounts[0].Name, sums.Goods.Discounts[0].Amount), "Project12563")
	d.must(d.write(func(w *WriteQuote) {
		w.Shipping = Sent[*SentFixedDelivery]{true, &SentFixedDelivery{Name: "Van", Price: price(4900), Tax: "standard"}}
	}))
	d.want(fmt.Sprint(d.quote.Sums(d.in.Store, nil, noon).Order.Total), "494837")
	refused := d.offer(489937)
	if d.wantRefusal(refused, TotalChanged); refused.CurrentTotal == nil || *refused.CurrentTotal != 494837 {
		t.Errorf("current total %v", refused.CurrentTotal)
	}
	d.must(d.offer(494837))
	if q := d.quote; q.Version != 1 || q.Draft != nil || q.Status(noon) != QuoteOffered || !q.ValidUntil.Equal(noon.Add(30*24*time.Hour)) {
		t.Errorf("the offer is %+v", q)
	}
	first := *d.quote
	d.must(d.offer(494837))
	if d.quote.Version != 1 || len(d.quote.History) != len(first.History) {
		t.Error("an offer without a draft is a version")
	}
	order, r := d.accept(0)
	d.must(r)
	d.want(fmt.Sprint(order.Totals.Subtotal, order.Totals.ShippingTotal, order.Totals.TaxTotal, order.Totals.Total), "405572 4049 85216 494837")
	d.want(shownTotals(&order.Totals), "402913+84612 6708+604 = 494837")
	if order.Shipping.ID != quoteID || order.Shipping.Name != "Van" || order.Lines[1].ProductID != uuid.Nil {
		t.Errorf("the order is %+v", order)
	}
	d.quote = &first
	d.must(d.write(func(w *WriteQuote) {
		w.Discount = Sent[*WholeDiscount]{true, &WholeDiscount{ByPercent: true, Percent: 5_000_000_000}}
	}))
	d.want(fmt.Sprint(d.quote.shownTotal()), "494837")
	d.must(d.offer(482275))
	d.want(shownTotals(&d.quote.order().Totals), "392686+82464 6537+588 = 482275")
	for _, version := range []int64{0, 1, 3} {
		_, refused := d.accept(version)
		if d.wantRefusal(refused, QuoteChanged); refused.CurrentVersion != 2 {
			t.Errorf("accept of %d: current version %d", version, refused.CurrentVersion)
		}
	}
	order, r = d.accept(2)
	d.must(r)
	d.want(fmt.Sprint(order.Totals.Total), "482275")
}

// order is an order of the quote's terms.
func (q *Quote) order() *Order {
	o := &Order{}
	o.fill(&q.Goods, q.Delivery.at(q.ID, q.Delivery.Rate), q.Tax)
	return o
}

// Examples 8 to 13: amounts of drafts of nothing.
func TestDraftSums(t *testing.T) {
	whole := func(amount Amount) func(w *WriteQuote) {
		return func(w *WriteQuote) { w.Discount = Sent[*WholeDiscount]{true, &WholeDiscount{Amount: amount}} }
	}
	ten := outsideLine("Ten", "standard", One, 1000)
	noTax := func(s *Store) { s.PricesIncludeTax = false }
	for _, c := range []struct {
		name  string
		given func(*Store)
		edits []func(w *WriteQuote)
		want  string
	}{
		{"8: a line's discount", nil, []func(w *WriteQuote){sentLines(sentLine(fitting, 3*One, price(1999), 500))}, "5497 | 4543+954 = 5497 | 5497"},
		{"9: more off the whole than there is", nil,
			[]func(w *WriteQuote){sentLines(sentLine(fitting, 3*One, price(1999), 500)), whole(10000)}, "0 | 0+0 = 0 | 0"},
		{"10: shares of the whole", nil, []func(w *WriteQuote){sentLines(ten, ten, ten), whole(100)}, "966 967 967 | 2397+503 = 2900 | 2900"},
		{"11: prices without tax", noTax, []func(w *WriteQuote){
			sentLines(sentLine(tube, 2500, price(1235), 0)),
			func(w *WriteQuote) {
				w.Shipping = Sent[*SentFixedDelivery]{true, &SentFixedDelivery{Name: "Van", Price: price(500), Tax: "standard"}}
			},
		}, "3088 | 3088+648 = 3736 | 4341"},
		{"12: the catalogue's price", nil, []func(w *WriteQuote){sentLines(sentLine(tube, 9*One, nil, 0))}, "6210 | 5132+1078 = 6210 | 6210"},
		{"12: the catalogue's tier", nil, []func(w *WriteQuote){sentLines(sentLine(tube, 10*One, nil, 0))}, "6200 | 5124+1076 = 6200 | 6200"},
		{"12: a price of its own at any quantity", nil, []func(w *WriteQuote){sentLines(sentLine(tube, 9*One, price(650), 0))}, "5850 | 4835+1015 = 5850 | 5850"},
		{"an empty draft", nil, []func(w *WriteQuote){sentLines()}, " |  = 0 | 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			if c.given != nil {
				c.given(d.in.Store)
			}
			for _, edit := range c.edits {
				d.must(d.write(edit))
			}
			d.want(d.sums(), c.want)
		})
	}
}

// Example 12: a new quantity keeps a price of its own, until it is null again. Example 8: a discount of more than the line.
func TestDraftLinesKeepWhatIsNotSent(t *testing.T) {
	d := newDesk(t)
	d.must(d.write(sentLines(sentLine(tube, 10*One, price(650), 0))))
	again := func(edit func(l *SentDraftLine)) string {
		l := d.sameLines()[0]
		edit(&l)
		d.must(d.write(sentLines(l)))
		sums, _, _ := strings.Cut(d.sums(), " ")
		return sums
	}
	d.want(again(func(l *SentDraftLine) {}), "6500")
	d.want(again(func(l *SentDraftLine) { l.Quantity = Sent[Quantity]{true, 9 * One} }), "5850")
	d.want(again(func(l *SentDraftLine) { l.UnitPrice = Sent[*Amount]{Sent: true} }), "6210")
	refused := d.write(sentLines(sentLine(fitting, 3*One, price(1999), 5998)))
	d.want(refused.Error(), "The lines.0.discount_amount field must not be greater than 5997.")
	l := sentLine(fitting, One, nil, 0)
	l.Quantity.Sent = false
	d.want(d.write(sentLines(SentDraftLine{}, l)).Error(), "The lines.0.quantity field is required.")
}

// Example 13: a quote of an order has one row for its discounts.
func TestQuoteOfAnOrder(t *testing.T) {
	d := newDesk(t)
	d.in.Store.Discounts = []Discount{{ID: testID(0xd1), Name: "Friends", Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 15e9}}}
	d.in.Store.Index()
	cart := NewCart(cartID, noon)
	cart.Lines = []Line{{ID: testID(0x11), ProductID: atlas, Name: "Book", Quantity: 2 * One, UnitPrice: 2450}}
	_, effects, r := ChangeCart(cart, &Checkout{OrderID: testID(0xac), CheckoutForm: CheckoutForm{Email: "buyer@example.com"}}, &d.in)
	d.must(r)
	d.want(fmt.Sprint(effects.Sale.Order.Totals.Total), "4165")
	from, r := OriginOfOrder(effects.Sale.Order)
	d.must(r)
	d.quote, _, r = (&WriteQuote{}).Make(quoteID, from, &d.in)
	d.must(r)
	d.want(d.sums(), "4165 | 3821+344 = 4165 | 4165")
	sums := d.quote.Sums(d.in.Store, nil, noon)
	d.want(fmt.Sprint(sums.Goods.Discounts), fmt.Sprint([]OrderDiscount{{ID: quoteID, Name: "Discount", Kind: DiscountProducts, Amount: 735}}))
	d.want(fmt.Sprint(d.quote.Draft.Lines[0].UnitPrice, d.quote.Draft.Lines[0].Discount, d.quote.Email), "2450 735buyer@example.com")
	_, r = OriginOfOrder(&Order{ArchivedAt: noon})
	d.wantRefusal(r, OrderIsArchived)
}

// A line outside the catalogue keeps its code in a quote of an order and of a quote: it can be kept, and is taxed by country.
func TestCopiedLineOutsideTheCatalogueHasItsCode(t *testing.T) {
	d := newDesk(t)
	s := d.in.Store
	s.Country, s.TaxRates[0].Countries = *country("NL"), map[Country]Percent{*country("DE"): 19e9}
	s.TaxRates = append(s.TaxRates, TaxRate{Code: "other", Rate: 21e9})
	s.Index()
	d.must(d.write(func(w *WriteQuote) {
		w.Email, w.Country = Sent[string]{true, "buyer@example.com"}, Sent[*Country]{true, country("DE")}
		sentLines(outsideLine("Work", "standard", One, 11900), outsideLine("Travel", "other", One, 12100))(w)
	}))
	const want = "11900 12100 | 10000+2100 10000+1900 = 24000 | 24000"
	d.want(d.sums(), want)
	d.must(d.offer(24000))
	offered := d.quote
	order, r := d.accept(1)
	d.must(r)
	from, r := OriginOfOrder(order)
	d.must(r)
	for _, origin := range []*QuoteOrigin{from, OriginOfQuote(offered, s, nil, noon)} {
		d.quote, _, r = (&WriteQuote{}).Make(testID(0x99), origin, &d.in)
		d.must(r)
		d.want(d.sums(), want)
		d.must(d.write(sentLines(d.sameLines()...)))
		d.want(d.sums(), want)
		d.want(d.quote.Draft.Lines[0].TaxCode+" "+d.quote.Draft.Lines[1].TaxCode, "standard other")
	}
}

// Example 17: a product that has left.
func TestDraftOfAProductThatHasLeft(t *testing.T) {
	d := newDesk(t)
	d.must(d.write(func(w *WriteQuote) {
		w.Email, w.HoldStock = Sent[string]{true, "buyer@example.com"}, Sent[*bool]{true, new(true)}
		sentLines(sentLine(atlas, One, nil, 0))(w)
	}))
	d.in.Store.Products = d.in.Store.Products[:1]
	d.in.Store.Index()
	sums := d.quote.Sums(d.in.Store, nil, noon)
	d.want(fmt.Sprint(sums.Missing, sums.Goods.Lines[0].Name, sums.Totals.Total), "[lines.0.unit_price_amount]Book0")
	d.want(d.do(&OfferQuote{}).Error(), "The lines.0.unit_price_amount field is required.")
	l := d.sameLines()[0]
	l.UnitPrice = Sent[*Amount]{true, price(1000)}
	d.must(d.write(sentLines(l)))
	d.want(d.sums(), "1000 | 917+83 = 1000 | 1000")
	d.must(d.offer(1000))
	order, r := d.accept(1)
	d.must(r)
	if len(order.Takes) > 0 || d.quote.Held != nil {
		t.Errorf("takes %v, held %v", order.Takes, d.quote.Held)
	}
}

// The refusals of an offer, in their order, and those of the other commands by status.
func TestRefusalsOfTheMerchantsCommands(t *testing.T) {
	d := newDesk(t)
	d.must(d.write(func(w *WriteQuote) {}))
	d.want(fmt.Sprint(d.quote.Sums(d.in.Store, nil, noon).Missing), "[lines email]")
	d.wantRefusal(d.do(&OfferQuote{}), FaultOf("lines", MsgRequired("lines")))
	d.wantRefusal(d.do(WithdrawQuote{}), QuoteNotOffered)
	d.must(d.write(func(w *WriteQuote) {
		sentLines(sentLine(atlas, 10*One, nil, 0))(w)
		w.ValidUntil = Sent[time.Time]{true, noon.Add(60 * 24 * time.Hour)}
		w.HoldStock = Sent[*bool]{true, new(true)}
	}))
	d.wantRefusal(d.do(&OfferQuote{}), FaultOf("email", MsgRequired("email")))
	d.must(d.write(func(w *WriteQuote) { w.Email = Sent[string]{true, "buyer@example.com"} }))
	d.in.Store.PricesIncludeTax = false
	d.wantRefusal(d.do(&OfferQuote{}), PriceBasisChanged)
	d.in.Store.PricesIncludeTax = true
	d.in.Shortage = &Shortage{Stock: []StockAsk{{Item: atlas, Quantity: 10e6, Granted: 8e6}}}
	refused := d.do(&OfferQuote{})
	d.wantRefusal(refused, OutOfStock)
	d.want(fmt.Sprint(refused.OutOfStock[0].Requested, refused.OutOfStock[0].Available), "10 8")
	d.in.Shortage = nil
	d.must(d.do(&OfferQuote{}))
	if q := d.quote; !q.HoldUntil.Equal(noon.Add(MaxQuoteHold)) || len(q.Held) != 1 || !q.ValidUntil.Equal(noon.Add(60*24*time.Hour)) {
		t.Errorf("held %v until %v", q.Held, q.HoldUntil)
	}
	d.in.Customer = &Contact{ID: testID(0xada), Guest: true}
	d.wantRefusal(d.write(func(w *WriteQuote) { w.CustomerID = Sent[uuid.UUID]{true, testID(0xada)} }), FaultOf("customer_id", MsgIn("customer_id")))
	d.in.Customer = &Contact{ID: testID(0xada), Email: "ada@example.com"}
	d.wantRefusal(d.write(func(w *WriteQuote) { w.CustomerID = Sent[uuid.UUID]{true, testID(0xada)} }), QuoteIsOffered)
	d.must(d.do(AskForChange{"Cheaper, please."}))
	d.must(d.do(AskForChange{"Much cheaper."}))
	d.want(d.quote.ChangeMessage, "Much cheaper.")
	d.must(d.do(WithdrawQuote{"Sold out"}))
	d.must(d.do(WithdrawQuote{"Again"}))
	if q := d.quote; q.Held != nil || q.WithdrawReason != "Sold out" || !q.ChangeAt.IsZero() || q.Status(noon) != QuoteWithdrawn {
		t.Errorf("withdrawn: %+v", q)
	}
	d.wantRefusal(d.do(&OfferQuote{}), QuoteDraftMissing)
	d.must(d.write(func(w *WriteQuote) {}))
	d.must(d.offer(24500))
	if d.quote.Version != 2 || d.quote.Status(noon) != QuoteOffered {
		t.Errorf("offered again: %+v", d.quote)
	}
	d.must(d.do(DropDraft{}))
	own := &Quote{ID: quoteID, Draft: &QuoteDraft{}}
	gone, _, _ := ChangeQuote(own, DropDraft{}, &d.in)
	_, _, r := ChangeQuote(&Quote{ID: quoteID, CartID: cartID, Draft: &QuoteDraft{}}, DropDraft{}, &d.in)
	if d.wantRefusal(r, QuoteIsRequested); !gone.Gone {
		t.Error("the merchant's own draft stays")
	}
}

// A draft that needs the account of its customer says so.
func TestDraftAsksForItsCustomer(t *testing.T) {
	d := newDesk(t)
	w := &WriteQuote{QuoteWrite: QuoteWrite{CustomerID: Sent[uuid.UUID]{true, testID(0xada)}}}
	if made, effects, r := w.Make(quoteID, nil, &d.in); made != nil || r != nil || effects.Unread != testID(0xada) {
		t.Errorf("made %v, unread %v, %v", made, effects.Unread, r)
	}
	d.in.Customer = &Contact{ID: testID(0xada), Guest: true}
	_, _, r := w.Make(quoteID, nil, &d.in)
	d.wantRefusal(r, FaultOf("customer_id", MsgIn("customer_id")))
	d.in.Customer = &Contact{ID: testID(0xada), Email: "ada@example.com", GroupID: tradeGroup}
	d.in.Store.Products[0].Prices.Group = []GroupPrice{{tradeGroup, 5000}}
	sentLines(sentLine(fitting, One, nil, 0))(w)
	made, _, r := w.Make(quoteID, nil, &d.in)
	d.must(r)
	d.quote = made
	d.must(d.offer(5000))
	d.want(d.quote.Email, "ada@example.com")
}

// A draft that begins with more than half a MiB, as a copy of a large cart does, may only become smaller.
func TestLargeDraftMayOnlyBecomeSmaller(t *testing.T) {
	d := newDesk(t)
	d.must(d.write(sentLines(sentLine(fitting, One, price(100), 0))))
	wide := d.quote.Draft.Lines[0]
	wide.Name = strings.Repeat("x", 4000)
	large := make([]DraftLine, 150)
	for i := range large {
		large[i] = wide
		large[i].ID = testID(0x3000 + i)
	}
	d.quote.Draft.Lines = large
	kept := func(n int, more ...SentDraftLine) func(w *WriteQuote) {
		all := make([]SentDraftLine, n, n+len(more))
		for i := range all {
			all[i].ID = d.quote.Draft.Lines[i].ID
		}
		return sentLines(append(all, more...)...)
	}
	d.wantRefusal(d.write(kept(150, sentLine(fitting, One, nil, 0))), CartTooLarge)
	d.must(d.write(kept(150)))
	d.must(d.write(kept(149, sentLine(fitting, One, nil, 0))))
	d.must(d.write(func(w *WriteQuote) { w.Email = Sent[string]{true, "a@b.co"} }))
	d.must(d.do(&OfferQuote{}))
	if d.quote.Source.size() <= maxDraftBytes {
		t.Errorf("the terms have %d bytes only", d.quote.Source.size())
	}
	d.must(d.write(func(*WriteQuote) {}))
	d.wantRefusal(d.write(kept(150, sentLine(fitting, One, nil, 0))), CartTooLarge)
	d.must(d.write(kept(0)))
}
