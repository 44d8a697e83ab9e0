package persistence

import (
	"fmt"
	"slices"
	"testing"

	"cartd/internal/redistest"
)

// moving is a shop whose customers have the addresses of these numbers.
func moving(name string, numbers []int) shop {
	s := theShop()
	s.Name = name
	for i, n := range numbers {
		s.Customers = append(s.Customers, shopCustomer{ID: testID(0x1000 + i), Email: fmt.Sprintf("c%d@example.com", n)})
	}
	return s
}

// astray is how many customers have an address that leads to another.
func astray(t *testing.T, db *DB, s shop) int {
	t.Helper()
	ids := make([]string, len(s.Customers))
	for i := range ids {
		ids[i] = s.Customers[i].ID.String()
	}
	found, err := db.readCustomers(background, shopID, ids)
	if err != nil {
		t.Fatal(err)
	}
	return len(ids) - len(found)
}

// Addresses that customers hand on to each other, in any order of the document, lead to
// whoever has them at any moment that an import may be killed in; but for one of a round.
func TestAKilledImportLeavesNobodyWithoutTheirAddress(t *testing.T) {
	alone(t)
	t.Parallel()
	killedWhileMoving(t, 7)
}

// killedWhileMoving kills imports at every step-th of their commands.
func killedWhileMoving(t *testing.T, step int64) {
	t.Helper()
	const customers = customerChunk + 4
	numbers := make([]int, customers)
	for i := range numbers {
		numbers[i] = i
	}
	up, down, round := slices.Clone(numbers), slices.Clone(numbers), slices.Clone(numbers)
	for i := range numbers {
		up[i], down[i], round[i] = i+1, i-1, (i+1)%customers
	}
	down[0] = customers
	for _, c := range []struct {
		name    string
		numbers []int
		most    int // how many may be astray
	}{{"up", up, 0}, {"down", down, 0}, {"round", round, 1}} {
		s := redistest.Mini(t)
		before, after := moving("Before", numbers), moving("After", c.numbers)
		for n := int64(1); ; n += step {
			before.save(t, node(t, s))
			killed := node(t, s)
			killed.main.client.AddHook(breakdown(n, false))
			_, err := killed.SaveStore(background, after.document(t), true)
			if got := astray(t, node(t, s), after); got > c.most || err == nil && got > 0 {
				t.Errorf("%s, killed at command %d: %d addresses lead to another, want at most %d", c.name, n, got, c.most)
			}
			if err == nil {
				break
			}
		}
	}
}
