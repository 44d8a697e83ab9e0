package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// An account binds a cart while somebody adds to it without a token: the add
// came first and is there, or it is refused and left nothing.
func TestAnAddThatLosesToABindingLeavesNothing(t *testing.T) {
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

// Two accounts bind one cart at once: one has it, the other is refused.
func TestOnlyOneAccountBindsACart(t *testing.T) {
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

// Two simultaneous changes of one line: the cart ends as one of them says, and
// both answers agree with themselves.
func TestSimultaneousChangesEndAsOneOfThem(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Real(t), keyShop)
	path := nodes[0].newCart()
	id := nodes[0].add(path, nails, "1").Lines[0].ID
	for range 25 {
		answers := together(2, func(i int) outcome {
			return nodes[i].outcome("PATCH", path+"/lines/"+id, []string{`{"quantity":10}`, `{"quantity":60}`}[i])
		})
		for i, want := range []string{"Nails 10 × 450 = 4500", "Nails 60 × 400 = 24000"} {
			if answers[i].err != nil {
				t.Fatal(answers[i].err)
			}
			answers[i].wantLines(http.StatusOK, want)
		}
		got := nodes[0].get(path).cart(http.StatusOK).plain()
		if got != "Nails 10 × 450 = 4500" && got != "Nails 60 × 400 = 24000" {
			t.Errorf("after two changes the cart holds %s", got)
		}
	}
}
