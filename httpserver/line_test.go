package httpserver

import (
	"testing"

	"github.com/google/uuid"
)

// A connection remembers the greatest counter of its last carts, and no more than maxSeen.
func TestAConnectionRemembersItsLastCarts(t *testing.T) {
	var c seenCarts
	cart := func(n int) uuid.UUID { return uuid.UUID{15: byte(n)} }
	want := func(n int, counter uint64) {
		t.Helper()
		if got := c.counter(cart(n)); got != counter {
			t.Errorf("cart %d: %d, want %d", n, got, counter)
		}
	}
	want(1, 0)
	c.add(cart(1), 7)
	c.add(cart(2), 9)
	c.add(cart(1), 8)
	c.add(cart(1), 5) // a read that was overtaken
	want(1, 8)
	want(2, 9)
	for n := range maxSeen - 1 {
		c.add(cart(100+n), 1)
	}
	want(1, 8)
	want(2, 0)
	c.add(cart(99), 1)
	want(1, 0)
	if len(c) != maxSeen || cap(c) > 2*maxSeen {
		t.Errorf("%d carts, room for %d, want %d", len(c), cap(c), maxSeen)
	}
}
