package commerce

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

var (
	express   = testID(0x53) // goes to Belgium only
	keptHome  = Address{Name: "Kept", Street: "Dam 1", PostalCode: "1012", City: "Amsterdam", Country: "NL"}
	keptOther = Address{Name: "Sent", Street: "Dam 2", PostalCode: "1013", City: "Gent", Country: "BE"}
)

// keptScene is a cart with one line that is shipped, or that is not, in a store with two methods.
func keptScene(t *testing.T, shipped bool) *scene {
	s := newScene(t)
	s.shop.ShippingMethods = []ShippingMethod{{ID: parcel, Name: "Parcel", Price: 695, Tax: taxed(21e9)},
		{ID: express, Name: "Express", Price: 995, Tax: taxed(21e9), Countries: []Country{{'B', 'E'}}}}
	s.shop.Product(tile).RequiresShipping = shipped
	s.do(s.add(tile, One))
	return s
}

func sentID(id uuid.UUID) AskedID { return AskedID{Sent: true, Present: true, ID: id} }

func sentAddress(a Address) AskedAddress { return AskedAddress{Sent: true, Present: true, Address: a} }

// emptyIDs is a PATCH with an empty list or object in place of both ids.
func emptyIDs() (k KeepCheckout) {
	k.Shipping.InBook.Present, k.Billing.InBook.Present = true, true
	k.Faults.AddEmpty("shipping_address_id")
	k.Faults.AddEmpty("billing_address_id")
	return k
}

// keepAll is a PATCH with every member.
func keepAll() *KeepCheckout {
	email := "kept@example.com"
	return &KeepCheckout{Email: &email, CheckoutFields: CheckoutFields{
		AskedDelivery: AskedDelivery{Method: sentID(parcel), Shipping: sentAddress(keptHome), Billing: sentAddress(keptHome)},
		CustomerNote:  "kept note", CustomerNoteSent: true, Reference: "kept reference", ReferenceSent: true,
	}}
}

