package httpserver

import (
	"math/rand/v2"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

func appendCartNew(dst []byte, v answers.CartView) []byte {
	dst = answers.Cart.Append(append(dst, `{"data":`...), v)
	return append(dst, '}')
}

func TestSameCart(t *testing.T) {
	for seed := range uint64(10000) {
		d := dice{rand.New(rand.NewPCG(seed, 1))}
		c, s := d.cart(), d.store()
		e := d.evaluation(c)
		if got, want := string(appendCartNew(nil, answers.CartView{c, s, e})), string(appendCart(nil, c, s, e)); got != want {
			t.Fatalf("seed %d:\n differs at %s | %s", seed, firstDiff(string(got), string(want)), "")
		}
	}
}

func BenchmarkOldCart(b *testing.B) { benchOld(b, 3) }
func BenchmarkNewCart(b *testing.B) { benchNew(b, 3) }
func BenchmarkOldCart1(b *testing.B) { benchOld(b, 1) }
func BenchmarkNewCart1(b *testing.B) { benchNew(b, 1) }

func benchOld(b *testing.B, n int) {
	c, s, e := threeLines()
	c.Lines = c.Lines[:n]
	buffer := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		buffer = appendCart(buffer[:0], c, s, e)
	}
}

func benchNew(b *testing.B, n int) {
	c, s, e := threeLines()
	c.Lines = c.Lines[:n]
	buffer := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		buffer = appendCartNew(buffer[:0], answers.CartView{c, s, e})
	}
}

func TestSameDetails(t *testing.T) {
	c, s, e := detailedCart()
	c.Lines[3].ProductID = testNil
	v := commerce.Visitor{}
	old := appendCart(nil, c, s, e)
	old = appendDetails(old[:len(old)-1], c, s, &v, e)
	if got := answers.CartAnswer.Append(nil, answers.CartAnswerView{answers.CartView{c, s, e}, &v}); string(got) != string(old) {
		t.Fatalf("\n got %s\nwant %s", got, old)
	}
}

var testNil [16]byte

func BenchmarkOldDetails(b *testing.B) {
	c, s, e := detailedCart()
	buffer, visitor := make([]byte, 0, 1<<17), commerce.Visitor{}
	b.ReportAllocs()
	for b.Loop() {
		buffer = appendDetails(buffer[:0], c, s, &visitor, e)
	}
}
func BenchmarkNewDetails(b *testing.B) {
	c, s, e := detailedCart()
	buffer, visitor := make([]byte, 0, 1<<17), commerce.Visitor{}
	b.ReportAllocs()
	for b.Loop() {
		buffer = answers.CartDetails.Append(buffer[:0], answers.CartAnswerView{answers.CartView{c, s, e}, &visitor})
	}
}

