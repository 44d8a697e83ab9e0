package commerce

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

var (
	parcel  = testID(0x52)
	orderID = testID(0x0d)
	adaBook = &Contact{ID: ada.CustomerID, Email: "ada@example.com",
		Addresses: []Address{{ID: testID(0xa1), Type: "billing", IsDefault: true, Name: "Ada", Country: "NL"}}}
)

func grams(m Milligrams) *Milligrams { return &m }

// checkoutScene is a cart with one tile, in a store with a shipping method.
func checkoutScene(t *testing.T) *scene {
	s := newScene(t)
	s.shop.ShippingMethods = []ShippingMethod{{ID: parcel, Name: "Parcel", Price: 695, Tax: taxed(21e9)}}
	s.do(s.add(tile, One))
	return s
}

// order is a checkout with all possible fields.
func (s *scene) order(edits ...func(*Checkout)) *Checkout {
	c := &Checkout{OrderID: orderID, CheckoutForm: CheckoutForm{
		Email: "buyer@example.com", CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
			Method: AskedID{Sent: true, ID: parcel}, Shipping: AskedAddress{Sent: true, Address: Address{Name: "Buyer"}},
		}},
	}}
	for _, edit := range edits {
		edit(c)
	}
	return c
}

// code is the short form of a refusal: its code, or its fields.
func shortly(r *Refusal) string {
	if r == nil {
		return "sold"
	}
	if r.Code != "" {
		return r.Code
	}
	var fields []string
	for _, f := range r.Fields {
		fields = append(fields, f.Field+": "+strings.Join(f.Texts(), " "))
	}
	return strings.Join(fields, "; ")
}

// checkoutFaults has every rule of a checkout besides the fields, in the order of judgement.
var checkoutFaults = []struct {
	name, want string
	// apart names a rule that cannot be broken together with this one.
	apart string
	raise func(*scene, *Checkout)
}{
	{"a field", "lines: The lines field is required.", "a line", func(s *scene, _ *Checkout) { s.cart.Lines = nil }},
	{"a line", "CAPABILITY_INACTIVE", "", func(s *scene, _ *Checkout) {
		s.shop.Modules &^= 1 << ModuleConfigurator
		s.cart.Lines = append(s.cart.Lines, Line{ID: testID(0x77), ProductID: blind, Quantity: One, Configuration: &Configuration{Choices: []string{"linen"}}})
	}},
	{"login", "login_required", "guests only", func(s *scene, _ *Checkout) { s.shop.Policy.IdentityMode = "login_required" }},
	{"guests only", "guest_only", "login", func(s *scene, _ *Checkout) { s.shop.Policy.IdentityMode, s.in.Visitor = "guest_only", ada }},
	{"approval", "b2b_approval_required", "login", func(s *scene, _ *Checkout) { s.in.Visitor = Visitor{Known: true, CustomerID: testID(0x1de), B2B: true} }},
	{"consumers only", "b2c_only", "login", func(s *scene, _ *Checkout) {
		s.shop.Policy.Audience = "b2c_only"
		s.in.Visitor.Known, s.in.Visitor.B2B, s.in.Visitor.Approved = true, true, s.in.Visitor.Approved || !s.in.Visitor.B2B
	}},
	{"minimum", "min_order_value", "", func(s *scene, _ *Checkout) { s.shop.Policy.MinOrderValue = price(1 << 40) }},
	{"quote", "QUOTE_REQUIRED", "", func(s *scene, _ *Checkout) { s.shop.Quotes = QuoteSettings{Enabled: true, CartThreshold: price(0)} }},
	{"expected total", "CART_CHANGED", "", func(_ *scene, c *Checkout) { c.ExpectedTotal = price(1) }},
	{"stock", "OUT_OF_STOCK", "", func(s *scene, _ *Checkout) {
		s.shop.Product(tile).TrackStock = true
		s.shop.Index()
		s.in.Shortage = &Shortage{Stock: []StockAsk{{Item: tile, Quantity: One.Micros(), Granted: 250_000}}}
	}},
}