// Which of body and kept value counts: every member × (absent, null, sent) × (kept, not kept) × (a line
// requires shipping, none does).
func TestCheckoutTakesKeptValuesForAbsentMembers(t *testing.T) {
	type member struct {
		name string
		// forms are the body with the member as null and with a value.
		null, sent func(*CheckoutForm)
		// got is the order's value in words.
		got func(*Order) string
		// The results: not kept or kept, and absent, null or sent. A text with a colon is a refusal.
		notKept, kept [3]string
		// unshipped are the results without a line that requires shipping.
		unshippedNotKept, unshippedKept [3]string
	}
	address := func(a *Address) string {
		if a == nil {
			return ""
		}
		return a.Name
	}
	bookID := testID(0xa1)
	const (
		noMethod  = "shipping_method_id: The shipping method id field is required."
		noAddress = "shipping_address: The shipping address field is required."
	)
	members := []member{
		{
			"email", func(*CheckoutForm) {}, func(f *CheckoutForm) { f.Email = "sent@example.com" }, func(o *Order) string { return o.Email },
			[3]string{"email: The email field is required.", "email: The email field is required.", "sent@example.com"},
			[3]string{"kept@example.com", "kept@example.com", "sent@example.com"}, // the cart's own: null is as absent
			[3]string{"email: The email field is required.", "email: The email field is required.", "sent@example.com"},
			[3]string{"kept@example.com", "kept@example.com", "sent@example.com"},
		},
		{
			"shipping_method_id", func(f *CheckoutForm) { f.Method.Present = true }, func(f *CheckoutForm) { f.Method = sentID(parcel) },
			func(o *Order) string {
				if o.Shipping == nil {
					return ""
				}
				return o.Shipping.Name
			},
			[3]string{noMethod, noMethod, "Parcel"}, [3]string{"Parcel", noMethod, "Parcel"},
			[3]string{"", "", "Parcel"}, [3]string{"", "", "Parcel"},
		},
		{
			"shipping_address", func(f *CheckoutForm) { f.Shipping.Present = true }, func(f *CheckoutForm) { f.Shipping = sentAddress(keptOther) },
			func(o *Order) string { return address(o.ShippingAddress) },
			[3]string{noAddress, noAddress, "Sent"}, [3]string{"Kept", noAddress, "Sent"}, [3]string{"", "", "Sent"}, [3]string{"", "", "Sent"},
		},
		{
			"shipping_address_id", func(f *CheckoutForm) { f.Shipping.InBook.Present = true }, func(f *CheckoutForm) { f.Shipping.InBook = sentID(bookID) },
			func(o *Order) string { return address(o.ShippingAddress) },
			[3]string{noAddress, noAddress, "Ada"}, [3]string{"Kept", noAddress, "Ada"}, [3]string{"", "", "Ada"}, [3]string{"", "", "Ada"},
		},
		{
			"billing_address", func(f *CheckoutForm) { f.Billing.Present = true }, func(f *CheckoutForm) { f.Billing = sentAddress(keptOther) },
			func(o *Order) string { return address(o.BillingAddress) },
			[3]string{"", "", "Sent"}, [3]string{"Kept", "", "Sent"}, [3]string{"", "", "Sent"}, [3]string{"Kept", "", "Sent"},
		},
		{
			"billing_address_id", func(f *CheckoutForm) { f.Billing.InBook.Present = true }, func(f *CheckoutForm) { f.Billing.InBook = sentID(bookID) },
			func(o *Order) string { return address(o.BillingAddress) },
			[3]string{"", "", "Ada"}, [3]string{"Kept", "", "Ada"}, [3]string{"", "", "Ada"}, [3]string{"Kept", "", "Ada"},
		},
		{
			"customer_note", func(f *CheckoutForm) { f.CustomerNoteSent = true }, func(f *CheckoutForm) { f.CustomerNote, f.CustomerNoteSent = "sent", true },
			func(o *Order) string { return o.CustomerNote },
			[3]string{"", "", "sent"}, [3]string{"kept note", "", "sent"}, [3]string{"", "", "sent"}, [3]string{"kept note", "", "sent"},
		},
		{
			"reference", func(f *CheckoutForm) { f.ReferenceSent = true }, func(f *CheckoutForm) { f.Reference, f.ReferenceSent = "sent", true },
			func(o *Order) string { return o.Reference },
			[3]string{"", "", "sent"}, [3]string{"kept reference", "", "sent"}, [3]string{"", "", "sent"}, [3]string{"kept reference", "", "sent"},
		},
	}
	for at, m := range members {
		for _, shipped := range []bool{true, false} {
			for _, kept := range []bool{true, false} {
				for form := range 3 {
					s := keptScene(t, shipped)
					s.in.Visitor, s.in.Contact = ada, adaBook
					all := keepAll()
					if !kept { // every other member is
						switch at {
						case 0:
							all.Email = nil
						case 1:
							all.Method = AskedID{}
						case 2, 3:
							all.Shipping = AskedAddress{}
						case 4, 5:
							all.Billing = AskedAddress{}
						case 6:
							all.CustomerNote = ""
						case 7:
							all.Reference = ""
						}
					}
					s.in.Visitor = guest
					s.do(all)
					if s.in.Visitor = ada; at == 0 { // the account has an e-mail
						s.in.Visitor, s.in.Contact = guest, nil
					}
					var body CheckoutForm
					if form == 1 {
						m.null(&body)
					} else if form == 2 {
						m.sent(&body)
					}
					_, effects, r := s.try(&Checkout{OrderID: orderID, CheckoutForm: body})
					got := shortly(r)
					if r == nil {
						got = m.got(effects.Sale.Order)
					}
					results := map[[2]bool][3]string{{true, true}: m.kept, {true, false}: m.notKept, {false, true}: m.unshippedKept, {false, false}: m.unshippedNotKept}
					if want := results[[2]bool{shipped, kept}][form]; got != want {
						t.Errorf("%s, shipped %v, kept %v, form %d: got %q, want %q", m.name, shipped, kept, form, got, want)
					}
				}
			}
		}
	}
}

