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

// keepAll is a PATCH with every member.
func keepAll() *KeepCheckout {
	email := "kept@example.com"
	return &KeepCheckout{Email: &email, CheckoutFields: CheckoutFields{
		AskedDelivery: AskedDelivery{Method: sentID(parcel), Shipping: sentAddress(keptHome), Billing: sentAddress(keptHome)},
		CustomerNote:  "kept note", CustomerNoteSent: true, Reference: "kept reference", ReferenceSent: true,
	}}
}

// An address is of the visitor's book only if the cart is bound to the visitor's account. An empty list in place of an id is null.
func TestAddressBookOfAKeptCheckout(t *testing.T) {
	ids := &KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Billing: AskedAddress{InBook: sentID(testID(0xa1))}}}}
	const refused = "billing_address_id: The selected billing address id is invalid."
	for rule, c := range map[string]struct {
		prepare func(*scene)
		want    string
	}{
		"an account":                  {func(*scene) {}, "sold"},
		"a guest's cart":              {func(s *scene) { s.cart.Customer.Guest = true }, refused},
		"without a customer":          {func(s *scene) { s.cart.Customer = Binding{} }, refused},
		"the customers module is off": {func(s *scene) { s.shop.Modules &^= 1 << ModuleCustomers }, refused},
	} {
		s := keptScene(t, true)
		s.do(keepAll())
		s.in.Visitor, s.in.Contact, s.cart.Customer = ada, adaBook, Binding{ID: ada.CustomerID}
		c.prepare(s)
		if _, _, r := s.try(ids); shortly(r) != c.want {
			t.Errorf("%s: got %s, want %s", rule, shortly(r), c.want)
		}
	}
	s := keptScene(t, true)
	s.do(keepAll())
	s.in.Now = s.in.Now.Add(time.Hour)
	empty := &KeepCheckout{}
	empty.Shipping.InBook.Present, empty.Billing.InBook.Present = true, true
	empty.Faults.AddEmpty("shipping_address_id")
	empty.Faults.AddEmpty("billing_address_id")
	if kept := s.do(empty).Checkout; kept.Shipping != (Address{}) || kept.Billing != (Address{}) {
		t.Errorf("an empty list leaves %+v", kept)
	}
	if s.cart.UpdatedAt != s.in.Now || s.cart.ExpiresAt != s.in.Now.Add(CartLifetime) {
		t.Error("the PATCH is no write of the cart")
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
