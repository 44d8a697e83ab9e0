package actors

import (
	"sync/atomic"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// echoStore answers Done to every visit and keeps nothing.
type echoStore struct {
	*cartStore
	// elsewhere runs an answer on another goroutine; nil means inside Send.
	elsewhere chan *engine.Visit[*commerce.Cart]
}

func (s *echoStore) Send(v *engine.Visit[*commerce.Cart]) {
	if s.elsewhere != nil {
		s.elsewhere <- v
		return
	}
	s.answer(v)
}

func (*echoStore) answer(v *engine.Visit[*commerce.Cart]) {
	o := engine.Outcome[*commerce.Cart]{Kind: engine.NotSent}
	if v.MaySend() {
		o = engine.Outcome[*commerce.Cart]{Budget: engine.Budget{Granted: true, Limit: unlimited, Remaining: 1}}
	}
	v.Done(o)
}

// BenchmarkChange: one client, one cart of three lines, plain writes.
func BenchmarkChange(b *testing.B) {
	b.Run("answered at once", func(b *testing.B) { benchmarkChange(b, &echoStore{}) })
	b.Run("answered elsewhere", func(b *testing.B) {
		store := &echoStore{elsewhere: make(chan *engine.Visit[*commerce.Cart], 1)}
		defer close(store.elsewhere)
		go func() {
			for v := range store.elsewhere {
				store.answer(v)
			}
		}()
		benchmarkChange(b, store)
	})
}

func benchmarkChange(b *testing.B, store *echoStore) {
	store.cartStore = newFakeStore(testShop(16))
	s := newSceneOver(b, store.cartStore, store)
	change := func(cmd cartCommand) {
		if _, err := s.node.Change(s.request(cmd)); err != nil {
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
			if _, err := s.node.Change(s.request(setQuantity(1, 2))); err != nil {
				failed.Store(&err)
			}
		}
	})
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
	b.ReportMetric(float64(s.store.commits(nodeWriter))/float64(b.N), "commits/op")
}
