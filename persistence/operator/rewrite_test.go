package operator

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// After a conflict a rewriting is judged again by the new record, and reverts none of it. A
// cart's hold stays, also one that was granted short.
func TestRewritingJudgesAgain(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o := on(t, s)
		s.Client().HSet(background, stock.OnHandKey(shopID), nails.String(), int64(units(5)))
		c := asking(1, 7)
		c.Email = "ada@example.com"
		made := engine.CartRecord{Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: 1}, State: c}
		granted := o.visit(t, engine.CartRecord{}, made).Current
		if granted.State == nil || granted.State.Hold.Asks[0].Granted != units(5) {
			t.Fatalf("granted %+v, want the 5 that there are", granted.State)
		}
		seen := 0
		done, err := rewriteRecord(background, o.rewriter(shopID), persistence.Carts, c.ID, func(c *commerce.Cart) (*commerce.Cart, bool) {
			if seen++; seen == 1 { // another node writes after it was read
				next := *granted.State
				next.Metadata = commerce.Metadata{{Key: "a", Value: commerce.Scalar{Text: "1"}}}
				o.visit(t, granted, engine.CartRecord{Stamp: engine.Stamp{Counter: 2, Writer: 9, Sequence: 2}, State: &next})
			}
			next := *c
			next.Email = ""
			return &next, true
		}, nil)
		if !done || err != nil || seen != 2 {
			t.Fatalf("rewritten: %v, %v, after %d calls", done, err, seen)
		}
		got := o.cart(t, c.ID)
		if got.State.Email != "" || len(got.State.Metadata) != 1 || got.State.Hold.Asks[0].Granted != units(5) {
			t.Errorf("the cart is %+v", got.State)
		}
		if held := s.Client().HGet(background, stock.HeldKey(shopID), nails.String()).Val(); stock.Micros(held) != units(5) {
			t.Errorf("held are %s", held)
		}
		if !got.Applied(engine.Stamp{Counter: 2, Writer: 9, Sequence: 2}) {
			t.Errorf("the record forgets its actor's last write: %+v", got)
		}
	})
}

// A missing record, and one that must not change, are left.
func TestRewritingLeavesUnchangedAndMissingRecords(t *testing.T) {
	o := on(t, redistest.Mini(t))
	c := asking(1, 1)
	o.visit(t, engine.CartRecord{}, engine.CartRecord{Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: 1}, State: c})
	before := o.cart(t, c.ID)
	for _, id := range []uuid.UUID{c.ID, testID(2)} {
		done, err := rewriteRecord(background, o.rewriter(shopID), persistence.Carts, id, func(c *commerce.Cart) (*commerce.Cart, bool) { return c, false }, nil)
		if done || err != nil {
			t.Errorf("%s: %v, %v", id, done, err)
		}
	}
	if after := o.cart(t, c.ID); after.Stamp != before.Stamp {
		t.Errorf("the stamp was %v and is %v", before.Stamp, after.Stamp)
	}
}

// asking is a cart that asks for nails, for an hour.
func asking(id int, nailsAsked int64) *commerce.Cart {
	now := time.Now().Truncate(time.Millisecond).UTC()
	c := commerce.NewCart(testID(id), now)
	c.Hold = commerce.Hold{Asks: []commerce.StockAsk{{Item: nails, Quantity: units(nailsAsked), Granted: units(nailsAsked)}}, Until: now.Add(time.Hour)}
	return c
}

// cart reads a cart's record.
func (o Operator) cart(t *testing.T, id uuid.UUID) engine.CartRecord {
	t.Helper()
	found, _, err := readRecord(background, o, records.Carts, engine.RecordKey{Store: shopID, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
