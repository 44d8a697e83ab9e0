package commerce

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
)

// A copy has today's prices, names and ids of its own; a line that an add refuses is left out whole.
func TestCopyOfACart(t *testing.T) {
	s := newScene(t)
	code := "TEN"
	s.cart = &Cart{
		ID: testID(0xc1), Status: CartConverted, Email: "a@b.co", Metadata: Metadata{}, Codes: []AttachedCode{{Code: code}}, OrderID: testID(1), CreatedAt: noon,
		Lines: []Line{
			{ID: testID(1), ProductID: tile, Name: "as it was", Quantity: 2 * One, UnitPrice: 1},
			{ID: testID(2), ProductID: nowhere, Quantity: 1500},
			{ID: testID(3), ProductID: cord, Quantity: 1500},
			{ID: testID(4), ProductID: drill, Quantity: One},
			{ID: testID(5), ProductID: gift, Quantity: 1000 * One},
		},
	}
	id := testID(0xc2)
	in := &Input{Store: s.shop, Now: noon, Next: 1}
	made, left, r := CopyOfCart(s.cart).Make(id, in)
	if r != nil {
		t.Fatal(r)
	}
	if made.ID != id || made.Status != CartActive || made.Email != "a@b.co" || made.Metadata == nil || made.Codes != nil || made.OrderID != uuid.Nil ||
		made.Customer.Bound() || made.CreatedAt != noon || made.ExpiresAt != noon.Add(CartLifetime) {
		t.Errorf("the copy is %+v", made)
	}
	wantLeft := []LeftOut{
		{nowhere, uuid.Nil, 1500, nil, "Product is not available."},
		{drill, uuid.Nil, One, nil, "INVALID_CONFIGURATION"},
		{gift, uuid.Nil, 1000 * One, nil, "cart_constraint"},
	}
	if len(left) != len(wantLeft) {
		t.Fatalf("left out: %+v", left)
	}
	for i := range left {
		if left[i] != wantLeft[i] {
			t.Errorf("left out: %+v, want %+v", left[i], wantLeft[i])
		}
	}
	if len(made.Lines) != 2 || made.Lines[0].ProductID != tile || made.Lines[1].ProductID != cord || made.Lines[1].Quantity != 1500 {
		t.Fatalf("lines %+v", made.Lines)
	}
	price, _ := UnitPrice(s.shop.Product(tile), nil, Pricing{}, 2*One)
	if l := made.Lines[0]; l.UnitPrice != price || l.Name != s.shop.Product(tile).Name || l.ID == testID(1) || l.ID == made.Lines[1].ID || l.Born != 1 {
		t.Errorf("line %+v, want the price %d", l, price)
	}
	again, _, _ := CopyOfCart(s.cart).Make(id, in)
	if again.Lines[0].ID != made.Lines[0].ID {
		t.Error("another judgement gives a line another id")
	}
	if s.cart.Lines[0].UnitPrice != 1 || len(s.cart.Lines) != 5 {
		t.Errorf("the original became %+v", s.cart)
	}
}

// The copy is bound only if the visitor is the original's account.
func TestBindingOfACopy(t *testing.T) {
	s := newScene(t)
	for _, c := range []struct {
		name    string
		owner   Binding
		visitor Visitor
		off     bool
		want    uuid.UUID
	}{
		{"the account itself", Binding{ID: ada.CustomerID}, ada, false, ada.CustomerID},
		{"a guest", Binding{ID: ada.CustomerID}, guest, false, uuid.Nil},
		{"another account", Binding{ID: testID(0x77)}, ada, false, uuid.Nil},
		{"an original of a guest customer", Binding{ID: ada.CustomerID, Guest: true}, ada, false, uuid.Nil},
		{"an original of nobody", Binding{}, ada, false, uuid.Nil},
		{"without customers", Binding{ID: ada.CustomerID}, ada, true, uuid.Nil},
	} {
		shop := *s.shop
		if c.off {
			shop.Modules = Modules(0).With(ModuleCommerce)
		}
		order := &Order{Email: "a@b.co", Customer: c.owner, Lines: []OrderLine{{Line: Line{ID: testID(1), ProductID: tile, Quantity: One}}}}
		made, left, r := CopyOfOrder(order).Make(testID(0xc2), &Input{Store: &shop, Visitor: c.visitor, Now: noon, Next: 1})
		if r != nil || len(left) != 0 || made.Customer != (Binding{ID: c.want}) || made.Email != "a@b.co" || len(made.Lines) != 1 {
			t.Errorf("%s: %+v, %v, %v; want the customer %s", c.name, made, left, r, c.want)
		}
	}
}

// The copy of an order that is a second try keeps as many of its codes as the store's carts have today.
func TestCopyKeepsCodesUpToTheLimit(t *testing.T) {
	s := newScene(t)
	order := &Order{Status: OrderCancelled, Lines: []OrderLine{{Line: Line{ID: testID(1), ProductID: tile, Quantity: One}}}}
	for _, code := range []string{"A", "B", "C"} {
		order.Discounts = append(order.Discounts, OrderDiscount{Code: code})
	}
	for limit, want := range []string{"[A]", "[A]", "[A B]", "[A B C]", "[A B C]"} {
		s.shop.Policy.MaxDiscountCodes = limit
		made, _, r := CopyOfOrder(order).Make(testID(0xc2), &Input{Store: s.shop, Now: noon, Next: 1})
		var codes []string
		for _, attached := range made.Codes {
			codes = append(codes, attached.Code)
		}
		if got := fmt.Sprint(codes); r != nil || got != want {
			t.Errorf("limit %d: %s, %v; want %s", limit, got, r, want)
		}
	}
}

// A made-to-measure line is configured and priced anew.
func TestCopyOfAConfiguredLine(t *testing.T) {
	s := newScene(t)
	s.do(s.addConfigured(One, "linen"))
	s.cart.Lines[0].UnitPrice = 1
	made, left, r := CopyOfCart(s.cart).Make(testID(0xc2), &Input{Store: s.shop, Now: noon, Next: 1})
	if r != nil || len(left) != 0 || len(made.Lines) != 1 || made.Lines[0].Configuration == nil || made.Lines[0].UnitPrice == 1 ||
		made.Lines[0].Configuration.Hash != s.cart.Lines[0].Configuration.Hash {
		t.Errorf("%+v, %v, %v", made, left, r)
	}
	s.cart.Lines[0].Configuration.Choices = nil
	if made, left, _ = CopyOfCart(s.cart).Make(testID(0xc2), &Input{Store: s.shop, Now: noon, Next: 1}); len(made.Lines) != 0 ||
		left[0].Reason != "INVALID_CONFIGURATION" {
		t.Errorf("%+v, %v", made, left)
	}
}
