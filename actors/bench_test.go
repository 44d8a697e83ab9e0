package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// echoStorage answers Done to every visit and keeps nothing.
type echoStorage struct{ *cartStorage }

func (*echoStorage) Send(v *engine.Visit[*commerce.Cart]) {
	o := engine.Outcome[*commerce.Cart]{Ending: engine.Ending{Kind: engine.NotSent}}
	if v.MaySend() {
		o = engine.Outcome[*commerce.Cart]{Ending: engine.Ending{Budget: engine.Budget{Granted: true, Limit: unlimited, Remaining: 1}}}
	}
	v.Done(o)
}

// BenchmarkChange: one client, one cart of three lines, plain writes.
func BenchmarkChange(b *testing.B) {
	store := &echoStorage{newFakeStorage(testShop(16))}
	s := newSceneOver(b, store.cartStorage, store)
	for product := range 3 {
		s.do(add(product))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.node.Change(s.request(setQuantity(1, 2))); err != nil {
			b.Fatal(err)
		}
	}
}
