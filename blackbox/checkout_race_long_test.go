//go:build long

package blackbox_test

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
)

// soldPair are two nodes on one Redis with limited stock and a limited code.
func soldPair(t *testing.T, r *redistest.Server) [2]client {
	t.Helper()
	file := storeFile(t, base(), withShipping, withStock, withLimit, collected)
	return [2]client{
		start(t, options{redis: r.URL(), stores: []string{file}}).client(t), start(t, options{redis: r.URL(), stores: []string{file}}).client(t),
	}
}

// Two nodes get checkouts of one cart at once. One makes the order, and all others answer with it.
// An add that races them is in the order, or 404.
func TestLongSimultaneousCheckoutsMakeOneOrder(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := soldPair(t, r)
	var sold []order
	for round := range 10 {
		path := nodes[0].newCart()
		nodes[round%2].add(path, nails, "1")
		answers := together(16, func(i int) outcome {
			if i%4 == 3 {
				return nodes[i/4%2].outcome("POST", path+"/lines", addBody(nails, "1"))
			}
			return nodes[i%2].outcome("POST", path+"/checkout", buyer)
		})
		made, added := 0, 1
		var first order
		for i, a := range answers {
			switch {
			case a.err != nil:
				t.Fatalf("round %d: %v", round, a.err)
			case i%4 == 3 && a.status == 201:
				added++
			case i%4 == 3:
				a.wantStatus(404)
			default:
				if a.status == 201 {
					made++
				}
				got := a.order(a.status)
				if first.ID == "" {
					first = got
				}
				if got.ID != first.ID || got.Number != first.Number || a.status == 200 && a.header.Get("Idempotent-Replayed") != "true" {
					t.Fatalf("round %d: %v\nwant the order %s", round, a, first.ID)
				}
			}
		}
		if made != 1 || first.Lines[0].Quantity.String() != fmt.Sprint(added) {
			t.Fatalf("round %d: %d orders, of %s nails; want one, of %d", round, made, first.Lines[0].Quantity, added)
		}
		sold = append(sold, first)
	}
	wantNumbers(t, sold)
}