// A PATCH changes the sent members only. The two forms of an address are one value.
func TestKeepCheckout(t *testing.T) {
	owned := func(s *scene) {
		s.in.Visitor, s.in.Contact, s.cart.Customer = ada, adaBook, Binding{ID: ada.CustomerID}
	}
	bookID := testID(0xa1)
	none := AskedAddress{Present: true}
	for _, c := range []struct {
		rule    string
		prepare func(*scene)
		patch   KeepCheckout
		want    func(*KeptCheckout)
		refusal string
	}{
		{"nothing sent", nil, KeepCheckout{}, func(*KeptCheckout) {}, ""},
		{"a method", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: sentID(express)}}},
			func(k *KeptCheckout) { k.Method = express }, ""},
		{"no method", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: AskedID{Present: true}}}},
			func(k *KeptCheckout) { k.Method = uuid.Nil }, ""},
		{"an unknown method", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: sentID(nowhere)}}}, nil,
			"shipping_method_id: The selected shipping method id is invalid."},
		{"an address", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: sentAddress(keptOther)}}},
			func(k *KeptCheckout) { k.Shipping = keptOther }, ""},
		{"null", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: none, Billing: none}}},
			func(k *KeptCheckout) { k.Shipping, k.Billing = Address{}, Address{} }, ""},
		{"null of the id", nil, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Billing: AskedAddress{InBook: AskedID{Present: true}}}}},
			func(k *KeptCheckout) { k.Billing = Address{} }, ""},
		{"an empty list in place of an id", nil, emptyIDs(), func(k *KeptCheckout) { k.Shipping, k.Billing = Address{}, Address{} }, ""},
		{"an id", owned, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: AskedAddress{InBook: sentID(bookID)}}}},
			func(k *KeptCheckout) { k.Shipping = Address{Name: "Ada", Country: "NL"} }, ""},
		{"the object wins over the id", owned, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
			Shipping: AskedAddress{Sent: true, Present: true, Address: keptOther, InBook: sentID(bookID)}}}}, func(k *KeptCheckout) { k.Shipping = keptOther }, ""},
		{"no object, and an id", owned, KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Billing: AskedAddress{Present: true,
			InBook: sentID(bookID)}}}},
			func(k *KeptCheckout) { k.Billing = Address{Name: "Ada", Country: "NL"} }, ""},
		{"an id that the book has not", owned,
			KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: AskedAddress{InBook: sentID(nowhere)}}}},
			nil, "shipping_address_id: The selected shipping address id is invalid."},
		{"an id for a guest's cart", func(s *scene) { owned(s); s.cart.Customer = Binding{ID: ada.CustomerID, Guest: true} },
			KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Billing: AskedAddress{InBook: sentID(bookID)}}}},
			nil, "billing_address_id: The selected billing address id is invalid."},
		{"an id without a customer", func(s *scene) { owned(s); s.cart.Customer = Binding{} },
			KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: AskedAddress{InBook: sentID(bookID)}}}},
			nil, "shipping_address_id: The selected shipping address id is invalid."},
		{"an id without the customers module", func(s *scene) { owned(s); s.shop.Modules &^= 1 << ModuleCustomers },
			KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: AskedAddress{InBook: sentID(bookID)}}}},
			nil, "shipping_address_id: The selected shipping address id is invalid."},
		{"note and reference", nil, KeepCheckout{CheckoutFields: CheckoutFields{CustomerNote: "a\nb", CustomerNoteSent: true, Reference: "r", ReferenceSent: true}},
			func(k *KeptCheckout) { k.CustomerNote, k.Reference = "a\nb", "r" }, ""},
		{"no note", nil, KeepCheckout{CheckoutFields: CheckoutFields{CustomerNoteSent: true}}, func(k *KeptCheckout) { k.CustomerNote = "" }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := keptScene(t, true)
			s.do(keepAll())
			if c.prepare != nil {
				c.prepare(s)
			}
			want := *s.cart.Checkout
			s.in.Now = s.in.Now.Add(time.Hour)
			if c.refusal != "" {
				if _, _, r := s.try(&c.patch); shortly(r) != c.refusal {
					t.Errorf("got %s, want %s", shortly(r), c.refusal)
				}
				return
			}
			c.want(&want)
			want.At = s.in.Now
			if got := *s.do(&c.patch).Checkout; got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			if s.cart.UpdatedAt != s.in.Now || s.cart.ExpiresAt != s.in.Now.Add(CartLifetime) {
				t.Error("the PATCH is no write of the cart")
			}
		})
	}
}

