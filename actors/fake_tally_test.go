package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// tally is the script that commits and counts at once. The lock is held.
func (s *fakeStore) tally(c *engine.Commit[*commerce.Cart]) engine.Outcome[*commerce.Cart] {
	switch current := s.records[c.Key]; {
	case len(c.Effects) > 0:
		panic("a commit that is still to be counted has effects")
	case c.Presumed != s.head:
		return engine.Outcome[*commerce.Cart]{Kind: engine.Superseded}
	case current.Stamp == c.Next.Stamp || current.Stamp != c.Expect:
		o := s.compareAndSet(c)
		o.Budget = s.budget(s.counted - c.Uncounted)
		return o
	case c.Uncounted > s.limit-s.counted:
		return engine.Outcome[*commerce.Cart]{
			Kind: engine.Exceeded, Within: s.limit - s.counted,
			Budget: engine.Budget{Limit: s.limit, RetryAfter: time.Second, Reset: s.now().Add(time.Second)},
		}
	}
	o := s.compareAndSet(c)
	o.Budget = s.budget(s.counted)
	s.counted += c.Uncounted
	return o
}

// unlimited is the request limit that no test sets.
const unlimited = 1 << 20

// budget is that of a request counted behind so many.
func (s *fakeStore) budget(counted int) engine.Budget {
	return engine.Budget{Granted: true, Limit: s.limit, Remaining: s.limit - counted - 1}
}

// supersede puts another store in the place of the one that nodes presume.
func (s *fakeStore) supersede() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.head = new(engine.Presumption)
}

// leave sets the request limit so that so many more requests may be counted.
func (s *fakeStore) leave(more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = s.counted + more
}

// presumed is an admission without a round trip, of a node that holds this stamp.
func (s *fakeStore) presumed(held engine.Stamp) engine.Facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := facts(s.shop, s.now())
	a.Presumed, a.Latest = s.head, s.now()
	a.Cart.Stamp = held
	return a
}

// presumeOn admits a request by what a node knows; false: it does not hold the record.
func presumeOn(node *Carts, store *fakeStore, key engine.RecordKey, cmd cartCommand, patience time.Duration) (*engine.Request, bool) {
	began := time.Now()
	held, ok := node.Held(key)
	return &engine.Request{
		Guards: &engine.Guards{}, Facts: store.presumed(held), CartID: key.ID, CartCommand: cmd, Began: began, Deadline: began.Add(patience),
	}, ok
}

// presume admits a command that the node holds the cart for.
func (s *scene) presume(cmd cartCommand) *engine.Request {
	s.Helper()
	req, ok := presumeOn(s.node, s.store, s.key, cmd, patience)
	if !ok {
		s.Fatal("the node does not hold the cart")
	}
	return req
}

// wantCounted checks how many requests commits have counted.
func (s *scene) wantCounted(want int) {
	s.Helper()
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	if s.store.counted != want {
		s.Errorf("%d requests are counted; want %d", s.store.counted, want)
	}
}
