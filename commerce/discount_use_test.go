package commerce

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
)

// twice is a code's discount that each customer may use a number of times.
func twice(n int, limit int64) Discount {
	return Discount{ID: testID(0xd0 + n), Kind: DiscountOrder, Code: "C", Active: true, Value: DiscountValue{Percent: 50e9}, CustomerLimit: &limit}
}

// The counts of a code of a batch do not expire, nor those of a discount beside its batches: a code would be new again. The order keeps
// the uses without their limits.
func TestCountsBesideBatchesOfCodesLast(t *testing.T) {
	for _, own := range []bool{true, false} {
		s := checkoutScene(t)
		d := twice(1, 1)
		d.CodeBatches = []CodeBatch{{Number: 7, Prefix: "B", Secret: make([]byte, 24), Active: true, Uses: 2}}
		s.shop.Discounts = []Discount{d}
		s.shop.Index()
		code, want := "c", 2 // of all and of the guest
		if !own {
			code, want = slowCode(d.ID, &d.CodeBatches[0], 99), 3
		}
		s.do(AttachCode{Code: code})
		_, effects, r := s.try(s.order())
		if r != nil || len(effects.Sale.Uses) != want || effects.Sale.Uses[0].Lasting {
			t.Fatalf("%v: uses %+v", r, effects.Sale.Uses)
		}
		for i, use := range effects.Sale.Uses[1:] {
			kept := Use{Discount: use.Discount, Counter: use.Counter, Field: use.Field}
			if !use.Lasting || effects.Sale.Order.Uses[i] != kept {
				t.Errorf("the use %+v, the order keeps %+v", use, effects.Sale.Order.Uses[i])
			}
		}
	}
}

// What two commits of one change found missing is missing for the third: the cart without the first
// discount may have the second.
func TestShortagesOfOneChangeJoin(t *testing.T) {
	first, second := Use{Discount: testID(1), Limit: 1}, Use{Discount: testID(2), Counter: CountCustomer, Field: "a", Limit: 1}
	s := &Shortage{Stock: []StockAsk{{Item: testID(9)}}, Used: []Use{second}}
	s.Join(nil)
	s.Join(&Shortage{Stock: []StockAsk{{Item: testID(8)}}, Used: []Use{first, second}})
	if want := (&Shortage{Stock: []StockAsk{{Item: testID(9)}}, Used: []Use{second, first}}); !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if !s.usedUp(testID(1), nil) || !s.usedUp(testID(2), nil) || s.usedUp(testID(3), nil) || (*Shortage)(nil).usedUp(testID(1), nil) {
		t.Error("the wrong discounts are used up")
	}
}

// Counts of one discount and field are kept apart by their counter.
func TestCountsAreOfOneCounter(t *testing.T) {
	all, customer := Use{Discount: testID(1), Counter: CountAll, Field: "f"}, Use{Discount: testID(1), Counter: CountCustomer, Field: "f"}
	counts := &UseCounts{Uses: []Use{all, customer}, Counts: []int64{7, 2}}
	if n, known := counts.of(customer); n != 2 || !known {
		t.Errorf("the customer's count is %d, %v, want 2", n, known)
	}
}

