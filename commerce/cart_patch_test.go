package commerce

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
)

// Spec: Carts, PATCH body; Setting email, when the customers module is active, …
func TestPatchCartBindsTheEmail(t *testing.T) {
	const address = "ada@example.com"
	guestID := testShop().GuestID(address)
	account, other := Binding{ID: ada.CustomerID}, Binding{ID: testID(0xbad)}
	captured := Binding{ID: guestID, Guest: true}
	for _, c := range []struct {
		rule      string
		before    Binding
		visitor   Visitor
		customers bool // the module
		patch     PatchCart
		want      Binding
		wantGuest bool
	}{
		{"no token: the guest of the address", Binding{}, guest, true, PatchCart{Email: ptr(address)}, captured, true},
		{"bad token: the guest of the address", Binding{}, badToken, true, PatchCart{Email: ptr(address)}, captured, true},
		{"token: its account, for any address", Binding{}, ada, true, PatchCart{Email: ptr("else@example.com")}, account, false},
		{"token: its account in the guest's place", captured, ada, true, PatchCart{Email: ptr(address)}, account, false},
		{"another address: another guest", Binding{ID: testID(3), Guest: true}, guest, true, PatchCart{Email: ptr(address)}, captured, true},
		{"bound to the account already", account, ada, true, PatchCart{Email: ptr(address)}, account, false},
		{"without an e-mail a token binds nothing", Binding{}, ada, true, PatchCart{MetadataSent: true}, Binding{}, false},
		{"without an e-mail the guest stays", captured, guest, true, PatchCart{}, captured, false},
		{"customers module off: binds nothing", Binding{}, ada, false, PatchCart{Email: ptr(address)}, Binding{}, false},
		{"customers module off: no guest either", Binding{}, guest, false, PatchCart{Email: ptr(address)}, Binding{}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Customer, s.in.Visitor = c.before, c.visitor
			if !c.customers {
				s.shop.Modules &^= 1 << ModuleCustomers
			}
			s.do(c.patch)
			if s.cart.Customer != c.want {
				t.Errorf("bound to %+v; want %+v", s.cart.Customer, c.want)
			}
			var wantGuest *Guest
			if c.wantGuest {
				wantGuest = &Guest{ID: guestID, Email: address, At: s.in.Now}
			}
			if !reflect.DeepEqual(s.effects.Guest, wantGuest) {
				t.Errorf("guest to create %+v; want %+v", s.effects.Guest, wantGuest)
			}
			if c.patch.Email != nil && s.cart.Email != *c.patch.Email {
				t.Errorf("email %q; want %q", s.cart.Email, *c.patch.Email)
			}
		})
	}
	t.Run("an account's cart is not bound to a guest", func(t *testing.T) {
		s := newScene(t)
		s.cart.Customer = other
		if bind(s.cart, &s.in); s.cart.Customer != other {
			t.Errorf("bound to %+v; want %+v", s.cart.Customer, other)
		}
	})
}

func TestEachAddressOfAStoreHasOneGuestID(t *testing.T) {
	s, other := testShop(), testShop()
	other.Secret[0]++
	id := s.GuestID("ada@example.com")
	if id != s.GuestID("ada@example.com") {
		t.Error("the same address gave two ids")
	}
	if id == s.GuestID("bob@example.com") || id == other.GuestID("ada@example.com") {
		t.Error("another address or store gave the same id")
	}
	if id.Version() != 8 || id.Variant() != uuid.RFC4122 {
		t.Errorf("%s is of version %d, variant %s", id, id.Version(), id.Variant())
	}
}

// Spec: Carts, PATCH body: omitting a field leaves it unchanged, null clears it.
func TestPatchCartReplacesTheWholeMetadata(t *testing.T) {
	old := Metadata{{"a", Scalar{true, "x"}}, {"b", Scalar{false, "1.50"}}}
	for _, c := range []struct {
		rule  string
		patch PatchCart
		want  Metadata
	}{
		{"absent leaves it", PatchCart{Email: ptr("a@b")}, old},
		{"an empty PATCH leaves it", PatchCart{}, old},
		{"null clears it", PatchCart{MetadataSent: true}, nil},
		{"a map replaces it", PatchCart{MetadataSent: true, Metadata: Metadata{{"c", Scalar{false, "1e2"}}}}, Metadata{{"c", Scalar{false, "1e2"}}}},
		{"the empty map replaces it", PatchCart{MetadataSent: true, Metadata: Metadata{}}, Metadata{}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Metadata, s.cart.Email = old, "before@b"
			s.do(c.patch)
			if !reflect.DeepEqual(s.cart.Metadata, c.want) {
				t.Errorf("metadata %#v; want %#v", s.cart.Metadata, c.want)
			}
			if c.patch.Email == nil && s.cart.Email != "before@b" {
				t.Errorf("email %q; want it unchanged", s.cart.Email)
			}
		})
	}
}
