package records

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// PageKey is the key of a page of a store: {<store>}:page:<32 hex>. It has no expiry while the record
// names the page.
func PageKey(store uuid.UUID, name storefile.PageName) string {
	return KeyPrefix(store, "page") + name.String()
}

// PagePrefix is the beginning of the keys of a store's pages.
func PagePrefix(store uuid.UUID) string { return KeyPrefix(store, "page") }

// appendStore encodes a store's record.
func appendStore(dst []byte, r *engine.Record[*engine.StoreState]) []byte {
	c := writing(dst)
	for c.store(r); !c.written(dst); c.store(r) {
	}
	return c.out
}

// decodeStore reads a store's record. The strings of the result share text's memory.
func decodeStore(_ engine.RecordKey, text string) (engine.Record[*engine.StoreState], error) {
	c := reading(text)
	record := engine.Record[*engine.StoreState]{Size: len(text), State: &engine.StoreState{}}
	c.store(&record)
	if c.in.bad || !record.State.Dropped && record.State.Cut == 0 {
		return engine.Record[*engine.StoreState]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

// store is a store's record.
func (c *coder) store(r *engine.Record[*engine.StoreState]) {
	c.open(&r.Stamp)
	c.writers(&r.Writers)
	c.timeOrNone(&r.State.At)
	c.block(func() { c.storeFields(r.State) })
}

func (c *coder) storeFields(s *engine.StoreState) {
	c.flags(&s.Dropped, &s.Changed)
	c.bytes(s.Hash[:])
	c.stamp(&s.Revised)
	varint(c, &s.Products)
	varint(c, &s.Limit)
	c.uint16(&s.Cut)
	c.text(&s.Last.By)
	c.timeOrNone(&s.Last.At)
	varint(c, &s.Last.Sets)
	entries(c, &s.Last.Prices, func(p *engine.PriceChange) {
		c.uuid(&p.Product)
		c.amountOrNone(&p.Old)
		c.amountOrNone(&p.New)
	})
	c.bytes(s.Ring[:])
	c.bytes(s.Secrets[:])
	rest := string(s.Rest)
	if c.text(&rest); !c.writing {
		s.Rest = []byte(rest)
	}
	entries(c, &s.Pages, func(name *storefile.PageName) { c.bytes(name[:]) })
}

func (c *coder) amountOrNone(amount **commerce.Amount) {
	if !c.has(*amount != nil) {
		return
	}
	if *amount == nil {
		*amount = new(commerce.Amount)
	}
	varint(c, *amount)
}

func (c *coder) stamp(s *engine.Stamp) {
	c.uint64(&s.Counter)
	c.uint64(&s.Writer)
	c.uint64(&s.Sequence)
}

// uint16 is a number of two bytes.
func (c *coder) uint16(v *int) {
	b := [2]byte{byte(*v >> 8), byte(*v)}
	if c.bytes(b[:]); !c.writing {
		*v = int(b[0])<<8 | int(b[1])
	}
}

// StampRecord is a record that has no state.
func StampRecord(stamp engine.Stamp) string {
	return string(AppendStamp([]byte{recordFormat}, stamp))
}

// The bytes of the writer's id in a record, as Redis counts.
const (
	WriterFrom = StampFrom + 8
	WriterTo   = WriterFrom + 7
)