// A sale that is short of stock and of a use misses both.
func TestShortageHasStockAndUses(t *testing.T) {
	stock, use := StockAsk{Item: testID(1), Quantity: 2, Granted: 1}, Use{Discount: testID(2), Counter: CountCustomer, Field: "f", Limit: 3}
	in := &Input{Shortage: &Shortage{Stock: []StockAsk{stock}}, Counts: &UseCounts{Uses: []Use{use}, Counts: []int64{3}}}
	if got, want := in.shortage(), (&Shortage{Stock: []StockAsk{stock}, Used: []Use{use}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What was counted for another visitor, or for a code that is gone, is forgotten with the next count. A visitor without an account has used
// nothing.
func TestCountsAreOfTheVisitor(t *testing.T) {
	d, account := twice(1, 2), testID(9)
	s := checkoutScene(t)
	s.shop.Discounts = []Discount{d}
	s.shop.Modules = s.shop.Modules.With(ModuleCustomers)
	s.shop.Index()
	codes := []AttachedCode{{Code: "C", Counted: CountedUses{testID(8), 2}}, {Code: "gone", Used: 5, Counted: CountedUses{testID(8), 2}}}
	in := &Input{Store: s.shop, Visitor: Visitor{Known: true, CustomerID: account}}
	if in.countUses(codes) == nil || codes[0].Counted != (CountedUses{}) || codes[1].Used != 0 || codes[1].Counted != (CountedUses{}) {
		t.Errorf("kept %+v", codes)
	}
	if counted := (AttachedCode{Counted: CountedUses{Uses: 2}}); counted.usedUpBy(uuid.Nil, &d) {
		t.Error("a visitor without an account has used the code up")
	}
}

// countScene is a cart with the code of a discount that each customer may use twice.
func countScene(t *testing.T) *scene {
	s := checkoutScene(t)
	other := twice(2, 1)
	other.Code, other.CustomerLimit = "D", nil
	s.shop.Discounts = []Discount{twice(1, 2), other}
	s.shop.Index()
	s.shop.Modules = AllModules()
	s.do(AttachCode{Code: "c"})
	return s
}

// usedBy is the use of the discount by an account.
func usedBy(account uuid.UUID) Use {
	return Use{Discount: testID(0xd1), Counter: CountCustomer, Field: account.String(), Limit: 2}
}

// count answers a command that needs counts: ada has used the discount a number of times.
func (s *scene) count(uses int64) {
	s.in.Counts = &UseCounts{[]Use{usedBy(ada.CustomerID)}, []int64{uses}}
}

// An attach with a token, a PATCH that binds and the last commit of a claim need the account's uses of
// codes that have the limit, and keep them with the codes. docs/api/discounts.md#limits.
func TestTheAccountsUsesAreCountedAhead(t *testing.T) {
	email := "ada@example.com"
	needs := &Uncounted{[]Use{usedBy(ada.CustomerID)}}
	for _, c := range []struct {
		name    string
		visitor Visitor
		command cartCommand
		edit    func(*scene)
		needs   bool
	}{
		{"attach with a token", ada, AttachCode{Code: "C"}, nil, true},
		{"attach by a guest", guest, AttachCode{Code: "C"}, nil, false},
		{"attach of a code without the limit", ada, AttachCode{Code: "D"}, nil, false},
		{"attach of an unknown code", ada, AttachCode{Code: "X"}, nil, false},
		{"attach without the module", ada, AttachCode{Code: "C"}, func(s *scene) { s.shop.Modules = Modules(0) }, false},
		{"PATCH that binds", ada, PatchCart{Email: &email}, nil, true},
		{"PATCH by a guest", guest, PatchCart{Email: &email}, nil, false},
		{"PATCH of the metadata", ada, PatchCart{MetadataSent: true}, nil, false},
		{"PATCH of the checkout that binds", ada, &KeepCheckout{Email: &email}, nil, true},
		{"PATCH that binds a cart without codes", ada, PatchCart{Email: &email}, func(s *scene) { s.do(DetachCode{}) }, false},
		{"claim", ada, ClaimCart{}, nil, true},
		{"first commit of a claim", ada, ClaimCart{}, func(s *scene) { s.in.Folding = true }, false},
		{"add", ada, AddLine{ProductID: tile, Quantity: One, LineID: testID(0x77)}, nil, false},
	} {
		s := countScene(t)
		if c.edit != nil {
			c.edit(s)
		}
		s.in.Visitor = c.visitor
		_, effects, r := s.try(c.command)
		var want *Uncounted
		if c.needs {
			want = needs
		}
		if r != nil || !reflect.DeepEqual(effects.Uncounted, want) {
			t.Errorf("%s: needs %+v, %v; want %+v", c.name, effects.Uncounted, r, want)
		}
		if !c.needs {
			continue
		}
		s.in.Counts = &UseCounts{[]Use{usedBy(testID(0x99))}, []int64{1}}
		if _, effects, _ = s.try(c.command); effects.Uncounted == nil {
			t.Errorf("%s: it takes another account's uses", c.name)
		}
		s.count(1)
		next, effects, r := s.try(c.command)
		if r != nil || effects.Uncounted != nil || next.Codes[0].Counted != (CountedUses{ada.CustomerID, 1}) {
			t.Errorf("%s: keeps %+v, needs %+v, %v", c.name, next.Codes, effects.Uncounted, r)
		}
		if s.cart.Codes[0].Counted != (CountedUses{}) {
			t.Errorf("%s: the cart before has changed", c.name)
		}
	}
}
