package commerce

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
)

var quoteID = testID(0x90)

// ask is a request for a quote with an e-mail address.
func (s *scene) ask(edits ...func(*RequestQuote)) *RequestQuote {
	c := &RequestQuote{QuoteID: quoteID, QuoteForm: QuoteForm{Email: "buyer@example.com"}}
	for _, edit := range edits {
		edit(c)
	}
	return c
}

// A request freezes the cart's lines, discounts and totals, and converts the cart.
func TestARequestFreezesTheCart(t *testing.T) {
	s := checkoutScene(t)
	limit, days := int64(9), 5
	s.shop.Product(tile).TrackStock, s.shop.Product(tile).Returnable, s.shop.Product(tile).LeadTimeDays = true, true, &days
	s.shop.Quotes = QuoteSettings{Enabled: true, CartThreshold: price(1), AcceptanceMode: SignatureMode, ValidDays: 14}
	s.shop.Discounts = []Discount{
		{ID: testID(0xd1), Name: "Half", Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 50e9}, UsageLimit: &limit},
		{ID: testID(0xd2), Name: "Nothing", Kind: DiscountOrder, Active: true},
		{ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping, Active: true, Value: DiscountValue{Fixed: true, Amount: 95}},
	}
	s.shop.Index()
	s.do(s.add(tile, One)) // held from now on
	s.cart.Metadata = Metadata{{"gift", Scalar{Text: "true"}}}
	details := QuoteDetails{"Buyer", "Buyers Ltd", "020", "Soon, please", "RFQ 7"}
	s.do(s.ask(func(c *RequestQuote) { c.QuoteDetails = details }))
	if s.cart.Status != CartConverted || s.cart.QuoteID != quoteID || s.cart.OrderID != uuid.Nil || s.cart.Hold.Asks != nil || len(s.cart.Lines) != 1 {
		t.Errorf("the cart is %+v", s.cart)
	}
	shipping := OrderDiscount{ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping}
	want := &Quote{
		ID: quoteID, CartID: cartID, Email: "buyer@example.com", QuoteDetails: details, Metadata: s.cart.Metadata, Signed: true,
		Reasons: []string{QuoteCartThreshold},
		Goods: Goods{
			Lines:     []OrderLine{{Line: s.cart.Lines[0], Total: 1000, TaxRate: 21e9, Returnable: true, LeadTimeDays: &days}},
			Discounts: []OrderDiscount{{ID: testID(0xd1), Name: "Half", Amount: 1000}},
			Shipping:  []ShippingDiscount{{shipping, DiscountValue{Fixed: true, Amount: 95}}},
		},
		Tax: Taxation{Included: true}, CreatedAt: s.in.Now, ValidUntil: s.in.Now.Add(14 * 24 * time.Hour), Version: 1,
		History: []QuoteAct{{At: s.in.Now, Event: HistoryRequested, Version: 1, Total: 1000, Text: "Soon, please"}},
	}
	sale := s.effects.Sale
	if !reflect.DeepEqual(sale.Quote, want) {
		t.Errorf("the quote is\n%+v; want\n%+v", sale.Quote, want)
	}
	if sale.Order != nil || sale.Takes != nil || len(sale.Uses) != 2 || sale.Uses[0].Discount != testID(0xd1) || sale.Uses[1].Discount != testID(0xd3) {
		t.Errorf("the sale is %+v", sale)
	}
	totals := OrderTotals{Subtotal: 826, TaxTotal: 174, Total: 1000, DiscountTotal: 1000, Breakdown: []TaxRow{{21e9, 826, 174}}}
	if got := sale.Quote.Totals(); !reflect.DeepEqual(got, totals) {
		t.Errorf("it comes to %+v; want %+v", got, totals)
	}
	if news := s.effects.News; news.Event != EventQuoteRequested || news.Quote != sale.Quote || s.effects.Made != quoteID {
		t.Errorf("the effects are %+v", s.effects)
	}
}

