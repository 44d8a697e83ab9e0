package actors

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
)

// A new field that a size function omits fails this test.
func TestSizesCountEveryField(t *testing.T) {
	var cart commerce.Cart
	fill(reflect.ValueOf(&cart).Elem())
	if got, want := cartSize(&cart)-encodedCart-2*encodedLine, deepSize(reflect.ValueOf(&cart)); got != want {
		t.Errorf("a cart is %d bytes; want %d", got, want)
	}
	var contact commerce.Contact
	fill(reflect.ValueOf(&contact).Elem())
	if got, want := contactSize(&contact)-encodedContact-4*encodedAddress, deepSize(reflect.ValueOf(&contact)); got != want {
		t.Errorf("a contact is %d bytes; want %d", got, want)
	}
	var quote commerce.Quote
	fill(reflect.ValueOf(&quote).Elem())
	if got, want := quoteSize(&quote)-encodedQuote-2*encodedLine, deepSize(reflect.ValueOf(&quote)); got != want {
		t.Errorf("a quote is %d bytes; want %d", got, want)
	}
}

var moment = reflect.TypeFor[time.Time]()

// fill gives every text ten bytes, every list two elements and every pointer a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("ten bytes!")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 3))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != moment {
				fill(v.Field(i))
			}
		}
	}
}

// deepSize is the memory of a pointer's value with all nested values.
func deepSize(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Slice:
		n := v.Cap() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			n += deepSize(v.Index(i))
		}
		return n
	case reflect.Pointer:
		return int(v.Type().Elem().Size()) + deepSize(v.Elem())
	case reflect.Struct:
		n := 0
		for i := range v.NumField() {
			if v.Type() != moment {
				n += deepSize(v.Field(i))
			}
		}
		return n
	}
	return 0
}

// The budget counts the heap of records within an eighth: read records, records with actors, and
// packed ones.
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
			h.compare("read")
			h.sweepAt(2 * h.node.Carts.node.config.Idle)
			h.compare("packed")
			h.change()
			h.compare("changed, with actors")
		})
	}
}

// packingStore packs records as Redis has them.
type packingStore struct {
	*echoStore
	db persistence.DB
}

func (s *packingStore) Pack(dst []byte, r *engine.CartRecord) []byte {
	return s.db.Carts().Pack(dst, r)
}

func (s *packingStore) Unpack(key engine.RecordKey, packed string) (engine.CartRecord, bool) {
	return s.db.Carts().Unpack(key, packed)
}

// heapScene is a node whose records are compared with the heap.
type heapScene struct {
	*scene
	packing    *packingStore
	carts      int
	heapBefore int
}

func newHeapScene(t *testing.T) *heapScene {
	shop := testShop(16)
	fake := newFakeStore(shop)
	packing := &packingStore{echoStore: &echoStore{cartStore: fake}}
	goroutines := runtime.NumGoroutine()
	s := &scene{TB: t, shop: shop, store: fake}
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
		c.Lines = append(c.Lines, commerce.Line{ID: testID(n), ProductID: testID(n), Name: "A product's name", SKU: "SKU-1234", Quantity: commerce.One, UnitPrice: 1999})
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

func (h *heapScene) compare(what string) {
	h.Helper()
	got, want := int(h.node.Carts.node.budget.bytes.Load()), heapInUse()-h.heapBefore
	h.Logf("%s: %d bytes a cart, counted %d", what, want/h.carts, got/h.carts)
	if got < want-want/8 || got > want+want/8 {
		h.Errorf("%s: %d carts count %d bytes, the heap takes %d", what, h.carts, got, want)
	}
}
