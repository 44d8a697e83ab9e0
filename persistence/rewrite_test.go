package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// After a conflict a rewriting is judged again by the new record, and reverts none of it. A
// cart's hold stays, also one that was granted short.
func TestRewritingJudgesAgain(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		c := asking(1, expiresIn, nails, 7)
		c.Email = "ada@example.com"
		f.write(c)
		f.wantHeld("of what there is", nails, 5)
		seen := 0
		done, err := rewriteRecord(background, f.db.rewriter(shopID), cartVisits, c.ID, func(c *commerce.Cart) (*commerce.Cart, bool) {
			if seen++; seen == 1 { // another node writes after it was read
				next := *f.carts[c.ID].State
				next.Metadata = commerce.Metadata{{Key: "a", Value: commerce.Scalar{Text: "1"}}}
				f.write(&next)
			}
			next := *c
			next.Email = ""
			return &next, true
		}, nil)
		if !done || err != nil || seen != 2 {
			t.Fatalf("rewritten: %v, %v, after %d calls", done, err, seen)
		}
		got := f.loaded(c.ID)
		if got.State.Email != "" || len(got.State.Metadata) != 1 || got.State.Hold.Asks[0].Granted != units(5) {
			t.Errorf("the cart is %+v", got.State)
		}
		f.wantHeld("afterwards", nails, 5)
		if !got.Applied(engine.Stamp{Counter: 2, Writer: 9, Sequence: 2}) {
			t.Errorf("the record forgets its actor's last write: %+v", got)
		}
	}, nails, 5)
}

// A missing record, and one that must not change, are left.
func TestRewritingLeavesUnchangedAndMissingRecords(t *testing.T) {
	f := newShelf(t, redistest.Mini(t), nails, 5)
	cart := f.write(asking(1, expiresIn, nails, 1))
	before := f.loaded(cart.ID)
	for _, id := range []uuid.UUID{cart.ID, testID(2)} {
		done, err := rewriteRecord(background, f.db.rewriter(shopID), cartVisits, id, func(c *commerce.Cart) (*commerce.Cart, bool) { return c, false }, nil)
		if done || err != nil {
			t.Errorf("%s: %v, %v", id, done, err)
		}
	}
	if after := f.loaded(cart.ID); after.Stamp != before.Stamp {
		t.Errorf("the stamp was %v and is %v", before.Stamp, after.Stamp)
	}
}
