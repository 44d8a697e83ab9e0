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