// If a checkout breaks two rules, the earlier one answers.
func TestTheFirstRuleOfACheckoutAnswers(t *testing.T) {
	for i, first := range checkoutFaults {
		for _, second := range checkoutFaults[i:] {
			if first.apart == second.name || second.apart == first.name {
				continue
			}
			s := checkoutScene(t)
			command := s.order()
			second.raise(s, command)
			if first.name != second.name {
				first.raise(s, command)
			}
			if _, _, r := s.try(command); shortly(r) != first.want {
				t.Errorf("%s and %s: got %s; want %s", first.name, second.name, shortly(r), first.want)
			}
		}
	}
}

// The right to buy, by token and store: docs/api/checkout.md#what-a-checkout-decides.
func TestVisitorsThatMayCheckOut(t *testing.T) {
	waiting := Visitor{Known: true, CustomerID: trade.CustomerID, B2B: true}
	for _, c := range []struct {
		identity, audience string
		visitor            Visitor
		owner              uuid.UUID
		customersOff       bool
		want               string
	}{
		{"guest_allowed", "both", guest, uuid.Nil, false, "sold"},
		{"guest_allowed", "both", badToken, uuid.Nil, false, "sold"},
		{"guest_allowed", "both", ada, uuid.Nil, false, "sold"},
		{"guest_allowed", "both", trade, uuid.Nil, false, "sold"},
		{"guest_allowed", "both", waiting, uuid.Nil, false, "b2b_approval_required"},
		{"login_required", "both", guest, uuid.Nil, false, "login_required"},
		{"login_required", "both", ada, uuid.Nil, false, "sold"},
		{"login_required", "both", ada, uuid.Nil, true, "login_required"},
		{"guest_only", "both", guest, uuid.Nil, false, "sold"},
		{"guest_only", "both", ada, uuid.Nil, false, "guest_only"},
		{"guest_only", "both", ada, uuid.Nil, true, "sold"},
		{"guest_only", "both", guest, ada.CustomerID, false, "guest_only"},
		{"guest_only", "b2b_only", guest, uuid.Nil, false, "login_required"},
		{"guest_allowed", "b2b_only", guest, uuid.Nil, false, "login_required"},
		{"guest_allowed", "b2b_only", ada, uuid.Nil, false, "b2b_only"},
		{"guest_allowed", "b2b_only", trade, uuid.Nil, false, "sold"},
		{"guest_allowed", "b2b_only", waiting, uuid.Nil, false, "b2b_approval_required"},
		{"guest_allowed", "b2c_only", guest, uuid.Nil, false, "sold"},
		{"guest_allowed", "b2c_only", ada, uuid.Nil, false, "sold"},
		{"guest_allowed", "b2c_only", trade, uuid.Nil, false, "b2c_only"},
		{"guest_allowed", "b2c_only", waiting, uuid.Nil, false, "b2b_approval_required"},
	} {
		s := checkoutScene(t)
		s.shop.Policy.IdentityMode, s.shop.Policy.Audience, s.in.Visitor = c.identity, c.audience, c.visitor
		s.cart.Customer.ID = c.owner
		if c.customersOff {
			s.shop.Modules &^= 1 << ModuleCustomers
		}
		next, effects, r := s.try(s.order())
		if shortly(r) != c.want {
			t.Errorf("%+v: got %s", c, shortly(r))
		}
		if r != nil {
			continue
		}
		bound := Binding{}
		if c.visitor.Known && !c.customersOff {
			bound.ID = c.visitor.CustomerID
		}
		if next.Customer != bound || effects.Sale.Order.Customer != bound {
			t.Errorf("%+v: cart of %v, order of %v; want %v", c, next.Customer, effects.Sale.Order.Customer, bound)
		}
	}
}

