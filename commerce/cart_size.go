package commerce

const (
	// maxCartBytes is the maximum Size of a cart.
	maxCartBytes = 1 << 20
	// MaxCartTexts is the maximum number of bytes of the properties of all its lines, keys included: who makes
	// carts and copies of them cheaply cannot fill Redis with texts, and a small write of a cart sends little.
	MaxCartTexts = 64 << 10
)

// Max bytes of the parts of a cart's record, without their texts.
const (
	sizeOfFields        = 176
	sizeOfEntry         = 32 // an element of a list: two lengths or numbers, an id
	sizeOfLine          = 128
	sizeOfConfiguration = 96
	sizeOfCheckout      = 192 // with two addresses
)

// Size is a bound of the bytes of the cart's record, without the parts that nodes and scripts add:
// the other nodes' writers, and the granted stock.
func (c *Cart) Size() int {
	n := sizeOfFields + len(c.Email) + len(c.Hold.Asks)*sizeOfEntry
	for i := range c.Codes {
		n += 2*sizeOfEntry + len(c.Codes[i].Code)
	}
	if c.Checkout != nil {
		n += c.Checkout.size()
	}
	for i := range c.Metadata {
		n += sizeOfEntry + len(c.Metadata[i].Key) + len(c.Metadata[i].Value.Text)
	}
	for i := range c.Lines {
		n += c.Lines[i].size()
	}
	return n
}

// size is the line's part of the cart's Size.
func (l *Line) size() int {
	n := sizeOfLine
	l.eachText(func(_, text string) { n += len(text) })
	if l.Configuration != nil {
		n += l.Configuration.size()
	}
	if l.Properties != nil {
		for _, p := range *l.Properties {
			n += sizeOfEntry + len(p.Key) + len(p.Value) + len(p.Label)
		}
	}
	return n
}

func (k *KeptCheckout) size() int {
	n := sizeOfCheckout + len(k.CustomerNote) + len(k.Reference)
	for _, a := range [...]*Address{&k.Shipping, &k.Billing} {
		for _, text := range a.Texts() {
			n += len(*text)
		}
	}
	return n
}

func (c *Configuration) size() int {
	n := sizeOfConfiguration + len(c.MatrixID) + len(c.MatrixName)
	n += sizeOfEntry * (len(c.Dimensions) + len(c.Choices) + len(c.Breakdown) + len(c.Components))
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

// texts is the number of bytes of the properties of all lines.
func (c *Cart) texts() (n int) {
	for i := range c.Lines {
		n += c.Lines[i].texts()
	}
	return n
}

// texts is the line's part of the cart's texts.
func (l *Line) texts() int {
	if l.Properties == nil {
		return 0
	}
	return l.Properties.bytes()
}

// outgrown is the maximum that a cart exceeds: of stock items, its size or its texts; 0 if it exceeds none, or
// is not larger than the cart that it replaces: a cart that is too large already may become smaller.
func (c *Cart) outgrown(before *Cart) int {
	size, texts := c.Size(), c.texts()
	switch {
	case len(c.Hold.Asks) > MaxCartItems:
		return MaxCartItems
	case size > maxCartBytes && size > before.Size():
		return maxCartBytes
	case texts > MaxCartTexts && texts > before.texts():
		return MaxCartTexts
	}
	return 0
}
