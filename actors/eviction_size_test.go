package actors

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
)

// The budget counts at least the heap of records, but for an eighth: read records, records with
// actors, and packed ones. It counts short texts within a quarter, and long texts at most engine.CartKind.Memory
// times.
func TestTheBudgetCountsTheHeapOfRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has a heap of its own")
	}
	for _, c := range []struct{ carts, lines, texts int }{
		{4_000, 3, 0}, {400, 100, 0}, {200, 3, 4000},
	} {
		t.Run(fmt.Sprintf("%d lines, 16 texts of %d bytes", c.lines, c.texts), func(t *testing.T) {
			h := newHeapScene(t)
			h.keep(c.carts, c.lines, c.texts)
			h.compare("read", c.texts)
			h.sweepAt(2 * h.node.directory.env.config.Idle)
			h.compare("packed", 0)
			h.change()
			h.compare("changed, with actors", c.texts)
		})
	}
}

// packingStorage packs records as Redis has them.
type packingStorage struct {
	*echoStorage
	db persistence.DB
}

func (s *packingStorage) Pack(dst []byte, r *engine.CartRecord) []byte {
	return persistence.Carts.In(&s.db).Pack(dst, r)
}

func (s *packingStorage) Unpack(key engine.RecordKey, packed string) (engine.CartRecord, bool) {
	return persistence.Carts.In(&s.db).Unpack(key, packed)
}

// Send gives each record the size that it has in Redis.
func (s *packingStorage) Send(v *engine.Visit[*commerce.Cart]) {
	v.Next.Size = len(s.Pack(nil, &v.Next))
	s.echoStorage.Send(v)
}

// heapScene is a node whose records are compared with the heap.
type heapScene struct {
	*scene
	packing    *packingStorage
	carts      int
	heapBefore int
}

func newHeapScene(t *testing.T) *heapScene {
	shop := testShop(16)
	fake := newFakeStorage(shop)
	packing := &packingStorage{echoStorage: &echoStorage{cartStorage: fake}}
	goroutines := runtime.NumGoroutine()
	s := &scene{TB: t, shop: shop, storage: fake}
	t.Cleanup(func() {
		s.eventually("the node is gone from the heap", func() bool { return runtime.NumGoroutine() <= goroutines })
	})
	s.node = openNode(t, fake, packing, config(nodeWriter))
	return &heapScene{scene: s, packing: packing, heapBefore: heapInUse()}
}

func heapInUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep their values over one collection
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func (h *heapScene) cartKey(i int) engine.RecordKey {
	return engine.RecordKey{Store: h.shop.ID, ID: shardID(i)}
}

// keep makes carts resident, as admissions read them.
func (h *heapScene) keep(carts, lines, text int) {
	h.carts = carts
	c := commerce.NewCart(cartID, noon)
	for n := range lines {
		c.Lines = append(c.Lines, commerce.Line{ID: testID(n), ProductID: testID(n), Name: "A product's name", SKU: "SKU-1234",
			Quantity: commerce.One, UnitPrice: 1999})
	}
	for range min(16, text) {
		c.Metadata = append(c.Metadata, commerce.MetadataEntry{Key: "note", Value: commerce.Scalar{IsString: true, Text: strings.Repeat("x", text)}})
	}
	packed := h.packing.Pack(nil, &engine.CartRecord{State: c, Stamp: engine.Stamp{Counter: 1, Writer: nodeWriter, Sequence: 1}})
	for i := range carts {
		r, ok := h.packing.Unpack(h.cartKey(i), string(packed))
		if !ok {
			h.Fatal("a cart cannot be unpacked")
		}
		h.node.directory.keep(h.cartKey(i), &r)
	}
}

// change changes a line of every cart, which starts its actor.
func (h *heapScene) change() {
	for i := range h.carts {
		if _, err := h.node.Change(h.node.request(h.cartKey(i).ID, setQuantity(1, 2), nil)); err != nil {
			h.Fatal(err)
		}
	}
}

func (h *heapScene) compare(what string, texts int) {
	h.Helper()
	got, want := int(h.node.directory.env.budget.bytes.Load()), heapInUse()-h.heapBefore
	h.Logf("%s: %d bytes a cart, counted %d", what, want/h.carts, got/h.carts)
	largest := want + want/4
	if texts > 0 {
		largest = engine.CartKind.Memory * want
	}
	if got < want-want/8 || got > largest {
		h.Errorf("%s: %d carts count %d bytes, the heap takes %d", what, h.carts, got, want)
	}
}
