package records

import (
	"cartd/commerce"
	"cartd/engine"
)

// maxCartSize bounds the bytes of a cart's record, without the parts that nodes and scripts
// add: the other nodes' writers, and the granted stock.
const maxCartSize = 1 << 20

// CartFits reports whether a cart's record is small enough, or not larger than the previous
// one: a cart that is too large already may become smaller.
func CartFits(before, next *commerce.Cart) bool {
	if boundOfCart(next) <= maxCartSize {
		return true
	}
	size := sizeOfCart(next)
	return size <= maxCartSize || before != nil && size <= sizeOfCart(before)
}

func sizeOfCart(c *commerce.Cart) int {
	buffer := texts.Get().(*[]byte)
	defer texts.Put(buffer)
	*buffer = appendCart((*buffer)[:0], &engine.CartRecord{State: c}, nil)
	return len(*buffer)
}

// Max bytes of the parts of a record, without their texts.
const (
	boundOfFields        = 160
	boundOfEntry         = 32 // an element of a list: two lengths or numbers, an id
	boundOfLine          = 128
	boundOfConfiguration = 96
)

// boundOfCart is at least sizeOfCart, and faster: nearly all carts are far below the limit.
func boundOfCart(c *commerce.Cart) int {
	n := boundOfFields + len(c.Email) + len(c.Hold.Asks)*boundOfEntry
	if c.DiscountCode != nil {
		n += len(*c.DiscountCode)
	}
	for i := range c.Metadata {
		n += boundOfEntry + len(c.Metadata[i].Key) + len(c.Metadata[i].Value.Text)
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		n += boundOfLine + len(l.Name) + len(l.SKU)
		if l.Configuration != nil {
			n += boundOfConfigured(l.Configuration)
		}
	}
	return n
}

func boundOfConfigured(c *commerce.Configuration) int {
	n := boundOfConfiguration + len(c.MatrixID) + len(c.MatrixName)
	n += boundOfEntry * (len(c.Dimensions) + len(c.Choices) + len(c.Breakdown) + len(c.Components))
	for i := range c.Dimensions {
		n += len(c.Dimensions[i].Key)
	}
	for i := range c.Choices {
		n += len(c.Choices[i])
	}
	for i := range c.Breakdown {
		n += len(c.Breakdown[i].Label)
	}
	for i := range c.Components {
		n += len(c.Components[i].Quantity)
	}
	return n
}

// itemBytes is the max size of an item of a hold in a cart's record: its id, and twice
// commerce.MaxStock.
const itemBytes = 16 + 8

// CartRoom is the max size of a cart.
func CartRoom() commerce.Room {
	return commerce.Room{
		Bytes: maxCartSize, Items: commerce.MaxCartItems, ItemBytes: itemBytes, CartBytes: sizeOfCart,
		LineBytes: func(l *commerce.Line) int {
			buffer := texts.Get().(*[]byte)
			defer texts.Put(buffer)
			*buffer = appendBlock((*buffer)[:0], func(b []byte) []byte { return appendLine(b, l) })
			return len(*buffer)
		},
	}
}
