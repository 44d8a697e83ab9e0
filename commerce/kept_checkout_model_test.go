package commerce

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// keptModel is what a cart keeps of a checkout, by member, in the words of an order; an absent or empty member is none.
// docs/api/checkout.md#a-checkout-of-several-pages.
type keptModel struct {
	values map[string]string
	at     time.Time // of the last PATCH
}

// keptMembers are all members, in the order of their faults.
var keptMembers = []string{"email", "shipping_method_id", "shipping_address", "billing_address", "customer_note", "reference"}

// of returns a kept value. Addresses and the note are kept for a day.
func (m *keptModel) of(member string, now time.Time) string {
	if (strings.HasSuffix(member, "address") || member == "customer_note") && now.Sub(m.at) >= 24*time.Hour {
		return ""
	}
	return m.values[member]
}

// patch keeps what is sent. It returns the fields with faults, and changes nothing if there are any.
func (m *keptModel) patch(sent map[string]string, now time.Time) (faulty []string) {
	for _, member := range keptMembers {
		if sent[member] == unknown {
			faulty = append(faulty, faultyField(member))
		}
	}
	if faulty != nil {
		return faulty
	}
	next := map[string]string{}
	for _, member := range keptMembers {
		next[member] = m.of(member, now)
	}
	maps.Copy(next, sent)
	m.values, m.at = next, now
	return nil
}

// sell returns the members of the order that a checkout with these members makes, or the fields that it refuses.
func (m *keptModel) sell(sent map[string]string, shipped bool, now time.Time) (order map[string]string, faulty []string) {
	order = map[string]string{}
	for _, member := range keptMembers {
		value, isSent := sent[member]
		if needed := shipped || !strings.HasPrefix(member, "shipping"); !isSent && needed {
			value = m.of(member, now)
		}
		order[member] = value
	}
	to := order["shipping_address"]
	if _, isSent := sent["shipping_method_id"]; shipped && order["shipping_method_id"] == "Express" && !slices.Contains([]string{"", unknown, "Gent"}, to) {
		if order["shipping_method_id"] = unknown; !isSent {
			order["shipping_method_id"] = "" // a kept method that cannot be chosen counts as none
		}
	}
	for i, member := range keptMembers {
		switch {
		case order[member] == unknown:
			faulty = append(faulty, faultyField(member))
		case order[member] == "" && (i == 0 || shipped && i <= 2):
			faulty = append(faulty, member)
		}
	}
	return order, faulty
}

// unknown is a method or an address that the store or the address book has not.
const unknown = "unknown"

func faultyField(member string) string {
	if strings.HasSuffix(member, "_address") {
		return member + "_id"
	}
	return member
}

// someFields throws the members of a body: absent, null or a value, and an address as an object, as an id of the book or as both.
func someFields(r *rand.Rand, book bool) (sent map[string]string, body CheckoutFields) {
	sent = map[string]string{}
	throw := func(member string, values ...string) (value string, isSent bool) {
		if r.IntN(2) == 0 {
			return "", false
		}
		if r.IntN(4) > 0 {
			value = values[r.IntN(len(values))]
		}
		sent[member] = value
		return value, true
	}
	id := func(value string) AskedID {
		return AskedID{Present: true, Sent: value != "", ID: map[string]uuid.UUID{"Parcel": parcel, "Express": express, "Ada": testID(0xa1), unknown: nowhere}[value]}
	}
	if value, isSent := throw("shipping_method_id", "Parcel", "Parcel", "Express", unknown); isSent {
		body.Method = id(value)
	}
	for member, ask := range map[string]*AskedAddress{"shipping_address": &body.Shipping, "billing_address": &body.Billing} {
		value, isSent := throw(member, "Amsterdam", "Gent", "Gent", "Ada", unknown)
		switch {
		case !isSent:
		case value == "Amsterdam" || value == "Gent":
			*ask = sentAddress(Address{Name: value, Country: map[string]string{"Amsterdam": "NL", "Gent": "BE"}[value]})
			if r.IntN(3) == 0 {
				ask.InBook = sentID(nowhere) // the object wins
			}
		case value == "" && r.IntN(2) == 0:
			ask.Present = true
		default:
			ask.InBook = id(value)
			if ask.Present = r.IntN(2) == 0; value == "Ada" && !book {
				sent[member] = unknown
			}
		}
	}
	body.CustomerNote, body.CustomerNoteSent = throw("customer_note", "first note", "second note")
	body.Reference, body.ReferenceSent = throw("reference", "A1", "B2")
	return sent, body
}

