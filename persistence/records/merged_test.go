package records

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// cartFieldsBefore reads a cart's fields like the version before MergedInto.
func cartFieldsBefore(r *reader, c *commerce.Cart) (flags byte) {
	c.ID = r.uuid()
	c.Status = commerce.CartStatus(r.byte())
	flags = r.byte()
	c.Customer = commerce.Binding{ID: r.uuid(), Guest: flags&1 != 0}
	for _, at := range [...]*time.Time{&c.CreatedAt, &c.UpdatedAt, &c.ExpiresAt} {
		*at = time.UnixMilli(int64(r.uvarint())).UTC()
	}
	c.Email = r.text()
	if flags&4 != 0 {
		code := r.text()
		c.Codes = []commerce.AttachedCode{{Code: code}}
	}
	if flags&2 != 0 {
		c.Metadata = make(commerce.Metadata, r.count())
		for i := range c.Metadata {
			e := &c.Metadata[i]
			e.Key, e.Value.IsString, e.Value.Text = r.text(), r.byte() == 1, r.text()
		}
	}
	if flags&16 != 0 {
		c.OrderID = r.uuid()
	}
	if flags&32 != 0 {
		c.QuoteID = r.uuid()
	}
	return flags
}

// A node of the version before reads a merged cart without its target, and this node reads a record
// that has none.
func TestMergedIntoIsSkippedByAnEarlierNode(t *testing.T) {
	d := seeded(t)
	for range 200 {
		cart := d.cart(2)
		cart.State.MergedInto, cart.State.Checkout = d.id(), nil
		cart.State.Codes = cart.State.Codes[:min(1, len(cart.State.Codes))]
		for i := range cart.State.Codes {
			cart.State.Codes[i].Counted, cart.State.Codes[i].Used = commerce.CountedUses{}, 0
		}
		text := kept(cart)
		c := reading(text)
		var stamp engine.Stamp
		var writers []engine.Writer
		c.open(&stamp)
		c.writers(&writers)
		earlier, flags := commerce.Cart{}, byte(0)
		c.block(func() { flags = cartFieldsBefore(&c.in, &earlier) })
		blocks(&c, &earlier.Lines, c.line)
		if flags&8 != 0 {
			c.block(func() { c.hold(&earlier.Hold, nil) })
		}
		want := *cart.State
		want.MergedInto, earlier.Hold, want.Hold = uuid.Nil, commerce.Hold{}, commerce.Hold{}
		if c.in.bad || !reflect.DeepEqual(earlier, want) {
			t.Fatalf("an earlier node reads %+v (%v); want %+v", earlier, c.in.bad, want)
		}
		cart.State.MergedInto = uuid.Nil
		if got, err := decodeCart(kept(cart)); err != nil || got.State.MergedInto != uuid.Nil || got.State.Email != cart.State.Email {
			t.Fatalf("a record without the target: %v, %+v", err, got.State)
		}
	}
}
