package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"cartd/blackbox/faultsuite/model"
)

// buyer is who buys: a guest with an address, or an account, which may give another address.
type buyer struct {
	email   string
	account model.SalesAccount // without an id for a guest
}

// someBuyer is one of few: accounts buy in several carts at once, and guests buy under their addresses.
func someBuyer(dice *rand.Rand) buyer {
	b := buyer{email: model.SalesAddresses[dice.IntN(len(model.SalesAddresses))]}
	if dice.IntN(2) == 0 {
		b.account = model.SalesAccounts[dice.IntN(len(model.SalesAccounts))]
		if dice.IntN(3) > 0 {
			b.email = b.account.Email
		}
	}
	return b
}

// someCode is a code for an order; empty for none. Many sellers use one code for one order at once.
func (s *Sales) someCode(dice *rand.Rand) string {
	switch dice.IntN(6) {
	case 0:
		return ""
	case 1, 2:
		return model.SalesCode
	case 3, 4:
		return model.SalesEach
	}
	s.counting.Lock()
	serial := uint32(s.begun / 4)
	s.counting.Unlock()
	return model.SingleCode(serial)
}

// soldDiscount is a discount of an order or a quote.
type soldDiscount struct{ ID, Code string }

// use is a counted use of a discount's code.
type use struct {
	discount, code string
	buyer
}

// usesOf are the uses of what a buyer has bought.
func usesOf(b buyer, discounts []soldDiscount) (uses []use) {
	for _, d := range discounts {
		uses = append(uses, use{d.ID, d.Code, b})
	}
	return uses
}

// checkUses compares the counters with the uses of the quotes, and of the orders without a quote that are
// not cancelled. No counter is beyond its limit.
func (s *Sales) checkUses(t testing.TB) {
	t.Helper()
	uses := slices.Clone(s.promised)
	for _, o := range s.sales {
		if !o.quote && o.status != "cancelled" {
			uses = append(uses, o.uses...)
		}
	}
	spring := 0
	byAccount, byAddress, byCode := map[string]int{}, map[string]int{}, map[string]int{}
	for _, u := range uses {
		switch u.discount {
		case model.SalesSpring:
			spring++
		case model.SalesByEach:
			byAddress[u.email]++
			if u.account.ID != "" {
				byAccount[u.account.ID]++
			}
		case model.SalesSingle:
			byCode[u.code]++
		}
	}
	if got := s.exportedUses(t); got != spring || spring > s.Uses.Spring {
		s.violate("uses add up", "the code has %d uses, want %d of at most %d", got, spring, s.Uses.Spring)
	}
	const customers, codes = "uses of a customer", "uses of a code"
	counted := s.cluster.Redis.Hash(usesKey(model.SalesByEach))
	for _, a := range model.SalesAccounts {
		if got := counted[a.ID]; got != count(byAccount[a.ID]) {
			s.violate(customers, "the account %s has %q uses, want %d", a.Email, got, byAccount[a.ID])
		}
		delete(counted, a.ID)
	}
	s.compare(customers, counted, byAddress, s.Uses.Each) // fields are ids that are derived from the addresses
	s.compare(customers, nil, byAccount, s.Uses.Each)
	s.compare(codes, s.cluster.Redis.Hash(usesKey(model.SalesSingle)), byCode, 1)
	s.used = fmt.Sprintf("%d uses of a code, %d by %d addresses, %d codes of one use", spring, sum(byAddress), len(byAddress), len(byCode))
}

// count is a count as Redis has it: a field that was never used is absent.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func usesKey(discount string) string { return "{" + model.SalesStore + "}:uses:" + discount }

// compare compares the counts that are not 0, whatever their names are in Redis (nil: not there), with each
// other, and each one with the limit.
func (s *Sales) compare(check string, counted map[string]string, want map[string]int, limit int) {
	var got, wanted []int
	for _, text := range counted {
		if n, err := strconv.Atoi(text); n != 0 || err != nil {
			got = append(got, n)
		}
	}
	for name, n := range want {
		wanted = append(wanted, n)
		if n > limit {
			s.violate(check, "%s has %d uses, of at most %d", name, n, limit)
		}
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if counted != nil && !slices.Equal(got, wanted) {
		s.violate(check, "the counters have %v uses, want %v", got, wanted)
	}
}

func sum(counts map[string]int) (n int) {
	for _, one := range counts {
		n += one
	}
	return n
}

// exportedUses is the number of uses of the code for a number of orders.
func (s *Sales) exportedUses(t testing.TB) int {
	t.Helper()
	text, err := s.cluster.Command("export", "--store", model.SalesStore)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Discounts []struct {
			ID   string
			Used int
		}
	}
	err = json.Unmarshal(text, &document)
	for _, d := range document.Discounts {
		if d.ID == model.SalesSpring {
			return d.Used
		}
	}
	t.Fatalf("cartd export: %v: %s", err, text)
	return 0
}
