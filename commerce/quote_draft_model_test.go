package commerce

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// slowDraft computes a draft by the words of docs/api/quotes.md#the-merchants-side, with fractions.
type slowDraft struct {
	*slowTax
	// trade is true for a customer of the group with prices of its own.
	trade bool
}

// price is the price of a line: the merchant's own, or the catalogue's.
func (m *slowDraft) price(l *DraftLine) Amount {
	switch {
	case l.Own:
		return l.UnitPrice
	case l.ProductID == fitting && m.trade:
		return 5000
	case l.ProductID == fitting:
		return 5900
	case l.ProductID == atlas:
		return 2450
	case l.Quantity >= 10*One:
		return 620
	}
	return 690
}

// lineRate is the rate of a line: that of its product, or of its code.
func (m *slowDraft) lineRate(l *DraftLine) Percent {
	if p := m.store.Product(l.ProductID); p != nil {
		return m.rate(p.Tax)
	}
	return m.codeRate(l.TaxCode)
}

func (m *slowDraft) codeRate(code string) Percent {
	return m.rate(&m.store.TaxRates[slices.IndexFunc(m.store.TaxRates, func(r TaxRate) bool { return r.Code == code })])
}

// lines are the totals of the lines after all discounts, off those of the lines and off the whole.
func (m *slowDraft) lines(d *QuoteDraft) (totals []Amount, off Amount, whole Amount) {
	sum := Amount(0)
	for i := range d.Lines {
		l := &d.Lines[i]
		full := halfUpOf(m.price(l), Percent(l.Quantity), Percent(One))
		cut := min(l.Discount, full)
		totals, off, sum = append(totals, full-cut), off+cut, sum+full-cut
	}
	if w := d.Discount; w != nil {
		if whole = min(w.Amount, sum); w.ByPercent {
			whole = halfUpOf(sum, w.Percent, Hundred)
		}
	}
	if whole == 0 {
		return totals, off, 0
	}
	rests, left := make([]*big.Rat, len(totals)), whole
	for i, weight := range slices.Clone(totals) {
		exact := new(big.Rat).Mul(big.NewRat(int64(whole), int64(sum)), big.NewRat(int64(weight), 1))
		share := Amount(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64())
		rests[i] = exact.Sub(exact, big.NewRat(int64(share), 1))
		totals[i], left = totals[i]-share, left-share
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rests {
			if rests[i].Cmp(rests[best]) > 0 {
				best = i
			}
		}
		totals[best]--
		rests[best] = big.NewRat(-1, 1)
	}
	return totals, off, whole
}

// text is a draft with the totals of its goods, and of its goods with the delivery.
func (m *slowDraft) text(d *QuoteDraft) string {
	totals, off, whole := m.lines(d)
	sums := map[Percent]Amount{}
	for i := range d.Lines {
		sums[m.lineRate(&d.Lines[i])] += totals[i]
	}
	goods := m.figuresText(sums)
	if d.Delivery != nil {
		sums[m.codeRate(d.Delivery.TaxCode)] += d.Delivery.Price
	}
	return fmt.Sprintf("%v, off %d, %s; %s", totals, off+whole, goods, m.figuresText(sums))
}

func (m *slowDraft) figuresText(sums map[Percent]Amount) string {
	base, tax, total, breakdown := m.figures(sums)
	return fmt.Sprintf("%d = %d + %d,%s", total, base, tax, rows(breakdown))
}

// draftText is text as the code computes it.
func draftText(t *DraftSums) string {
	var totals []Amount
	off := Amount(0)
	for i := range t.Goods.Lines {
		totals = append(totals, t.Goods.Lines[i].Total)
	}
	for _, row := range t.Goods.Discounts {
		off += row.Amount
	}
	return fmt.Sprintf("%v, off %d, %s; %s", totals, off, totalsText(&t.Totals), totalsText(&t.Order))
}

func totalsText(t *OrderTotals) string {
	return fmt.Sprintf("%d = %d + %d,%s", t.Total, t.Subtotal+t.ShippingTotal, t.TaxTotal, rows(t.Breakdown))
}

// someDraftLine is a random line of a product, or outside the catalogue.
func someDraftLine(r *rand.Rand, m *slowDraft) SentDraftLine {
	unit := Amount(r.IntN(5000))
	products := []uuid.UUID{fitting, atlas, tube, uuid.Nil}
	l := sentLine(products[r.IntN(len(products))], Quantity(1+r.IntN(20))*One, &unit, 0)
	var of DraftLine
	if of.ProductID = l.ProductID.Value; of.ProductID == uuid.Nil {
		l = outsideLine("Work", m.store.TaxRates[r.IntN(len(m.store.TaxRates))].Code, l.Quantity.Value, unit)
	} else if r.IntN(2) == 0 {
		l.UnitPrice.Value = nil
	}
	if of.ProductID == tube {
		l.Quantity.Value = Quantity(1 + r.IntN(20_000))
	}
	if of.Quantity, of.Own = l.Quantity.Value, l.UnitPrice.Value != nil; of.Own {
		of.UnitPrice = unit
	}
	if r.IntN(3) > 0 {
		l.Discount = Sent[Amount]{true, Amount(r.Int64N(int64(halfUpOf(m.price(&of), Percent(of.Quantity), Percent(One))) + 1))}
	}
	return l
}

