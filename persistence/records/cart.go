package records

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// appendCart encodes a cart's record. The script decides how much of the planned items is held.
func appendCart(dst []byte, r *engine.CartRecord, planned []commerce.ItemChange) []byte {
	c := writing(dst)
	for c.cart(r, planned); !c.written(dst); c.cart(r, planned) {
	}
	return c.out
}

// decodeCart reads a cart's record. The strings of the result share b's memory.
func decodeCart(b string) (engine.CartRecord, error) {
	c := reading(b)
	record := engine.CartRecord{Size: len(b), State: &commerce.Cart{}}
	if planned := c.cart(&record, nil); len(planned) > 0 && !c.in.bad {
		made, ok := Made(c.in.b)
		c.check(ok && len(made)+lengthDigits == len(c.in.b) && grant(&record.State.Hold, planned, made))
	}
	if c.in.bad {
		return engine.CartRecord{}, redisdb.ErrCorrupt
	}
	return record, nil
}

// cart is a cart's record. The hold is last, because the script appends the granted quantities.
func (c *coder) cart(r *engine.CartRecord, planned []commerce.ItemChange) (granted []int) {
	cart := r.State
	hasHold := cart.Hold.Asks != nil
	c.open(&r.Stamp)
	c.writers(&r.Writers)
	c.block(func() { c.cartFields(cart, &hasHold) })
	blocks(c, &cart.Lines, c.line)
	if hasHold {
		c.block(func() { granted = c.hold(&cart.Hold, planned) })
	}
	return granted
}

func (c *coder) cartFields(cart *commerce.Cart, hasHold *bool) {
	hasMetadata, hasCode, hasOrder := cart.Metadata != nil, len(cart.Codes) > 0, cart.OrderID != uuid.Nil
	hasQuote, hasTarget, hasCheckout := cart.QuoteID != uuid.Nil, cart.MergedInto != uuid.Nil, cart.Checkout != nil
	c.uuid(&cart.ID)
	code(c, &cart.Status)
	c.check(cart.Status <= commerce.CartMerged)
	c.flags(&cart.Customer.Guest, &hasMetadata, &hasCode, hasHold, &hasOrder, &hasQuote, &hasTarget, &hasCheckout)
	c.uuid(&cart.Customer.ID)
	c.time(&cart.CreatedAt)
	c.time(&cart.UpdatedAt)
	c.time(&cart.ExpiresAt)
	c.text(&cart.Email)
	if hasCode {
		entries(c, &cart.Codes, c.attachedCode)
	}
	if hasMetadata {
		c.metadata(&cart.Metadata)
	}
	if hasOrder {
		c.uuid(&cart.OrderID)
	}
	if hasQuote {
		c.uuid(&cart.QuoteID)
	}
	if hasTarget {
		c.uuid(&cart.MergedInto)
	}
	if hasCheckout {
		c.block(func() { c.keptCheckout(made(&cart.Checkout)) })
	}
}

// attachedCode is a code with what is counted for it.
func (c *coder) attachedCode(v *commerce.AttachedCode) {
	isCounted, isUsed := v.Counted != commerce.CountedUses{}, v.Used != 0
	c.text(&v.Code)
	c.flags(&isCounted, &isUsed)
	if isCounted {
		c.uuid(&v.Counted.Account)
		varint(c, &v.Counted.Uses)
	}
	if isUsed {
		varint(c, &v.Used)
	}
}

func (c *coder) keptCheckout(k *commerce.KeptCheckout) {
	isShipped, isBilled, hasCountry := k.Shipping != commerce.Address{}, k.Billing != commerce.Address{}, k.Country != commerce.Country{}
	c.flags(&isShipped, &isBilled, &hasCountry)
	c.time(&k.At)
	c.uuid(&k.Method)
	c.texts(&k.CustomerNote, &k.Reference)
	if hasCountry {
		c.bytes(k.Country[:])
	}
	if isShipped {
		c.block(func() { c.address(&k.Shipping) })
	}
	if isBilled {
		c.block(func() { c.address(&k.Billing) })
	}
}