// A request needs lines and an e-mail address. It does not judge the visitor, the stock, or whether
// the lines can be bought.
func TestFieldsOfAQuoteRequest(t *testing.T) {
	for _, c := range []struct {
		name  string
		given func(*scene, *RequestQuote)
		want  string
	}{
		{"a cart that requires no quote", func(*scene, *RequestQuote) {}, "sold"},
		{"an empty cart", func(s *scene, _ *RequestQuote) { s.cart.Lines = nil }, "lines: The lines field is required."},
		{"no e-mail", func(_ *scene, c *RequestQuote) { c.Email = "" }, "email: The email field is required."},
		{"the cart's e-mail", func(s *scene, c *RequestQuote) { s.cart.Email, c.Email = "cart@example.com", "" }, "sold"},
		{"the account's e-mail", func(s *scene, c *RequestQuote) { s.in.Contact, c.Email = adaBook, "" }, "sold"},
		{"faults in their order", func(s *scene, c *RequestQuote) {
			s.cart.Lines = nil
			for _, field := range []string{"reference", "message", "phone", "company_name", "name", "email"} {
				c.Faults.Add(field, saying("Wrong.")[0])
			}
		}, "lines: The lines field is required.; email: Wrong.; name: Wrong.; company_name: Wrong.; phone: Wrong.; message: Wrong.; reference: Wrong."},
		{"only customers may buy", func(s *scene, _ *RequestQuote) { s.shop.Policy.IdentityMode = "login_required" }, "sold"},
		{"a guest among businesses", func(s *scene, _ *RequestQuote) { s.shop.Policy.Audience = "b2b_only" }, "sold"},
		{"below the minimum", func(s *scene, _ *RequestQuote) { s.shop.Policy.MinOrderValue = price(1 << 40) }, "sold"},
		{"a product that is gone", func(s *scene, _ *RequestQuote) { s.cart.Lines[0].ProductID = nowhere }, "sold"},
		{"no delivery", func(s *scene, _ *RequestQuote) { s.shop.Product(tile).RequiresShipping = true }, "sold"},
	} {
		s := checkoutScene(t)
		command := s.ask()
		c.given(s, command)
		for range 2 { // a command is judged again
			if _, _, r := s.try(command); shortly(r) != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.name, shortly(r), c.want)
			}
		}
	}
}

// A valid token binds quote and cart, unless the store has no customers module.
func TestCustomerOfAQuote(t *testing.T) {
	guestRow := Binding{ID: testID(0x6e), Guest: true}
	for _, c := range []struct {
		visitor Visitor
		owner   Binding
		off     bool
		want    Binding
	}{
		{guest, Binding{}, false, Binding{}},
		{badToken, Binding{}, false, Binding{}},
		{ada, Binding{}, false, Binding{ID: ada.CustomerID}},
		{ada, guestRow, false, Binding{ID: ada.CustomerID}},
		{guest, guestRow, false, guestRow},
		{ada, Binding{}, true, Binding{}},
	} {
		s := checkoutScene(t)
		s.in.Visitor, s.cart.Customer = c.visitor, c.owner
		if c.off {
			s.shop.Modules &^= 1 << ModuleCustomers
		}
		if s.do(s.ask()); s.cart.Customer != c.want || s.effects.Sale.Quote.Customer != c.want {
			t.Errorf("%+v: cart of %v, quote of %v", c, s.cart.Customer, s.effects.Sale.Quote.Customer)
		}
	}
}

// docs/decisions.md#discounts, Usage. A discount that is used up while the request is under way is left
// out, also one on the delivery.
func TestADiscountThatEndsAtTheRequest(t *testing.T) {
	limit := int64(5)
	for _, kind := range []DiscountKind{DiscountOrder, DiscountShipping} {
		s := checkoutScene(t)
		s.shop.Discounts = []Discount{{ID: testID(0xd1), Kind: kind, Code: "C", Active: true, Value: DiscountValue{Percent: 50e9}, UsageLimit: &limit, Used: 4}}
		s.shop.Index()
		s.do(AttachCode{Code: "C"})
		command := s.ask()
		if _, effects, r := s.try(command); r != nil ||
			!slices.Equal(effects.Sale.Uses, []Use{{Discount: testID(0xd1), Limit: 5}}) {
			t.Fatalf("at first: %v", r)
		}
		s.in.Shortage = &Shortage{Used: []Use{{Discount: testID(0xd1), Limit: 5}}}
		if _, effects, r := s.try(command); r != nil || len(effects.Sale.Uses) != 0 {
			t.Errorf("kind %d: got %s, uses %v", kind, shortly(r), effects.Sale)
		}
	}
}
