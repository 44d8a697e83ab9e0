package commerce

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
)

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

// What is counted is shown to the account alone, as usage_limit, by the limit of today's document.
func TestAnAccountSeesItsOwnLimit(t *testing.T) {
	s := countScene(t)
	s.in.Visitor = ada
	s.count(2)
	s.do(AttachCode{Code: "C"})
	three := int64(3)
	for _, c := range []struct {
		name    string
		visitor Visitor
		limit   *int64
		want    string
	}{
		{"the account", ada, s.shop.Discounts[0].CustomerLimit, CodeUsageLimit},
		{"a guest", guest, s.shop.Discounts[0].CustomerLimit, ""},
		{"another account", Visitor{Known: true, CustomerID: testID(0x99)}, s.shop.Discounts[0].CustomerLimit, ""},
		{"the account, after an import that raised the limit", ada, &three, ""},
		{"the account, after an import without the limit", ada, nil, ""},
	} {
		s.shop.Discounts[0].CustomerLimit = c.limit
		s.shop.Index()
		s.in.Visitor = c.visitor
		if e := s.evaluate(); e.CodeErrors[0] != c.want || (len(e.Discounts) == 0) != (c.want != "") {
			t.Errorf("%s: %q with discounts %v, want %q", c.name, e.CodeErrors[0], e.Discounts, c.want)
		}
	}
	s.shop.Discounts[0].CustomerLimit = &three
	s.shop.Discounts[0].StartsAt = noon.AddDate(1, 0, 0)
	s.shop.Index()
	s.count(3)
	s.in.Visitor = ada
	s.do(AttachCode{Code: "C"})
	if e := s.evaluate(); e.CodeErrors[0] != CodeExpired {
		t.Errorf("expired and used up: %q", e.CodeErrors[0])
	}
	s.shop.Discounts[0].StartsAt = noon.AddDate(-1, 0, 0)
	s.shop.Index()
	if _, effects, r := s.try(s.order()); r != nil || effects.Sale.Uses != nil || effects.Sale.Order.Discounts != nil {
		t.Errorf("a checkout sells with %+v, %v", effects.Sale.Order, r)
	}
}

// A guest whose limit is reached buys at the order's own total: the counts are read where the expected
// total is another one than the cart's.
func TestACheckoutSellsAtItsOwnTotalBeyondALimit(t *testing.T) {
	s := countScene(t)
	guestUse := Use{Discount: testID(0xd1), Counter: CountCustomer, Field: s.shop.GuestID("buyer@example.com").String(), Limit: 2}
	for _, c := range []struct {
		name     string
		expected *Amount
		counts   *UseCounts
		want     string // "counts": they are to be read
	}{
		{"the cart's total", price(1195), nil, "sold"},
		{"another total", price(1695), nil, "counts"},
		{"another total, below the limit", price(1695), &UseCounts{[]Use{guestUse}, []int64{1}}, "CART_CHANGED"},
		{"the order's own total, at the limit", price(1695), &UseCounts{[]Use{guestUse}, []int64{2}}, "sold"},
		{"the cart's total, at the limit", price(1195), &UseCounts{[]Use{guestUse}, []int64{2}}, "CART_CHANGED"},
	} {
		s.in.Counts = c.counts
		_, effects, r := s.try(s.order(func(o *Checkout) { o.ExpectedTotal = c.expected }))
		got := shortly(r)
		if effects.Uncounted != nil {
			got = "counts"
			if !reflect.DeepEqual(effects.Uncounted.Uses, []Use{guestUse}) {
				t.Errorf("%s: needs %+v", c.name, effects.Uncounted)
			}
		}
		if got != c.want || got == "sold" && len(effects.Sale.Uses) != map[Amount]int{1195: 2, 1695: 0}[*c.expected] {
			t.Errorf("%s: %s with %+v, want %s", c.name, got, effects.Sale, c.want)
		}
	}
}
