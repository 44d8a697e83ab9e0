package blackbox_test

import (
	"fmt"
	"slices"
	"sync"
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

// Of checkouts of one cart at once on two nodes one makes the order, and the others answer it. An
// add that races them is in the order, or 404.
func TestCheckoutsAtOnceMakeOneOrder(t *testing.T) {
	t.Parallel()
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
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
	})
}

// Sixteen shoppers on two nodes: no more is sold than there is, no more orders use the code than may,
// and the numbers have no gap.
func TestStockAndLimitsAreNeverPassed(t *testing.T) {
	t.Parallel()
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		nodes := soldPair(t, r)
		var mu sync.Mutex
		var sold []order
		discounted, changed, short := 0, 0, 0
		together(16, func(shopper int) bool {
			shop := nodes[shopper%2]
			for range 2 {
				path := shop.newCart()
				shop.add(path, hammer, "1")
				shop.attach(path, "THREE").wantStatus(200)
				a := shop.checkOut(path, buyer)
				for tries := 0; a.status == 409 && tries < 3; tries++ {
					mu.Lock()
					if string(a.body[:40]) == `{"message":"The cart has changed.","code` {
						changed++
					} else {
						short++
					}
					mu.Unlock()
					a = shop.checkOut(path, buyer)
				}
				if a.status == 409 {
					continue
				}
				o := a.order(201)
				mu.Lock()
				sold = append(sold, o)
				if len(o.Discounts) > 0 {
					discounted++
				}
				mu.Unlock()
			}
			return true
		})
		wantNumbers(t, sold)
		if len(sold) != 10 || discounted != 3 || short == 0 {
			t.Errorf("%d orders, %d with the code, %d times changed, %d times short; want 10 and 3", len(sold), discounted, changed, short)
		}
		nodes[0].wantStock("", "0 of "+hammer)
		used := r.Client().HGet(t.Context(), "{"+storeBase+"}:usage", "60000000-0000-4000-8000-000000000001").Val()
		if used != "3" {
			t.Errorf("the code was used %s times, want 3", used)
		}
		path := nodes[1].newCart()
		nodes[1].add(path, nails, "1")
		if seen := nodes[1].attach(path, "THREE").cart(200); seen.DiscountCodeError == nil || *seen.DiscountCodeError != "usage_limit" {
			t.Errorf("the code is %v, want used up", seen.DiscountCodeError)
		}
		o := nodes[1].checkOut(path, buyer).order(201) // a code in error does not hinder
		if len(o.Discounts) != 0 || slices.Max(numbers(append(sold, o))) != 11 {
			t.Errorf("then the order is %+v", o)
		}
	})
}