func TestSameOrders(t *testing.T) {
	for seed := range uint64(10000) {
		d := dice{rand.New(rand.NewPCG(seed, 2))}
		o := d.order()
		same := func(got, want []byte) {
			if string(got) != string(want) {
				t.Fatalf("seed %d:\n differs at %s | %s", seed, firstDiff(string(got), string(want)), "")
			}
		}
		same(answers.Order.Append(nil, o), AppendOrder(nil, o))
		same(answers.StoreOrder.Append(nil, o), AppendStoreOrder(nil, o, true))
		same(answers.OrderNews.Append(nil, o), AppendStoreOrder(nil, o, false))
		row := engine.OrderRow{Order: o, LinesCount: d.IntN(10)}
		same(answers.OrderRow.Append(nil, row), appendOrderRow(nil, row))
		q := &commerce.Quote{ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), Customer: o.Customer, CreatedAt: o.PlacedAt, ValidUntil: o.PlacedAt, AcceptedAt: o.CancelledAt, DeclinedAt: o.Payment.PaidAt}
		q.Email, q.Name, q.CompanyName, q.Phone, q.Message, q.Reference = d.text(), d.text(), d.text(), d.text(), d.text(), d.text()
		q.Metadata, q.Reasons, q.SignerName, q.DeclineReason, q.OrderID = o.Metadata, d.texts(), d.text(), d.text(), d.id()
		q.Goods.Lines, q.Goods.Discounts = o.Lines, o.Discounts
		same(answers.Quote.Append(nil, answers.QuoteAt(q, testNow)), AppendQuote(nil, q, testNow))
		v := answers.QuoteAt(q, testNow)
		v.Token = "abc"
		same(answers.Quote.Append(nil, v), appendQuote(nil, q, testNow, "abc"))
		qr := engine.QuoteRow{Quote: q, Totals: o.Totals, LinesCount: 3}
		same(answers.QuoteRow.Append(nil, answers.QuoteRowAt(&qr, testNow)), appendQuoteRow(nil, &qr, testNow))
		c := &commerce.Contact{ID: d.id(), Email: d.text(), FirstName: d.text(), LastName: d.text(), Phone: d.text(), CompanyName: d.text(), RegistrationNumber: d.text(), VATID: d.text(), ExternalID: d.text(), CreatedAt: o.PlacedAt}
		if o.BillingAddress != nil {
			c.Addresses = append(c.Addresses, *o.BillingAddress, *o.BillingAddress)
			c.Addresses[1].IsDefault = true
		}
		s := d.store()
		if d.bool() {
			s.Groups = append(s.Groups, commerce.CustomerGroup{ID: d.id(), Name: d.text()})
			c.GroupID = s.Groups[len(s.Groups)-1].ID
		}
		same(answers.Profile.Append(nil, answers.ProfileView{c, s}), AppendProfile(nil, c, s))
		same(answers.AddressesAnswer.Append(nil, c), appendAddresses(nil, c))
		key := &commerce.APIKey{Name: d.text(), Scopes: 3}
		same(answers.Me.Append(nil, answers.MeView{s, key}), appendMe(nil, s, key))
		q2 := commerce.ConfigurationQuote{RequiresQuote: d.bool()}
		q2.UnitPrice, q2.Snapshot = d.amount(), d.configuration()
		same(answers.ConfigurationQuote.Append(nil, &q2), appendConfigurationQuote(nil, &q2))
		m := commerce.DeliveryOption{ShippingMethod: &commerce.ShippingMethod{ID: d.id(), Name: d.text(), Description: d.text(), Metadata: o.Metadata, Tax: 5}, Cost: d.amount(), OrderTotal: d.amount()}
		same(answers.ShippingMethod.Append(nil, &m), appendDeliveryOption(nil, &m))
	}
}

func TestSameExplanations(t *testing.T) {
	for seed := range uint64(10000) {
		d := dice{rand.New(rand.NewPCG(seed, 2))}
		c, s := discountedCart(1 + d.IntN(5))
		for i := range c.Lines {
			c.Lines[i].UnitPrice = d.amount()/1e6
			if d.bool() {
				c.Lines[i].Configuration = d.configuration()
			}
		}
		code := d.text()
		if d.bool() {
			c.DiscountCode = &code
		}
		x := commerce.Explain(c, s, commerce.Visitor{}, testNow, nil)
		checks := []commerce.CheckoutCheck{{Message: d.text(), Code: d.text(), LineID: d.id()}, {Message: d.text(), Short: &commerce.StockShort{ProductID: [16]byte{1}, VariantID: d.id(), Requested: 3, Available: 4}}}
		want := appendChecks(appendExplanation(nil, x), checks)
		if got := answers.Explanation.Append(nil, answers.ExplanationView{x, checks}); string(got) != string(want) {
			t.Fatalf("seed %d:\n differs at %s | %s", seed, firstDiff(string(got), string(want)), "")
		}
	}
}

func firstDiff(a, b string) string {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return a[max(0, i-80):min(len(a), i+80)] + " WANT " + b[max(0, i-80):min(len(b), i+80)]
		}
	}
	return "prefix"
}
