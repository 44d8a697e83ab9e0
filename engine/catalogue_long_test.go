//go:build long

package engine

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// datedStore is a store of products with 500 moments. Each product has a period of everyone and one of a
// group; at the moment in the middle all products change.
func datedStore(products int, noon time.Time, dated bool) *commerce.Store {
	s := &commerce.Store{Modules: commerce.Modules(0).With(commerce.ModuleCatalog)}
	for i := range products {
		base := commerce.Amount(1000 + i*7919%100_003)
		p := &commerce.Product{ID: uuid.UUID{12: byte(i >> 16), 13: byte(i >> 8), 14: byte(i)}, Active: true, Prices: commerce.Prices{Base: &base}}
		if dated {
			from := noon.Add(time.Duration(i%249) * time.Minute)
			all := noon.Add(250 * time.Minute)
			p.Prices.Periods = []commerce.PricePeriod{
				{From: from, Until: from.Add(time.Minute), Price: base - 1 - commerce.Amount(i%900)},
				{From: all, Until: all.Add(time.Duration(1+i%249) * time.Minute), Price: base / 2},
			}
		}
		s.Products = append(s.Products, p)
	}
	return s
}

// heapBytes is the memory in use.
func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// At each of 500 moments of 100,000 products the guests and 16 groups ask for sorted prices, while another
// store does, too, at moments of its own: none of its requests waits longer than 50 ms. The best of a few
// series counts: another program of the machine makes one slower, none faster.
func TestLongMomentsOfALargeCatalogue(t *testing.T) {
	const products, moments, goal = 100_000, 500, 50 * time.Millisecond
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	large, small := NewCatalogue(datedStore(products, noon, true)), NewCatalogue(datedStore(1000, noon, true))
	view := func(minute int, group byte) commerce.PriceView {
		return commerce.PriceView{Pricing: commerce.Pricing{GroupID: uuid.UUID{15: group}, Now: noon.Add(time.Duration(minute) * time.Minute)}}
	}
	for series := 1; ; series++ {
		var own, others []time.Duration
		for minute := range moments {
			var asking sync.WaitGroup
			took := make([]time.Duration, 17)
			for group := range byte(17) {
				asking.Go(func() {
					began := time.Now()
					large.Prices(view(minute, group))
					took[group] = time.Since(began)
				})
			}
			runtime.Gosched()
			began := time.Now()
			small.Prices(view(minute, 0))
			others = append(others, time.Since(began))
			asking.Wait()
			own = append(own, slices.Max(took))
		}
		slices.Sort(others)
		slices.Sort(own)
		t.Logf("a request of another store waits %v (median) and at most %v; the last of 17 contexts %v and at most %v",
			others[moments/2], others[moments-1], own[moments/2], own[moments-1])
		switch {
		case others[moments-1] <= goal:
			return
		case series == 3:
			t.Fatalf("a request of another store waits %v, want at most %v", others[moments-1], goal)
		}
	}
}

// What two periods of each product take, without the price indexes and with the guests'.
func TestLongMemoryOfPeriods(t *testing.T) {
	const products = 100_000
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	var took [2][2]int64
	for i, dated := range []bool{false, true} {
		before := heapBytes()
		c := NewCatalogue(datedStore(products, noon, dated))
		took[i][0] = (heapBytes() - before) / products
		c.Prices(commerce.PriceView{Pricing: commerce.Pricing{Now: noon.Add(-1)}})
		c.Prices(commerce.PriceView{Pricing: commerce.Pricing{Now: noon}})
		took[i][1] = (heapBytes() - before) / products
		runtime.KeepAlive(c)
	}
	t.Logf("a product takes %d B, %d B with the guests' prices; with two periods %d B and %d B", took[0][0], took[0][1], took[1][0], took[1][1])
	if grown := took[1][0] - took[0][0]; grown > 300 {
		t.Errorf("two periods take %d B a product, want at most 300", grown)
	}
}
