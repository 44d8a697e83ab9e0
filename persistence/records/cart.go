package records

import (
	"encoding/binary"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// cartKey is the key of a cart's record, which expires with the cart: {<store>}:cart:<cart id>.
func cartKey(k engine.RecordKey) string { return idKey(k, "cart") }

// appendCart encodes a cart's record. The script decides how much of the planned items is held.
func appendCart(dst []byte, r *engine.CartRecord, planned []commerce.ItemChange) []byte {
	dst = append(dst, recordFormat)
	dst = AppendStamp(dst, r.Stamp)
	dst = appendWriters(dst, r.Writers)
	c := r.State
	dst = appendBlock(dst, func(dst []byte) []byte { return appendCartFields(dst, c) })
	dst = binary.AppendUvarint(dst, uint64(len(c.Lines)))
	for i := range c.Lines {
		l := &c.Lines[i]
		dst = appendBlock(dst, func(dst []byte) []byte { return appendLine(dst, l) })
	}
	if c.Hold.Asks != nil { // last: the script appends the granted quantities
		dst = appendBlock(dst, func(dst []byte) []byte { return appendHold(dst, &c.Hold, planned) })
	}
	return dst
}

// The flags of a cart's fields.
const (
	cartGuest = 1 << iota
	cartHasMetadata
	cartHasCode
	cartHasHold
	cartHasOrder
	cartHasQuote
	cartHasTarget
)

func appendCartFields(dst []byte, c *commerce.Cart) []byte {
	var flags byte
	if c.Customer.Guest {
		flags |= cartGuest
	}
	if c.Metadata != nil {
		flags |= cartHasMetadata
	}
	if c.DiscountCode != nil {
		flags |= cartHasCode
	}
	if c.Hold.Asks != nil {
		flags |= cartHasHold
	}
	if c.OrderID != uuid.Nil {
		flags |= cartHasOrder
	}
	if c.QuoteID != uuid.Nil {
		flags |= cartHasQuote
	}
	if c.MergedInto != uuid.Nil {
		flags |= cartHasTarget
	}
	dst = append(dst, c.ID[:]...)
	dst = append(dst, byte(c.Status), flags)
	dst = append(dst, c.Customer.ID[:]...)
	dst = appendTime(dst, c.CreatedAt)
	dst = appendTime(dst, c.UpdatedAt)
	dst = appendTime(dst, c.ExpiresAt)
	dst = appendText(dst, c.Email)
	if c.DiscountCode != nil {
		dst = appendText(dst, *c.DiscountCode)
	}
	if c.Metadata != nil {
		dst = appendMetadata(dst, c.Metadata)
	}
	if c.OrderID != uuid.Nil {
		dst = append(dst, c.OrderID[:]...)
	}
	if c.QuoteID != uuid.Nil {
		dst = append(dst, c.QuoteID[:]...)
	}
	if c.MergedInto != uuid.Nil { // a node of the version before skips it
		dst = append(dst, c.MergedInto[:]...)
	}
	return dst
}

func appendMetadata(dst []byte, m commerce.Metadata) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(m)))
	for _, e := range m {
		dst = appendText(dst, e.Key)
		dst = append(dst, flag(e.Value.IsString))
		dst = appendText(dst, e.Value.Text)
	}
	return dst
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendLine(dst []byte, l *commerce.Line) []byte {
	dst = append(dst, l.ID[:]...)
	dst = append(dst, l.ProductID[:]...)
	dst = append(dst, flag(l.VariantID != uuid.Nil))
	if l.VariantID != uuid.Nil {
		dst = append(dst, l.VariantID[:]...)
	}
	dst = appendText(dst, l.Name)
	dst = appendText(dst, l.SKU)
	dst = binary.AppendVarint(dst, int64(l.Quantity))
	dst = binary.AppendVarint(dst, int64(l.UnitPrice))
	dst = binary.AppendVarint(dst, int64(l.Tax))
	dst = append(dst, byte(l.Unit))
	dst = appendTime(binary.AppendUvarint(dst, l.Born), l.Made)
	dst = append(dst, flag(l.Configuration != nil))
	if l.Configuration != nil {
		dst = appendConfiguration(dst, l.Configuration)
	}
	return dst
}

