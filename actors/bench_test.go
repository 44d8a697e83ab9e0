package actors

import (
	"sync/atomic"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// echoStore commits whatever it is sent, and keeps nothing.
type echoStore struct {
	*fakeStore
	// elsewhere answers on a goroutine of its own; nil: inside Send.
	elsewhere chan *engine.Commit[*commerce.Cart]
}

func (s *echoStore) Send(c *engine.Commit[*commerce.Cart]) {
	if s.elsewhere != nil {
		s.elsewhere <- c
		return
	}
	s.commit(c)
}

func (*echoStore) commit(c *engine.Commit[*commerce.Cart]) {
	o := engine.Outcome[*commerce.Cart]{Kind: engine.NotSent}
	if c.Claim() {
		o = engine.Outcome[*commerce.Cart]{Budget: engine.Budget{Granted: true, Limit: unlimited, Remaining: 1}}
	}
	c.Done(o)
}

// BenchmarkChange: one client, one cart of three lines, writes as a busy node admits
// them.
func BenchmarkChange(b *testing.B) {
	b.Run("answered at once", func(b *testing.B) { benchmarkChange(b, &echoStore{}) })
	b.Run("answered elsewhere", func(b *testing.B) {
		store := &echoStore{elsewhere: make(chan *engine.Commit[*commerce.Cart], 1)}
		defer close(store.elsewhere)
		go func() {
			for c := range store.elsewhere {
				store.commit(c)
			}
		}()
		benchmarkChange(b, store)
	})
}

func benchmarkChange(b *testing.B, store *echoStore) {
	shop := testShop(16)
	store.fakeStore = newFakeStore(shop)
	s := &scene{TB: b, shop: shop, store: store.fakeStore, key: engine.RecordKey{Store: shop.ID, ID: cartID}}
	s.node = NewCarts(store, config(nodeWriter))
	b.Cleanup(s.node.Close)
	s.create(cartID)
	change := func(cmd cartCommand) {
		began := time.Now()
		req := &engine.Request{Guards: &engine.Guards{}, CartID: cartID, CartCommand: cmd, Began: began, Deadline: began.Add(patience)}
		req.Facts = facts(shop, noon)
		req.Presumed = store.head
		req.Cart.Stamp, _ = s.node.Held(s.key)
		if _, err := s.node.Change(req); err != nil {
			b.Fatal(err)
		}
	}
	for product := range 3 {
		change(add(product))
	}
	cmd := cartCommand(setQuantity(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		change(cmd)
	}
}

// BenchmarkHotCart: many clients of one cart.
func BenchmarkHotCart(b *testing.B) {
	s := newScene(b)
	s.do(add(1))
	var failed atomic.Pointer[error]
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, err := admit(s.node, s.store, s.key, setQuantity(1, 2), patience)
			if err == nil {
				_, err = s.node.Change(req)
			}
			if err != nil {
				failed.Store(&err)
			}
		}
	})
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
	b.ReportMetric(float64(s.store.commits(nodeWriter))/float64(b.N), "commits/op")
}