// One entry for each line that cannot be bought, with the text and code of a line add.
func TestLinesThatAreNotAvailable(t *testing.T) {
	configured := &Configuration{Choices: []string{"linen"}}
	for _, c := range []struct {
		name, field, message, code string
		line                       Line
		given                      func(*Store)
	}{
		{"made to measure by now", "product_id", "Product is not available.", "", Line{ProductID: blind}, nil},
		{"standard by now", "product_id", "Product is not available.", "", Line{ProductID: tile, Configuration: configured}, nil},
		{"capability off", "product_id", "Product is not available.", "CAPABILITY_INACTIVE", Line{ProductID: blind, Configuration: configured},
			func(s *Store) { s.Modules &^= 1 << ModuleConfigurator }},
		{"variant inactive", "variant_id", "Variant is not available.", "INVALID_CONFIGURATION", Line{ProductID: drill, VariantID: red}, nil},
		{"variants by now", "variant_id", "Choose a variant for this product.", "INVALID_CONFIGURATION", Line{ProductID: drill}, nil},
		{"no price", "product_id", "Product is not available.", "NOT_PURCHASABLE", Line{ProductID: bulk}, nil},
		{"half a piece", "quantity", "The quantity must be a whole number.", "", Line{ProductID: tile, Quantity: 500}, nil},
	} {
		s := checkoutScene(t)
		c.line.ID = testID(0x77)
		if c.line.Quantity == 0 {
			c.line.Quantity = One
		}
		s.cart.Lines = append(s.cart.Lines, c.line)
		if c.given != nil {
			c.given(s.shop)
		}
		want := &Refusal{Kind: Invalid, Message: c.message, Code: c.code, Fields: []FieldError{{"lines.1." + c.field, saying(c.message)}}}
		s.refuse(s.order(), want)
		check := CheckoutCheck{Message: c.message, Code: c.code, LineID: c.line.ID}
		if got := CheckoutChecks(s.cart, s.shop, guest, noon, nil); len(got) != 1 || got[0] != check {
			t.Errorf("%s: explained as %+v; want %+v", c.name, got, check)
		}
	}
	s := checkoutScene(t)
	s.cart.Lines = append(s.cart.Lines, Line{ProductID: nowhere}, Line{ProductID: bulk, Quantity: One}, Line{ProductID: drill, Quantity: One})
	s.refuse(s.order(), &Refusal{Kind: Invalid, Message: "Product is not available.", Code: "NOT_PURCHASABLE", Fields: []FieldError{
		{"lines.1.product_id", saying("Product is not available.")}, {"lines.2.product_id", saying("Product is not available.")},
		{"lines.3.variant_id", saying("Choose a variant for this product.")},
	}})
}

// A checkout sells the cart as shown. After that the cart is read-only.
func TestACheckoutSellsTheCart(t *testing.T) {
	s := checkoutScene(t)
	one := int64(1)
	days := 5
	s.shop.Product(tile).TrackStock, s.shop.Product(tile).Returnable, s.shop.Product(tile).LeadTimeDays = true, true, &days
	s.shop.Discounts = []Discount{
		{ID: testID(0xd1), Name: "Half", Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 50e9}, UsageLimit: &one},
		{ID: testID(0xd2), Name: "Nothing", Kind: DiscountOrder, Active: true, Value: DiscountValue{}},
		{ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping, Active: true, Value: DiscountValue{Fixed: true, Amount: 95}},
	}
	s.shop.Index()
	s.do(s.add(tile, One)) // held from now on
	s.cart.Email, s.cart.Metadata = "cart@example.com", Metadata{{"gift", Scalar{Text: "true"}}}
	s.shop.Product(tile).Weight = grams(1500)
	command := s.order(func(c *Checkout) { c.CustomerNote, c.Reference, c.ExpectedTotal = "Ring twice", "PO 7", price(1600) })
	s.do(command)
	if s.cart.Status != CartConverted || s.cart.OrderID != orderID || s.cart.Hold.Asks != nil || len(s.cart.Lines) != 1 || s.cart.Email != "cart@example.com" {
		t.Errorf("the cart is %+v", s.cart)
	}
	want := &Order{
		ID: orderID, CartID: cartID, Email: "buyer@example.com", CustomerNote: "Ring twice", Reference: "PO 7", PlacedAt: s.in.Now,
		Tax:             Taxation{Included: true},
		Lines:           []OrderLine{{Line: s.cart.Lines[0], Total: 1000, TaxRate: 21e9, Returnable: true, LeadTimeDays: &days, Freight: Freight{UnitWeight: 1500}}},
		Metadata:        s.cart.Metadata,
		Discounts:       []OrderDiscount{{ID: testID(0xd1), Name: "Half", Amount: 1000}, {ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping, Amount: 95}},
		Shipping:        &OrderShipping{ID: parcel, Name: "Parcel", Price: 600, PriceWithTax: 600},
		ShippingAddress: &Address{Name: "Buyer"},
		Takes:           []StockAsk{{tile, 2_000_000, 2_000_000}},
		Totals:          OrderTotals{Subtotal: 826, ShippingTotal: 496, TaxTotal: 278, Total: 1600, DiscountTotal: 1000, Breakdown: []TaxRow{{21e9, 1322, 278}}},
	}
	sale := s.effects.Sale
	if !reflect.DeepEqual(sale.Order, want) {
		t.Errorf("the order is\n%+v; want\n%+v", sale.Order, want)
	}
	if takes := []StockAsk{{tile, 2_000_000, 2_000_000}}; !slices.Equal(sale.Takes, takes) {
		t.Errorf("it takes %v; want %v", sale.Takes, takes)
	}
	if len(sale.Uses) != 2 || sale.Uses[0] != (Use{Discount: testID(0xd1), Limit: 1}) || sale.Uses[1].Discount != testID(0xd3) || s.effects.Made != orderID {
		t.Errorf("it uses %v and makes %v", sale.Uses, s.effects.Made)
	}
}

