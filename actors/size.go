package actors

import (
	"unsafe"

	"cartd/commerce"
	"cartd/engine"
)

// The texts of a record are parts of the text that it was decoded from, which stays in memory with
// them. These are the bytes of that text's ids, lengths and numbers.
const (
	encodedCart    = 80
	encodedLine    = 48
	encodedContact = 120
	encodedQuote   = 160
	encodedAddress = 32
)

// recordSize is the memory of a decoded record in bytes. A sixteenth is added for the allocator's
// rounding, on average.
func recordSize[S any](r *engine.Record[S], state int) int {
	n := sizeOf(r) + arraySize(r.Writers) + state
	return n + n/16
}

// cartSize is the memory of a cart in bytes: structs, arrays by their capacity, texts. A text that
// carts share, such as a product's name, counts in each of them.
func cartSize(c *commerce.Cart) int {
	n := encodedCart + encodedLine*len(c.Lines)
	n += sizeOf(c) + len(c.Email) + arraySize(c.Metadata) + arraySize(c.Lines) + arraySize(c.Hold.Asks)
	for i := range c.Metadata {
		n += len(c.Metadata[i].Key) + len(c.Metadata[i].Value.Text)
	}
	if c.DiscountCode != nil {
		n += sizeOf(c.DiscountCode) + len(*c.DiscountCode)
	}
	for i := range c.Lines {
		n += lineTexts(&c.Lines[i])
	}
	return n
}

// lineTexts is the memory of a line's texts and configuration.
func lineTexts(l *commerce.Line) int {
	n := len(l.Name) + len(l.SKU)
	if l.Configuration != nil {
		n += configurationSize(l.Configuration)
	}
	return n
}

func configurationSize(c *commerce.Configuration) int {
	n := sizeOf(c) + len(c.MatrixID) + len(c.MatrixName)
	n += arraySize(c.Dimensions) + arraySize(c.Choices) + arraySize(c.Breakdown) + arraySize(c.Components)
	for i := range c.Dimensions {
		n += len(c.Dimensions[i].Key)
	}
	for _, id := range c.Choices {
		n += len(id)
	}
	for i := range c.Breakdown {
		n += len(c.Breakdown[i].Label)
	}
	for i := range c.Components {
		n += len(c.Components[i].Quantity)
	}
	return n
}

// quoteSize is the memory of a quote in bytes.
func quoteSize(q *commerce.Quote) int {
	n := encodedQuote + encodedLine*len(q.Goods.Lines)
	n += sizeOf(q) + arraySize(q.Reasons) + arraySize(q.Goods.Lines) + arraySize(q.Goods.Discounts) + arraySize(q.Goods.Shipping)
	for _, text := range [...]string{
		q.Email, q.Name, q.CompanyName, q.Phone, q.Message, q.Reference, q.SignerName, q.DeclineReason,
	} {
		n += len(text)
	}
	for i := range q.Goods.Lines {
		n += lineTexts(&q.Goods.Lines[i].Line)
		if days := q.Goods.Lines[i].LeadTimeDays; days != nil {
			n += sizeOf(days)
		}
	}
	for _, reason := range q.Reasons {
		n += len(reason)
	}
	for i := range q.Goods.Discounts {
		n += len(q.Goods.Discounts[i].Name) + len(q.Goods.Discounts[i].Code)
	}
	for i := range q.Goods.Shipping {
		n += len(q.Goods.Shipping[i].Name) + len(q.Goods.Shipping[i].Code)
	}
	return n
}

// contactSize is the memory of a contact in bytes.
func contactSize(c *commerce.Contact) int {
	n := encodedContact + encodedAddress*(len(c.Addresses)+len(c.Tokens))
	n += sizeOf(c) + arraySize(c.Addresses) + arraySize(c.Tokens) + arraySize(c.Resets)
	for _, text := range c.Texts() {
		n += len(*text)
	}
	for i := range c.Addresses {
		for _, text := range c.Addresses[i].Texts() {
			n += len(*text)
		}
	}
	return n
}

func sizeOf[T any](*T) int { return int(unsafe.Sizeof(*new(T))) }

func arraySize[T any](s []T) int { return cap(s) * int(unsafe.Sizeof(*new(T))) }
