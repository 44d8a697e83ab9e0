//go:build long

package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// An account binds a cart while a client without a token adds to it. Either the add is first and
// its line is there, or it is refused and leaves no line.
func TestLongRefusedAddBesideABindingLeavesNothing(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Real(t), keyShop)
	account := nodes[1].withToken(tokenAda)
	for range 40 {
		path := nodes[0].newCart()
		both := together(2, func(i int) outcome {
			if i == 0 {
				return nodes[0].outcome("POST", path+"/lines", addBody(hammer, "1"))
			}
			return account.outcome("PATCH", path, `{"email":"ada@example.com"}`)
		})
		add, bind := both[0], both[1]
		if add.err != nil || bind.err != nil {
			t.Fatalf("%v %v", add.err, bind.err)
		}
		bind.wantStatus(http.StatusOK)
		if add.status == http.StatusCreated {
			account.get(path).wantLines(200, "Hammer 1 × 1999 = 1999")
			continue
		}
		add.want(http.StatusForbidden, cartOwned)
		account.get(path).wantLines(200)
	}
}

// Two accounts bind one cart at once: one of them owns it, the other is refused.
func TestLongOnlyOneAccountBindsACart(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Real(t), keyShop)
	tokens := [2]string{tokenAda, tokenTess}
	for range 25 {
		path := nodes[0].newCart()
		both := together(2, func(i int) outcome {
			return nodes[i].withToken(tokens[i]).outcome("PATCH", path, `{"email":"x@example.com"}`)
		})
		winner := 0
		if both[0].status == http.StatusForbidden {
			winner = 1
		}
		if both[0].err != nil || both[1].err != nil {
			t.Fatalf("%v %v", both[0].err, both[1].err)
		}
		both[winner].wantStatus(http.StatusOK)
		both[1-winner].want(http.StatusForbidden, cartOwned)
		nodes[0].wantAccess(path, access{tokens[winner], 200}, access{tokens[1-winner], 403}, access{"", 403})
	}
}
