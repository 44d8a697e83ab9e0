package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// A command that would make the record too large is refused alone: those before it and
// after it in the same commit are done.
func TestOnlyTheCommandThatDoesNotFitIsRefused(t *testing.T) {
	s := newScene(t)
	s.store.maxLines = 3
	calls := s.whileCommitting(add(0), add(1), add(2), addMany(1, 4), remove(0), add(3))
	for i, want := range []error{nil, nil, commerce.CartTooLarge, nil, nil, nil} {
		reply := s.wantError(calls[i], want)
		if want != nil && len(reply.Cart.Lines) != 3 {
			t.Errorf("the refused add is answered with %d lines, want 3", len(reply.Cart.Lines))
		}
	}
	for product, want := range []int{0, 5, 0, 1} {
		s.want(product, want)
	}
	if got := s.store.commits(nodeWriter); got != 3 {
		t.Errorf("%d commits for a creation, an add and what was collected behind it; want 3", got)
	}
}

// What was refused for the record's size is not remembered under its key: sent again, it
// is judged again.
func TestTooLargeIsNotRemembered(t *testing.T) {
	s := newScene(t)
	s.store.maxLines = 1
	s.do(add(0))
	request := func() *engine.Request {
		req, err := admitOnce(s.node, s.store, s.key, add(1), key, patience)
		if err != nil {
			t.Fatal(err)
		}
		return req
	}
	if _, err := s.node.Change(request()); err != commerce.CartTooLarge {
		t.Fatalf("the add: %v, want %v", err, commerce.CartTooLarge)
	}
	s.want(1, 0)
	s.do(remove(0))
	if reply, err := s.node.Change(request()); err != nil || reply.Replayed {
		t.Fatalf("the add again: %+v, %v", reply, err)
	}
	s.want(1, 1)
}
