package records

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// cartFieldsBefore reads a cart's fields like the version before MergedInto.
func cartFieldsBefore(r *reader, c *commerce.Cart) (flags byte) {
	c.ID = r.uuid()
	c.Status = commerce.CartStatus(r.byte())
	flags = r.byte()
	c.Customer = commerce.Binding{ID: r.uuid(), Guest: flags&cartGuest != 0}
	c.CreatedAt, c.UpdatedAt, c.ExpiresAt = r.time(), r.time(), r.time()
	c.Email = r.text()
	if flags&cartHasCode != 0 {
		code := r.text()
		c.DiscountCode = &code
	}
	if flags&cartHasMetadata != 0 {
		c.Metadata = readMetadata(r)
	}
	if flags&cartHasOrder != 0 {
		c.OrderID = r.uuid()
	}
	if flags&cartHasQuote != 0 {
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
		cart.State.MergedInto = d.id()
		text := kept(cart)
		r := reader{b: text}
		r.open(recordFormat)
		r.writers()
		earlier, flags := commerce.Cart{}, byte(0)
		r.inBlock(func(r *reader) { flags = cartFieldsBefore(r, &earlier) })
		earlier.Lines = blocks(&r, readLine)
		if flags&cartHasHold != 0 {
			r.inBlock(func(r *reader) { readHold(r, &earlier.Hold) })
		}
		want := *cart.State
		want.MergedInto, earlier.Hold, want.Hold = uuid.Nil, commerce.Hold{}, commerce.Hold{}
		if r.bad || !reflect.DeepEqual(earlier, want) {
			t.Fatalf("an earlier node reads %+v (%v); want %+v", earlier, r.bad, want)
		}
		cart.State.MergedInto = uuid.Nil
		if got, err := decodeCart(kept(cart)); err != nil || got.State.MergedInto != uuid.Nil || got.State.Email != cart.State.Email {
			t.Fatalf("a record without the target: %v, %+v", err, got.State)
		}
	}
}