// The e-mail is the cart's; it binds as a PATCH of the cart does, and an id of the book is judged after
// it. The faults of all fields are reported together, in the order of a checkout.
func TestKeepCheckoutBindsAndReportsAllFaults(t *testing.T) {
	s := keptScene(t, true)
	s.in.Visitor, s.in.Contact = ada, adaBook
	patch := keepAll()
	patch.Shipping = AskedAddress{InBook: sentID(testID(0xa1))}
	s.do(patch)
	if s.cart.Email != "kept@example.com" || s.cart.Customer != (Binding{ID: ada.CustomerID}) || s.cart.Checkout.Shipping.Name != "Ada" {
		t.Errorf("the cart is %+v", s.cart)
	}
	s = keptScene(t, true)
	if s.do(keepAll()); s.effects.Guest == nil || s.effects.Guest.Email != "kept@example.com" || !s.cart.Customer.Guest {
		t.Errorf("a guest's cart is bound to %+v with %+v", s.cart.Customer, s.effects.Guest)
	}
	faulty := &KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: sentID(nowhere), Billing: AskedAddress{InBook: sentID(nowhere)}}}}
	for _, field := range []string{"reference", "email", "shipping_address.name"} {
		faulty.Faults.Add(field, MsgRequired(field))
	}
	_, _, r := s.try(faulty)
	var fields []string
	for _, f := range r.Fields {
		fields = append(fields, f.Field)
	}
	if want := []string{"email", "shipping_method_id", "shipping_address.name", "billing_address_id", "reference"}; !slices.Equal(fields, want) {
		t.Errorf("faults of %v, want %v", fields, want)
	}
}

// Addresses and note are shown and used until 24 hours after the last PATCH of the checkout, whatever
// else was written since. The next write drops them.
func TestKeptAddressesLeaveAfterADay(t *testing.T) {
	s := keptScene(t, true)
	s.do(keepAll())
	first := s.in.Now
	s.in.Now = first.Add(23 * time.Hour)
	s.do(s.add(tile, One))
	for _, c := range []struct {
		after time.Duration
		there bool
	}{{23 * time.Hour, true}, {24*time.Hour - time.Millisecond, true}, {24 * time.Hour, false}, {25 * time.Hour, false}} {
		s.in.Now = first.Add(c.after)
		p := PrepareCheckout(s.cart, s.shop, guest, s.in.Now)
		shown := p.Shipping == keptHome && p.Billing == keptHome && p.CustomerNote == "kept note"
		gone := p.Shipping == Address{} && p.Billing == Address{} && p.CustomerNote == ""
		if shown != c.there || gone == c.there || p.Method != parcel || p.Reference != "kept reference" {
			t.Errorf("after %v: %+v", c.after, p.KeptCheckout)
		}
		_, effects, r := s.try(&Checkout{OrderID: orderID})
		if c.there != (r == nil && effects.Sale.Order.ShippingAddress.Name == "Kept") || !c.there &&
			shortly(r) != "shipping_address: The shipping address field is required." {
			t.Errorf("after %v a checkout is %s", c.after, shortly(r))
		}
	}
	s.do(s.add(tile, One))
	if got, want := *s.cart.Checkout, (KeptCheckout{Method: parcel, Reference: "kept reference", At: first}); got != want {
		t.Errorf("after the next write the cart keeps %+v", got)
	}
	// A PATCH of one member brings nothing back, and begins another day for it.
	s.do(&KeepCheckout{CheckoutFields: CheckoutFields{CustomerNote: "new", CustomerNoteSent: true}})
	if got := *s.cart.Checkout; got.CustomerNote != "new" || got.Shipping != (Address{}) || got.At != s.in.Now {
		t.Errorf("the cart keeps %+v", got)
	}
	alone := &KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: AskedID{Present: true}}, ReferenceSent: true}}
	s.do(alone)
	s.in.Now = s.in.Now.Add(24 * time.Hour)
	if s.do(s.add(tile, One)); s.cart.Checkout != nil {
		t.Errorf("the cart keeps %+v", s.cart.Checkout)
	}
}

