package actors

import (
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// unflushed is a store whose commits leave with a Flush only.
type unflushed struct {
	*fakeStore
	m      sync.Mutex
	queued []*engine.Commit[*commerce.Cart]
}

func (s *unflushed) Send(c *engine.Commit[*commerce.Cart]) {
	s.m.Lock()
	defer s.m.Unlock()
	s.queued = append(s.queued, c)
}

func (s *unflushed) Flush(time.Time) {
	s.m.Lock()
	queued := s.queued
	s.queued = nil
	s.m.Unlock()
	for _, c := range queued {
		s.fakeStore.Send(c)
	}
}

// Whoever takes the lock next may run what a caller has sent, after that caller has
// flushed.
func TestWhatAnyoneRunsIsFlushed(t *testing.T) {
	for name, other := range map[string]func(s *scene, key engine.RecordKey){
		"keep": func(s *scene, key engine.RecordKey) {
			s.node.directory.keep(key, &engine.CartRecord{State: commerce.NewCart(key.ID, noon)})
		},
		"sweep": func(s *scene, _ engine.RecordKey) {
			s.node.directory.sweep(s.node.directory.shard(s.key), time.Now())
		},
	} {
		t.Run(name, func(t *testing.T) {
			shop := testShop(16)
			store := &unflushed{fakeStore: newFakeStore(shop)}
			s := &scene{TB: t, shop: shop, store: store.fakeStore, node: NewCarts(store, config(nodeWriter)), key: engine.RecordKey{Store: shop.ID, ID: cartID}}
			t.Cleanup(s.node.Close)
			s.create(cartID)
			req := s.admit(add(1))
			r := newRequest(req, s.node.judge, req.Cart)
			r.waiter = newWaiter[*commerce.Cart]().(*waiter[*commerce.Cart])
			d := s.node.directory
			shard := d.shard(s.key)
			shard.mu.Lock()
			e := shard.entries[s.key]
			e.pending.Add(1)
			d.root.Send(e.pid, r)
			shard.mu.Unlock() // and here its caller is overtaken
			other(s, engine.RecordKey{Store: shop.ID, ID: testID(0xbb)})
			if n := len(store.queued); n > 0 {
				t.Errorf("%d commits wait for nobody", n)
			}
			s.want(1, 1) // it ran
		})
	}
}