// docs/api/checkout.md#what-a-checkout-decides: a code that fails in the sale only by its limit for each customer
// is not left out in silence. With the order's own total it sells.
func TestACodeThatFailsOnlyInTheSale(t *testing.T) {
	own := Use{Discount: testID(0xd1), Counter: CountCustomer, Field: "f", Limit: 1}
	common, other := Use{Discount: testID(0xd1), Limit: 5}, Use{Discount: testID(0xd2), Counter: CountCustomer, Field: "f", Limit: 1}
	for _, c := range []struct {
		name     string
		used     []Use
		expected *Amount
		edit     func(*scene)
		want     string
	}{
		{"within the limits", nil, nil, nil, "sold"},
		{"the customer's limit", []Use{own}, nil, nil, "CART_CHANGED"},
		{"the customer's limit, at the former total", []Use{own}, price(1195), nil, "CART_CHANGED"},
		{"the customer's limit, at the order's total", []Use{own}, price(1695), nil, "sold"},
		{"the common limit", []Use{common}, nil, nil, "sold"},
		{"both limits", []Use{own, common}, nil, nil, "sold"},
		{"the common limit, and the limit of a discount that is not attached", []Use{common, other}, nil, nil, "sold"},
		{"over meanwhile", []Use{own}, nil, func(s *scene) { s.shop.Discounts[0].EndsAt = s.in.Now }, "sold"},
		{"the count is known to the cart", []Use{own}, nil, func(s *scene) {
			s.cart = s.cart.clone()
			s.cart.Codes = []AttachedCode{{Code: "c", Counted: CountedUses{Account: ada.CustomerID, Uses: 1}}}
			s.in.Visitor = ada
		}, "sold"},
		{"taken off meanwhile", []Use{own}, nil, func(s *scene) { s.do(DetachCode{}) }, "sold"},
	} {
		s := checkoutScene(t)
		s.shop.Discounts = []Discount{twice(1, 1), twice(2, 1)}
		s.shop.Discounts[1].Code = "D"
		s.shop.Index()
		s.do(AttachCode{Code: "c"})
		if c.edit != nil {
			c.edit(s)
		}
		s.in.Shortage = &Shortage{Used: c.used}
		command := s.order(func(o *Checkout) { o.ExpectedTotal = c.expected })
		_, _, r := s.try(command)
		if shortly(r) != c.want {
			t.Errorf("%s: got %s %v; want %s", c.name, shortly(r), r, c.want)
		}
		if want := []CodeResult{{"c", CodeUsageLimit}}; r != nil && (*r.CurrentTotal != 1695 || !slices.Equal(r.DiscountCodes, want)) {
			t.Errorf("%s: at %d with the codes %v; want %v", c.name, *r.CurrentTotal, r.DiscountCodes, want)
		}
	}
}