// Nothing is readable after a sale, a quote request, a claim by another cart, a copy.
func TestNothingIsKeptAfterASale(t *testing.T) {
	s := keptScene(t, true)
	s.do(keepAll())
	kept := s.cart
	made, _, _ := CopyOfCart(s.cart).Make(testID(0xc4), &s.in)
	if made.Checkout != nil {
		t.Errorf("the copy keeps %+v", made.Checkout)
	}
	if s.do(&Checkout{OrderID: orderID}); s.cart.Checkout != nil {
		t.Errorf("the sold cart keeps %+v", s.cart.Checkout)
	}
	s.cart = kept
	if s.do(&RequestQuote{QuoteID: orderID}); s.cart.Checkout != nil {
		t.Errorf("the cart of a quote keeps %+v", s.cart.Checkout)
	}
	if folded := kept.merged(testID(0xc5), s.in.Now); folded.Checkout != nil {
		t.Errorf("the folded cart keeps %+v", folded.Checkout)
	}
}

// A claim takes the most recently active folded cart's values if the claimed cart has none.
func TestClaimOfAKeptCheckout(t *testing.T) {
	with := func(id, written int, k *KeptCheckout) *Cart {
		c := other(id, id)
		c.Checkout, c.UpdatedAt = k, noon.Add(time.Duration(written)*time.Second)
		return c
	}
	at := noon.Add(-time.Hour)
	mine, a, b := &KeptCheckout{Reference: "mine", At: at}, &KeptCheckout{Shipping: keptHome, At: at}, &KeptCheckout{Shipping: keptOther, Reference: "b", At: at}
	old := &KeptCheckout{Shipping: keptHome, Reference: "old", At: noon.Add(-25 * time.Hour)}
	again := *a // read from Redis
	for _, c := range []struct {
		rule   string
		own    *KeptCheckout
		taken  TakenOver
		others []*Cart
		want   *KeptCheckout
	}{
		{"its own", mine, TakenOver{}, []*Cart{with(1, 1, a)}, mine},
		{"the most recently active", nil, TakenOver{}, []*Cart{with(1, 9, a), with(2, 1, b), with(3, 10, nil)}, a},
		{"its own has left", &KeptCheckout{Shipping: keptHome, At: old.At}, TakenOver{}, []*Cart{with(1, 1, b)}, b},
		{"what is left of it", nil, TakenOver{}, []*Cart{with(1, 1, old)}, &KeptCheckout{Reference: "old", At: old.At}},
		{"nothing is left", nil, TakenOver{}, []*Cart{with(1, 9, &KeptCheckout{CustomerNote: "n", At: old.At}), with(2, 1, b)}, b},
		{"of earlier commits too", &again, TakenOver{Checkout: with(1, 5, a)}, []*Cart{with(2, 7, b)}, b},
		{"of earlier commits: active earlier", &again, TakenOver{Checkout: with(1, 5, a)}, []*Cart{with(2, 3, b)}, a},
		{"changed since an earlier commit", mine, TakenOver{Checkout: with(1, 5, a)}, []*Cart{with(2, 7, b)}, mine},
		{"nothing to take", nil, TakenOver{}, []*Cart{with(1, 1, nil)}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Checkout, s.in.Others, s.in.Visitor = c.own, c.others, ada
			s.do(ClaimCart{TakenOver: c.taken})
			if !reflect.DeepEqual(s.cart.Checkout, c.want) {
				t.Errorf("the cart keeps %+v, want %+v", s.cart.Checkout, c.want)
			}
			for _, f := range s.effects.Claim.Folded {
				if f.Checkout != nil {
					t.Errorf("a folded cart keeps %+v", f.Checkout)
				}
			}
		})
	}
	s := newScene(t)
	s.cart.Lines = []Line{large(1)}
	s.in.Others, s.in.Visitor = []*Cart{with(1, 1, b)}, ada
	if s.do(ClaimCart{}); s.cart.Checkout != nil {
		t.Error("a cart without room takes a kept checkout")
	}
}