func appendConfiguration(dst []byte, c *commerce.Configuration) []byte {
	dst = append(dst, c.Hash[:]...)
	dst = binary.AppendUvarint(dst, uint64(len(c.Dimensions)))
	for _, d := range c.Dimensions {
		dst = appendText(dst, d.Key)
		dst = binary.AppendVarint(dst, d.Value)
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.Choices)))
	for _, id := range c.Choices {
		dst = appendText(dst, id)
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.Breakdown)))
	for _, p := range c.Breakdown {
		dst = appendText(dst, p.Label)
		dst = binary.AppendVarint(dst, int64(p.Amount))
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.Components)))
	for _, u := range c.Components {
		dst = append(dst, u.ProductID[:]...)
		dst = appendText(dst, u.Quantity)
	}
	dst = appendText(dst, c.MatrixID)
	return appendText(dst, c.MatrixName)
}

// decodeCart reads a cart's record. The strings of the result share b's memory.
func decodeCart(b string) (engine.CartRecord, error) {
	r := reader{b: b}
	record := engine.CartRecord{Size: len(b), Stamp: r.open(recordFormat), Writers: r.writers()}
	c := &commerce.Cart{}
	var flags byte
	r.inBlock(func(r *reader) { flags = readCartFields(r, c) })
	c.Lines = blocks(&r, readLine)
	if flags&cartHasHold != 0 && !r.bad {
		var planned []int
		r.inBlock(func(r *reader) { planned = readHold(r, &c.Hold) })
		if made, ok := Made(r.b); len(planned) > 0 && !r.bad {
			r.bad = !ok || len(made)+lengthDigits != len(r.b) || !grant(&c.Hold, planned, made)
		}
	}
	record.State = c
	if r.bad {
		return engine.CartRecord{}, redisdb.ErrCorrupt
	}
	return record, nil
}

func readCartFields(r *reader, c *commerce.Cart) (flags byte) {
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
	if flags&cartHasTarget != 0 {
		c.MergedInto = r.uuid()
	}
	if c.Status > commerce.CartMerged {
		r.bad = true
	}
	return flags
}

func readMetadata(r *reader) commerce.Metadata {
	m := make(commerce.Metadata, r.count())
	for i := range m {
		m[i].Key = r.text()
		m[i].Value.IsString = r.byte() == 1
		m[i].Value.Text = r.text()
	}
	return m
}

func readLine(r *reader, l *commerce.Line) {
	l.ID, l.ProductID = r.uuid(), r.uuid()
	if r.byte() == 1 {
		l.VariantID = r.uuid()
	}
	l.Name, l.SKU = r.text(), r.text()
	l.Quantity = commerce.Quantity(r.varint())
	l.UnitPrice = commerce.Amount(r.varint())
	l.Tax = commerce.Percent(r.varint())
	l.Unit = commerce.Unit(r.byte())
	l.Born, l.Made = r.uvarint(), r.time()
	if r.byte() == 1 {
		l.Configuration = readConfiguration(r)
	}
}

func readConfiguration(r *reader) *commerce.Configuration {
	c := &commerce.Configuration{}
	copy(c.Hash[:], r.next(len(c.Hash)))
	for range r.count() {
		c.Dimensions = append(c.Dimensions, commerce.DimensionValue{Key: r.text(), Value: r.varint()})
	}
	for range r.count() {
		c.Choices = append(c.Choices, r.text())
	}
	for range r.count() {
		c.Breakdown = append(c.Breakdown, commerce.PricePart{Label: r.text(), Amount: commerce.Amount(r.varint())})
	}
	for range r.count() {
		c.Components = append(c.Components, commerce.ComponentUse{ProductID: r.uuid(), Quantity: r.text()})
	}
	c.MatrixID, c.MatrixName = r.text(), r.text()
	return c
}
