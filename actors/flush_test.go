package actors

import (
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// unflushed is a store whose visits leave only with a Flush.
type unflushed struct {
	*cartStore
	m      sync.Mutex
	queued []*engine.Visit[*commerce.Cart]
}

func (s *unflushed) Send(v *engine.Visit[*commerce.Cart]) {
	s.m.Lock()
	defer s.m.Unlock()
	s.queued = append(s.queued, v)
}

func (s *unflushed) Flush(time.Time) {
	s.m.Lock()
	queued := s.queued
	s.queued = nil
	s.m.Unlock()
	for _, v := range queued {
		s.cartStore.Send(v)
	}
}

// A caller may flush and leave an actor to run. The next holder of the lock runs it and flushes.
func TestAnActorRunByAnotherCallerIsFlushed(t *testing.T) {
	for name, other := range map[string]func(s *scene, key engine.RecordKey){
		"keep": func(s *scene, key engine.RecordKey) {
			s.node.directory.keep(key, &engine.CartRecord{State: commerce.NewCart(key.ID, noon)})
		},
		"sweep": func(s *scene, _ engine.RecordKey) {
			s.node.directory.sweep(s.node.directory.shard(s.key), time.Now())
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := &unflushed{cartStore: newFakeStore(testShop(16))}
			s := newSceneOver(t, store.cartStore, store)
			r := newRequest(s.request(add(1)), s.node.judge)
			r.waiter = newWaiter[*commerce.Cart]().(*waiter[*commerce.Cart])
			d := s.node.directory
			shard := d.shard(s.key)
			shard.mu.Lock()
			e := shard.entries[s.key]
			e.pending.Add(1)
			d.root.Send(e.pid, r)
			shard.mu.Unlock() // and here its caller is overtaken
			other(s, engine.RecordKey{Store: s.shop.ID, ID: testID(0xbb)})
			if n := len(store.queued); n > 0 {
				t.Errorf("%d visits are never flushed", n)
			}
			s.want(1, 1) // it ran
		})
	}
}
