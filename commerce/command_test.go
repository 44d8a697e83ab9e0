package commerce

import (
	"testing"
	"time"
)

// Spec: Customer token, Ownership.
func TestOwnership(t *testing.T) {
	account := Binding{ID: ada.CustomerID}
	captured := Binding{ID: testID(0x9e57), Guest: true}
	for _, c := range []struct {
		rule      string
		bound     Binding
		visitor   Visitor
		customers bool // the module
		want      *Refusal
	}{
		{"an unbound cart", Binding{}, guest, true, nil},
		{"an unbound cart with any token", Binding{}, ada, true, nil},
		{"an unbound cart with a bad token", Binding{}, badToken, true, nil},
		{"an unbound cart without the customers module", Binding{}, guest, false, nil},
		{"a guest's cart", captured, guest, true, nil},
		{"a guest's cart with a bad token", captured, badToken, true, nil},
		{"a guest's cart with any token", captured, trade, true, nil},
		{"a guest's cart without the customers module fails closed", captured, guest, false, CartOwned},
		{"an account's cart with its token", account, ada, true, nil},
		{"an account's cart without a token", account, guest, true, CartOwned},
		{"an account's cart with a bad token", account, badToken, true, CartOwned},
		{"an account's cart with another's token", account, trade, true, CartOwned},
		{"an account's cart without the customers module fails closed", account, ada, false, CartOwned},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.cart.Customer, s.in.Visitor = c.bound, c.visitor
			if !c.customers {
				s.shop.Modules &^= 1 << ModuleCustomers
			}
			if got := s.cart.CheckOwner(s.shop, &s.in.Visitor); got != c.want {
				t.Errorf("got %v; want %v", got, c.want)
			}
		})
	}
}

// Spec: Cart: every write extends the expiry by another 30 days.
func TestEveryWriteExtendsTheExpiry(t *testing.T) {
	s := newScene(t)
	if want := noon.Add(30 * 24 * time.Hour); !s.cart.ExpiresAt.Equal(want) {
		t.Errorf("a new cart expires %s; want %s", s.cart.ExpiresAt, want)
	}
	s.do(s.add(tile, One))
	line := s.cart.Lines[0].ID.String()
	for i, cmd := range []cartCommand{s.add(cord, One), ChangeLine{LineID: line, Quantity: 2 * One}, RemoveLine{line}, PatchCart{}} {
		s.in.Now = noon.AddDate(0, 0, 10*(i+1))
		s.do(cmd)
		if want := s.in.Now.Add(CartLifetime); !s.cart.UpdatedAt.Equal(s.in.Now) || !s.cart.ExpiresAt.Equal(want) || !s.cart.CreatedAt.Equal(noon) {
			t.Errorf("%T at %s: created %s, updated %s, expires %s", cmd, s.in.Now, s.cart.CreatedAt, s.cart.UpdatedAt, s.cart.ExpiresAt)
		}
	}
}

func TestAWriteWithAnEarlierClockDoesNotShortenTheLife(t *testing.T) {
	s := newScene(t)
	s.do(PatchCart{})
	updated, expires := s.cart.UpdatedAt, s.cart.ExpiresAt
	s.in.Now = updated.Add(-time.Second)
	s.do(PatchCart{})
	if !s.cart.UpdatedAt.Equal(updated) || !s.cart.ExpiresAt.Equal(expires) {
		t.Errorf("updated %s, expires %s; want %s, %s", s.cart.UpdatedAt, s.cart.ExpiresAt, updated, expires)
	}
}

// Every write copies the product's current tax and unit, which count once the product is gone.
func TestEveryWriteKeepsTheLastTaxAndUnit(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	s.shop.Product(tile).Tax, s.shop.Product(tile).Unit = taxed(9e9), UnitHour
	s.do(PatchCart{})
	s.shop.Products = nil
	s.shop.Index()
	s.do(PatchCart{})
	if l := s.cart.Lines[0]; l.Tax != 9e9 || l.Unit != UnitHour {
		t.Errorf("the line kept %s %% and %s; want 9 %% and hour", l.Tax, l.Unit)
	}
}
