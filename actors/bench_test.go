package actors

import (
	"sync/atomic"
	"testing"
)

// BenchmarkChange: one client, one cart, a store that answers at once.
func BenchmarkChange(b *testing.B) {
	s := newScene(b)
	s.do(add(1))
	b.ReportAllocs()
	for b.Loop() {
		s.do(setQuantity(1, 2))
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