// metadata is metadata that is there: empty stays different from none.
func (c *coder) metadata(m *commerce.Metadata) {
	if !c.writing {
		*m = commerce.Metadata{}
	}
	entries(c, (*[]commerce.MetadataEntry)(m), func(e *commerce.MetadataEntry) {
		c.text(&e.Key)
		c.is(&e.Value.IsString)
		c.text(&e.Value.Text)
	})
}

func (c *coder) line(l *commerce.Line) {
	isVariant, isConfigured, hasProperties := l.VariantID != uuid.Nil, l.Configuration != nil, l.Properties != nil
	c.uuid(&l.ID)
	c.uuid(&l.ProductID)
	if c.flags(&isVariant, &isConfigured, &hasProperties); isVariant {
		c.uuid(&l.VariantID)
	}
	c.text(&l.Name)
	c.text(&l.SKU)
	varint(c, &l.Quantity)
	varint(c, &l.UnitPrice)
	varint(c, &l.Tax)
	code(c, &l.Unit)
	c.uvarint(&l.Born)
	c.time(&l.Made)
	if isConfigured {
		c.configuration(made(&l.Configuration))
	}
	if hasProperties {
		c.properties(made(&l.Properties))
	}
}

func (c *coder) properties(all *commerce.Properties) {
	entries(c, (*[]commerce.Property)(all), func(p *commerce.Property) { c.texts(&p.Key, &p.Value, &p.Label) })
}

func (c *coder) configuration(v *commerce.Configuration) {
	c.bytes(v.Hash[:])
	entries(c, &v.Dimensions, func(d *commerce.DimensionValue) {
		c.text(&d.Key)
		varint(c, &d.Value)
	})
	entries(c, &v.Choices, c.text)
	entries(c, &v.Breakdown, func(p *commerce.PricePart) {
		c.text(&p.Label)
		varint(c, &p.Amount)
	})
	entries(c, &v.Components, func(u *commerce.ComponentUse) {
		c.uuid(&u.ProductID)
		c.text(&u.Quantity)
	})
	c.text(&v.MatrixID)
	c.text(&v.MatrixName)
}

// hold is a cart's hold. Of the planned items the script appends to the record how much it granted:
// hold returns their indexes in a record that is read.
func (c *coder) hold(h *commerce.Hold, planned []commerce.ItemChange) (granted []int) {
	c.time(&h.Until)
	if !c.writing {
		h.Asks = []commerce.StockAsk{}
	}
	at := 0
	entries(c, &h.Asks, func(a *commerce.StockAsk) {
		c.uuid(&a.Item)
		quantity := uint64(a.Quantity)<<1 | uint64(flag(isPlanned(a.Item, planned)))
		if c.uvarint(&quantity); !c.writing {
			a.Quantity = commerce.Micros(quantity >> 1)
			a.Granted = a.Quantity
			if quantity&1 == 1 {
				granted = append(granted, at)
			}
		}
		at++
	})
	return granted
}

func isPlanned(item uuid.UUID, planned []commerce.ItemChange) bool {
	_, found := slices.BinarySearchFunc(planned, item, func(p commerce.ItemChange, id uuid.UUID) int { return bytes.Compare(p.Item[:], id[:]) })
	return found
}

// grant sets the granted quantities of the planned items from the last lines of made, one line
// for each item. Earlier lines are of items that are not held any more. It returns false if
// made cannot be read.
func grant(h *commerce.Hold, planned []int, made string) bool {
	lines := strings.Split(made, "\n")
	if len(lines) < len(planned) {
		return false
	}
	lines = lines[len(lines)-len(planned):]
	for at, i := range planned {
		n, err := strconv.ParseInt(lines[at], 10, 64)
		if err != nil || n < 0 || commerce.Micros(n) > h.Asks[i].Quantity {
			return false
		}
		h.Asks[i].Granted = commerce.Micros(n)
	}
	return true
}

// WithGrants returns a visit's state with the quantities that the script granted.
func WithGrants(c *commerce.Cart, items []commerce.ItemChange, made string) (*commerce.Cart, error) {
	next := c.Granting()
	var planned []int
	for i := range next.Hold.Asks {
		if isPlanned(next.Hold.Asks[i].Item, items) {
			planned = append(planned, i)
		}
	}
	if !grant(&next.Hold, planned, made) {
		return nil, redisdb.ErrCorrupt
	}
	return next, nil
}
