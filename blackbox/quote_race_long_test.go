//go:build long

package blackbox_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"cartd/internal/redistest"
)

// quotedPair are two nodes on one Redis with limited stock. A trusted proxy names a caller of its
// own for each answer, so that the limit of thirty a minute does not refuse any.
func quotedPair(t *testing.T, r *redistest.Server) (nodes [2]client, answer func(n int, path, body string) outcome) {
	t.Helper()
	file := storeFile(t, base(), withShipping, withStock, withLimit, collected)
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}, flags: []string{"--trusted-proxies", "127.0.0.1"}}).client(t)
	}
	var callers atomic.Int64
	return nodes, func(n int, path, body string) outcome {
		caller := callers.Add(1)
		return nodes[n%2].withHeader("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", caller/250, caller%250)).outcome("POST", path, body)
	}
}

// Of simultaneous answers to one quote on two nodes one counts, and every later request sees the
// same outcome. The order of an accepted quote is also the answer of a checkout of its cart.
func TestLongSimultaneousAnswersToAQuoteHaveOneOutcome(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes, answer := quotedPair(t, r)
	var sold []order
	declined := 0
	for round := range 16 {
		path := nodes[0].newCart()
		nodes[round%2].add(path, nails, "1")
		q := nodes[round%2].post(path+"/quote-request", buyer).quote(201)
		kinds := []string{"/accept", "/decline"}
		if round%4 == 3 {
			kinds[1] = "/accept"
		}
		answers := together(8, func(i int) outcome {
			if i == 7 {
				return nodes[i%2].outcome("POST", path+"/checkout", buyer)
			}
			return answer(i+round, q.path()+kinds[i/2%2], "")
		})
		var o order
		won, wins := "", 0
		for i, a := range answers {
			switch {
			case a.err != nil:
				t.Fatalf("round %d: %v", round, a.err)
			case i == 7 || a.status == 409:
			case a.status == 201:
				_, o = a.accepted(201)
				won, wins = "accepted", wins+1
			default:
				a.wantStatus(200)
				won, wins = "declined", wins+1
			}
		}
		if wins != 1 {
			t.Fatalf("round %d: %d answers count", round, wins)
		}
		for i, a := range answers {
			switch {
			case i == 7 && a.status == 200:
				if o.ID == "" || a.order(200).ID != o.ID {
					t.Errorf("%v\nwant the order %s", a, o.ID)
				}
			case i == 7:
				a.wantStatus(404)
			case a.status == 409 && won == "accepted":
				a.want(409, alreadyConverted(o.ID))
			case a.status == 409:
				a.want(409, `{"message":"This quote is not on offer.","code":"QUOTE_NOT_OFFERED"}`)
			}
		}
		for _, c := range nodes {
			if seen := c.get(q.path()).bareQuote(200); seen.Status != won || (seen.OrderID != nil) != (won == "accepted") {
				t.Errorf("round %d: %+v, want it %s", round, seen, won)
			}
			if won == "accepted" {
				if again := c.checkOut(path, "").order(200); again.ID != o.ID || again.Number != o.Number {
					t.Errorf("the cart's order is %+v, want %+v", again, o)
				}
			} else {
				c.checkOut(path, "").wantStatus(404)
			}
		}
		if won == "accepted" {
			sold = append(sold, o)
		} else {
			declined++
		}
	}
	if wantNumbers(t, sold); len(sold) < 4 {
		t.Errorf("%d accepted and %d declined", len(sold), declined)
	}
}

// Of simultaneous requests for quotes of one cart, and a checkout, one counts.
func TestLongSimultaneousRequestsMakeOneQuote(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes, _ := quotedPair(t, r)
	made := 0
	for round := range 10 {
		path := nodes[0].newCart()
		nodes[round%2].add(path, hammer, "1")
		answers := together(8, func(i int) outcome {
			if i == round%3 {
				return nodes[i%2].outcome("POST", path+"/checkout", buyer)
			}
			return nodes[i%2].outcome("POST", path+"/quote-request", buyer)
		})
		wins := 0
		for i, a := range answers {
			switch {
			case a.err != nil:
				t.Fatalf("round %d: %v", round, a.err)
			case a.status == 201 && i != round%3:
				made++
				if q := a.quote(201); q.Number != made {
					t.Errorf("the quote has the number %d, want %d", q.Number, made)
				}
				fallthrough
			case a.status == 201:
				wins++
			default:
				a.wantStatus(404)
			}
		}
		if wins != 1 {
			t.Fatalf("round %d: %d requests count", round, wins)
		}
	}
}

// Example 7, a thousand times on a real Redis.
func TestLongOfferAgainstAccept(t *testing.T) {
	t.Parallel()
	offersAgainstAccepts(t, redistest.Real(t), 1000)
}