// One row for each item, summed over the lines. A component counts as its product.
func TestStockThatIsShort(t *testing.T) {
	s := newScene(t)
	for _, id := range []uuid.UUID{tile, cord, drill} {
		s.shop.Product(id).TrackStock = true
	}
	s.shop.Index()
	part := &Configuration{Choices: []string{"linen"}, Components: []ComponentUse{{cord, "0.25"}, {drill, "1"}}}
	s.cart.Lines = []Line{
		{ID: testID(1), ProductID: drill, VariantID: white, Quantity: 2 * One}, {ID: testID(2), ProductID: blind, Quantity: 3 * One, Configuration: part},
		{ID: testID(3), ProductID: cord, Quantity: 500}, {ID: testID(4), ProductID: tile, Quantity: One},
	}
	free := map[uuid.UUID]Micros{white: 1_500_000, cord: 1_249_999, drill: 0, tile: 1_000_000}
	var known Shortage
	for item, granted := range free {
		known.Stock = append(known.Stock, StockAsk{Item: item, Granted: granted})
	}
	want := []StockShort{{drill, white, 2_000_000, 1_500_000}, {cord, uuid.Nil, 1_250_000, 1_249_999}, {drill, uuid.Nil, 3_000_000, 0}}
	s.in.Shortage = &known
	s.refuse(s.order(func(c *Checkout) { c.Method.Sent = false }), OutOfStock.Of(want))
	var got []StockShort
	for _, check := range CheckoutChecks(s.cart, s.shop, guest, noon, freeLevels(free)) {
		got = append(got, *check.Short)
	}
	if !slices.Equal(got, want) {
		t.Errorf("explained as %v; want %v", got, want)
	}
	if items := s.cart.StockItems(s.shop); len(items) != 4 || slices.IndexFunc(items, func(id uuid.UUID) bool { _, is := free[id]; return !is }) >= 0 {
		t.Errorf("the cart asks for %v", items)
	}
	s.shop.Modules &^= 1 << ModuleStock
	if _, effects, r := s.try(s.order(func(c *Checkout) { c.Method.Sent = false })); r != nil || effects.Sale.Takes != nil {
		t.Errorf("without the module stock: %v, %v", effects, r)
	}
}

// Every reason against the checkout is explained, in the order of the checkout.
func TestChecksOfACheckout(t *testing.T) {
	s := checkoutScene(t)
	s.shop.Policy.MinOrderValue, s.shop.Policy.IdentityMode = price(5000), "login_required"
	s.shop.Quotes.CartThreshold = price(0)
	checks := func() (all []string) {
		for _, c := range CheckoutChecks(s.cart, s.shop, s.in.Visitor, noon, nil) {
			all = append(all, fmt.Sprint(c.Code, " ", c.Message))
		}
		return all
	}
	want := []string{"login_required Log in to check out.", "min_order_value The minimum order value is not reached.",
		"QUOTE_REQUIRED This cart requires a quote."}
	if got := checks(); !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
	s.cart.Lines = nil
	if got := checks(); len(got) != 4 || got[0] != " The lines field is required." {
		t.Errorf("of an empty cart: %q", got)
	}
	s.cart.Status = CartMerged
	if got := checks(); len(got) != 1 || !strings.Contains(got[0], "[Cart] "+cartID.String()) {
		t.Errorf("of a merged cart: %q", got)
	}
	s.cart.Status, s.cart.OrderID = CartConverted, orderID
	if got := checks(); got != nil {
		t.Errorf("of a cart that is sold: %q", got)
	}
}

// A store that is closed for orders refuses ahead of everything about the cart; a cart that is not active is still not found.
func TestChecksBeginWithAClosedStore(t *testing.T) {
	s := checkoutScene(t)
	s.cart.Lines = nil
	s.shop.Closed = &Refusal{Kind: Closed, Code: StoreClosed.Code, Message: "We are back at noon."}
	want := []CheckoutCheck{{Message: "We are back at noon.", Code: "store_closed"}, {Message: "The lines field is required."}}
	if got := CheckoutChecks(s.cart, s.shop, guest, noon, nil); !slices.Equal(got, want) {
		t.Errorf("checks %+v, want %+v", got, want)
	}
	s.cart.Status = CartMerged
	if got := CheckoutChecks(s.cart, s.shop, guest, noon, nil); len(got) != 1 || got[0].Code != "" {
		t.Errorf("checks of a merged cart %+v", got)
	}
}