// someTerms are the other random members of a draft.
func someTerms(r *rand.Rand, w *WriteQuote, m *slowDraft) {
	switch r.IntN(3) {
	case 0:
		w.Discount = Sent[*WholeDiscount]{true, &WholeDiscount{Amount: Amount(r.IntN(100_000))}}
	case 1:
		w.Discount = Sent[*WholeDiscount]{true, &WholeDiscount{ByPercent: true, Percent: Percent(r.Int64N(int64(Hundred) + 1))}}
	}
	if r.IntN(2) == 0 {
		code := m.store.TaxRates[r.IntN(len(m.store.TaxRates))].Code
		w.Shipping = Sent[*SentFixedDelivery]{true, &SentFixedDelivery{Name: "Van", Price: price(Amount(r.IntN(10_000))), Tax: code}}
	}
}

// Random drafts, with and without an account, in random countries, have the sums of the slow model. The same holds for the order of an
// accept, for a draft that begins as a copy of the terms, and for a new quote made from the order or from the quote.
func TestDraftsAgainstASlowModel(t *testing.T) {
	const drafts = 600
	r := dice.New(t)
	met := map[string]int{}
	for range drafts {
		d := newDesk(t)
		s := d.in.Store
		s.PricesIncludeTax = r.IntN(2) == 0
		v := someTaxes(r, s, NewCart(cartID, noon))
		s.TaxRates = nil
		for _, code := range []string{"a", "b", "c"} {
			rate := someRates(r, s)
			rate.Code = code
			s.TaxRates = append(s.TaxRates, *rate)
		}
		for _, p := range s.Products {
			p.Tax = &s.TaxRates[r.IntN(len(s.TaxRates))]
		}
		s.Products[0].Prices.Group = []GroupPrice{{tradeGroup, 5000}}
		s.Index()
		asked := ""
		if r.IntN(2) == 0 {
			asked = someCountries[r.IntN(len(someCountries))]
		}
		var customer *Contact
		if v.Known {
			customer = &Contact{ID: testID(0xada), Email: "ada@example.com", GroupID: tradeGroup, ReverseCharge: v.ReverseCharge, VATID: "DE1"}
			d.in.Customer = customer
		}
		m := &slowDraft{slowTaxOf(NewCart(cartID, noon), s, v, asked), v.Known && s.Modules.Has(ModuleCustomers)}
		d.must(d.write(func(w *WriteQuote) {
			if w.Email = (Sent[string]{true, "buyer@example.com"}); customer != nil {
				w.CustomerID = Sent[uuid.UUID]{true, customer.ID}
			}
			if asked != "" {
				w.Country = Sent[*Country]{true, country(asked)}
			}
			var lines []SentDraftLine
			for range 1 + r.IntN(6) {
				lines = append(lines, someDraftLine(r, m))
			}
			sentLines(lines...)(w)
			someTerms(r, w, m)
		}))
		want := m.text(d.quote.Draft)
		sums := d.quote.Sums(s, customer, noon)
		if got := draftText(sums); got != want {
			t.Fatalf("store %s, exports %v, reverse charge %v, tax included %v, customer %+v, country %q, draft %+v\n got %s\nwant %s", s.Country,
				s.ExportCountries, s.ReverseChargeCountries, s.PricesIncludeTax, customer, asked, d.quote.Draft, got, want)
		}
		d.must(d.offer(sums.Order.Total))
		offered := d.quote
		d.must(d.write(func(w *WriteQuote) {}))
		if got := draftText(d.quote.Sums(s, customer, noon.Add(time.Hour))); got != want {
			t.Fatalf("the copy of the terms\n got %s\nwant %s", got, want)
		}
		d.quote = offered
		order, refused := d.accept(1)
		d.must(refused)
		if got, want := totalsText(&order.Totals), totalsText(&sums.Order); got != want {
			t.Fatalf("the order\n got %s\nwant %s", got, want)
		}
		from, refused := OriginOfOrder(order)
		d.must(refused)
		for name, origin := range map[string]*QuoteOrigin{"order": from, "quote": OriginOfQuote(offered, s, customer, noon)} {
			again, _, refused := (&WriteQuote{}).Make(testID(0x99), origin, &d.in)
			d.must(refused)
			if got, want := totalsText(&again.Sums(s, customer, noon).Totals), totalsText(&sums.Totals); got != want {
				t.Fatalf("a quote of the %s\n got %s\nwant %s", name, got, want)
			}
			d.quote = again
			d.must(d.write(sentLines(d.sameLines()...)))
			if got, want := totalsText(&d.quote.Sums(s, customer, noon).Totals), totalsText(&sums.Totals); got != want {
				t.Fatalf("a quote of the %s, written with the same lines\n got %s\nwant %s", name, got, want)
			}
		}
		met["exempt "+m.exemption]++
		met[fmt.Sprint("included ", s.PricesIncludeTax)]++
		met[fmt.Sprint("delivery ", offered.Delivery != nil)]++
		met[fmt.Sprint("abroad ", m.country != s.Country.String())]++
	}
	for _, name := range []string{"exempt export", "exempt reverse_charge", "included true", "included false", "delivery true", "abroad true"} {
		if met[name] == 0 {
			t.Errorf("%v: no draft with %q", met, name)
		}
	}
}