// In any order of PATCHes, other writes, checkouts and pauses a cart keeps, shows and sells what the model says.
func TestKeptCheckoutsMatchTheModel(t *testing.T) {
	r := dice.New(t)
	sold, refused := 0, 0
	for range 600 {
		shipped, account := r.IntN(3) > 0, r.IntN(2) == 0
		s, m := keptScene(t, shipped), keptModel{values: map[string]string{}}
		if account {
			s.in.Visitor, s.in.Contact, s.cart.Customer = ada, adaBook, Binding{ID: ada.CustomerID}
		}
		var lines []string // the field of an empty cart
		if r.IntN(8) == 0 {
			s.cart.Lines, shipped, lines = nil, false, []string{"lines"}
		}
		for range 8 {
			s.in.Now = s.in.Now.Add(time.Duration(r.IntN(4)*r.IntN(9)) * time.Hour)
			sent, fields := someFields(r, account)
			written := true
			if lines == nil && r.IntN(4) == 0 {
				s.do(s.add(tile, One)) // every write drops what has ended
			} else {
				patch := &KeepCheckout{CheckoutFields: fields}
				if !account && r.IntN(3) == 0 {
					email := "kept@example.com"
					patch.Email, sent["email"] = &email, email
				}
				want := m.patch(sent, s.in.Now)
				next, effects, no := s.try(patch)
				if got := fieldsOf(no); !slices.Equal(got, want) {
					t.Fatalf("PATCH %v: refused for %v, want %v", sent, got, want)
				}
				if written = no == nil; written {
					s.cart, s.effects = next, effects
				}
			}
			p := PrepareCheckout(s.cart, s.shop, s.in.Visitor, s.in.Now)
			shown := p.KeptCheckout
			got := map[string]string{"email": s.cart.Email, "shipping_method_id": methodName(s.shop, shown.Method), "shipping_address": shown.Shipping.Name,
				"billing_address": shown.Billing.Name, "customer_note": shown.CustomerNote, "reference": shown.Reference}
			kept := ""
			for _, member := range keptMembers {
				want := m.of(member, s.in.Now)
				if kept += want; got[member] != want {
					t.Fatalf("%s is %q, want %q: %+v", member, got[member], want, m)
				}
			}
			if k := s.cart.Checkout; written && k != nil && (kept == "" || *k.at(s.in.Now) != *k) {
				t.Fatalf("a write leaves %+v, want %+v", k, m)
			}
			bare := map[string]string{}
			if account {
				bare["email"] = adaBook.Email
			}
			if _, missing := m.sell(bare, shipped, s.in.Now); !slices.Equal(p.Missing, append(lines, missing...)) {
				t.Fatalf("missing are %v, want %v: %+v", p.Missing, missing, m)
			}
			if _, effects, no := s.try(&Checkout{OrderID: orderID}); no == nil && !reflect.DeepEqual(effects.Sale.Order.Totals, p.Totals) {
				t.Fatalf("the order comes to %+v, shown was %+v", effects.Sale.Order.Totals, p.Totals)
			}
			sent, fields = someFields(r, account)
			form := CheckoutForm{CheckoutFields: fields}
			if !account && r.IntN(2) == 0 {
				form.Email, sent["email"] = "sent@example.com", "sent@example.com"
			}
			if account {
				sent["email"] = adaBook.Email // the checkout takes the account's
			}
			wantOrder, faulty := m.sell(sent, shipped, s.in.Now)
			next, effects, no := s.try(&Checkout{OrderID: orderID, CheckoutForm: form})
			if got := fieldsOf(no); !slices.Equal(got, append(lines, faulty...)) {
				t.Fatalf("kept %v at %v, sent %v at %v, shipped %v: refused for %v, want %v", m.values, m.at, sent, s.in.Now, shipped, got, faulty)
			}
			if no != nil {
				refused++
				continue
			}
			sold++
			o := effects.Sale.Order
			got = map[string]string{"email": o.Email, "customer_note": o.CustomerNote, "reference": o.Reference}
			if o.Shipping != nil {
				got["shipping_method_id"] = o.Shipping.Name
			}
			if o.ShippingAddress != nil {
				got["shipping_address"] = o.ShippingAddress.Name
			}
			if o.BillingAddress != nil {
				got["billing_address"] = o.BillingAddress.Name
			}
			for _, member := range keptMembers {
				if got[member] != wantOrder[member] {
					t.Fatalf("kept %v, sent %v, shipped %v: the order's %s is %q, want %q", m.values, sent, shipped, member, got[member], wantOrder[member])
				}
			}
			if next.Checkout != nil {
				t.Fatalf("the sold cart keeps %+v", next.Checkout)
			}
		}
	}
	if sold < 300 || refused < 300 {
		t.Errorf("%d sold, %d refused: it proves little", sold, refused)
	}
}

// fieldsOf are the fields that a refusal names; nil for none.
func fieldsOf(r *Refusal) (fields []string) {
	if r != nil {
		for _, f := range r.Fields {
			fields = append(fields, f.Field)
		}
	}
	return fields
}

func methodName(s *Store, id uuid.UUID) string {
	if m := s.ShippingMethod(id); m != nil {
		return m.Name
	}
	return ""
}