// What is kept, what it comes to and what is missing. A method that cannot be chosen counts as none.
func TestPrepareCheckout(t *testing.T) {
	for _, c := range []struct {
		rule     string
		shipped  bool
		prepare  func(*scene)
		visitor  Visitor
		methods  string
		shipping Amount
		total    Amount
		missing  string
	}{
		{rule: "ready", shipped: true, methods: "Parcel", shipping: 575, total: 1695},
		{rule: "no shipping is required", methods: "", total: 1000},
		{rule: "empty", prepare: func(s *scene) { s.cart.Lines = nil }, missing: "lines"},
		{rule: "nothing kept", shipped: true, prepare: func(s *scene) { s.cart.Checkout, s.cart.Email = nil, "" },
			methods: "Parcel Express", total: 1000, missing: "email shipping_method_id shipping_address"},
		{rule: "nothing kept, empty", shipped: true, prepare: func(s *scene) { s.cart.Checkout, s.cart.Email, s.cart.Lines = nil, "", nil }, missing: "lines email"},
		{rule: "the account's e-mail", shipped: true, prepare: func(s *scene) { s.cart.Email = "" }, visitor: ada, methods: "Parcel", shipping: 575, total: 1695},
		{rule: "no customers module", shipped: true, prepare: func(s *scene) { s.cart.Email = ""; s.shop.Modules &^= 1 << ModuleCustomers }, visitor: ada,
			methods: "Parcel", shipping: 575, total: 1695, missing: "email"},
		{rule: "a method for another country", shipped: true, prepare: func(s *scene) { s.cart.Checkout.Method = express },
			methods: "Parcel", total: 1000, missing: "shipping_method_id"},
		{rule: "without an address the country is not judged", shipped: true,
			prepare: func(s *scene) { s.cart.Checkout.Method, s.cart.Checkout.Shipping = express, Address{} },
			methods: "Parcel Express", shipping: 823, total: 1995, missing: "shipping_address"},
		{rule: "a method that the document has not any more", shipped: true, prepare: func(s *scene) { s.shop.ShippingMethods = s.shop.ShippingMethods[1:] },
			total: 1000, missing: "shipping_method_id"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := keptScene(t, c.shipped)
			s.do(keepAll())
			kept := *s.cart.Checkout
			s.cart.Checkout = &kept
			if c.prepare != nil {
				c.prepare(s)
			}
			p := PrepareCheckout(s.cart, s.shop, c.visitor, s.in.Now)
			var methods []string
			for _, m := range p.Methods {
				methods = append(methods, m.Name)
			}
			if got := strings.Join(methods, " "); got != c.methods {
				t.Errorf("methods %s, want %s", got, c.methods)
			}
			if p.Totals.ShippingTotal != c.shipping || p.Totals.Total != c.total {
				t.Errorf("totals %+v, want %d and %d", p.Totals, c.shipping, c.total)
			}
			if got := strings.Join(p.Missing, " "); got != c.missing {
				t.Errorf("missing %s, want %s", got, c.missing)
			}
			// The checkout without a body calls the same fields required, and comes to the same.
			s.in.Visitor = c.visitor
			if c.visitor.Known {
				s.in.Contact = adaBook
			}
			if !s.shop.Modules.Has(ModuleCustomers) {
				s.in.Contact = nil
			}
			_, effects, r := s.try(&Checkout{OrderID: orderID})
			var required []string
			if r != nil {
				for _, f := range r.Fields {
					required = append(required, f.Field)
				}
			}
			switch {
			case strings.Join(required, " ") != c.missing:
				t.Errorf("a checkout requires %v", required)
			case r == nil && !reflect.DeepEqual(effects.Sale.Order.Totals, p.Totals):
				t.Errorf("the order comes to %+v, shown was %+v", effects.Sale.Order.Totals, p.Totals)
			}
		})
	}
}

// What is kept counts in the size of a cart.
func TestAKeptCheckoutCountsInTheSizeOfACart(t *testing.T) {
	s := keptScene(t, true)
	before := s.cart.Size()
	s.do(keepAll())
	if grown := s.cart.Size() - before; grown < sizeOfCheckout+len("kept note")+2*len("Amsterdam") {
		t.Errorf("the size grew by %d", grown)
	}
	s.cart.Lines = append(s.cart.Lines, large(1))
	patch := keepAll()
	patch.CustomerNote = strings.Repeat("𝄞", MaxCustomerNote)
	s.refuse(patch, CartTooLarge)
}
