package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// CartLifetime is the time from a cart's last write to its expiry. Spec: Cart.
const CartLifetime = 30 * 24 * time.Hour

// Currency of every cart. Spec: Limits, Cart currency.
const Currency = "EUR"

// Cart is the stored state of a cart. An Evaluation has the values computed on every read:
// discounts, totals, policy, quote triggers. A Cart is never changed once another goroutine can see
// it: transitions change a copy.
type Cart struct {
	ID     uuid.UUID
	Status CartStatus
	// Email is lower-cased; empty if there is none.
	Email string
	// Metadata is nil if it was never set or was cleared; empty but not nil is {}.
	Metadata Metadata
	// Codes are the attached discount codes, in the order of attaching. The slice is shared: a change
	// makes a new one.
	Codes []AttachedCode
	// Customer is the customer that the cart is bound to.
	Customer Binding
	// OrderID is the order that the cart became, QuoteID its quote. Both are zero if there is none.
	OrderID, QuoteID uuid.UUID
	// MergedInto is the cart that a merged cart was folded into; zero if there is none.
	MergedInto uuid.UUID
	// Checkout is what is kept of a checkout; nil if nothing is. It is never changed.
	Checkout *KeptCheckout
	Lines    []Line
	// Hold is the stock on hold for the lines.
	Hold      Hold
	CreatedAt time.Time // the time of creation, in milliseconds
	UpdatedAt time.Time // the last committed write
	ExpiresAt time.Time // CartLifetime after UpdatedAt
}

// CartStatus is the stage of a cart's life. Spec: Cart status.
type CartStatus uint8

const (
	CartActive CartStatus = iota
	CartConverted
	CartMerged
)

// String returns the status as the API spells it.
func (s CartStatus) String() string { return [...]string{"active", "converted", "merged"}[s] }

// NewCart returns an empty active cart. Spec: Cart.
func NewCart(id uuid.UUID, now time.Time) *Cart {
	c := &Cart{ID: id, CreatedAt: now}
	c.touch(now)
	return c
}

// touch notes a write. Spec: every write extends the expiry by another 30 days.
func (c *Cart) touch(now time.Time) {
	if now.After(c.UpdatedAt) {
		c.UpdatedAt = now
	}
	c.ExpiresAt = c.UpdatedAt.Add(CartLifetime)
}

// Expired reports whether the cart has expired at now.
func (c *Cart) Expired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// line returns the index of the line with this id, or -1.
func (c *Cart) line(id uuid.UUID) int {
	for i := range c.Lines {
		if c.Lines[i].ID == id {
			return i
		}
	}
	return -1
}

// ChangeCart returns the cart after a command and the common steps of every write. The given cart
// stays as it was.
func ChangeCart(cart *Cart, cmd Command[*Cart], in *Input) (*Cart, Effects, *Refusal) {
	next := cart.clone()
	effects, r := cmd.Apply(next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	if r := next.complete(cart, in); r != nil {
		return nil, Effects{}, r
	}
	return next, effects, nil
}

// complete does the common steps of every write of a cart that replaces another.
func (c *Cart) complete(before *Cart, in *Input) *Refusal {
	c.touch(in.Now)
	c.Checkout = c.Checkout.at(in.Now)
	c.refreshSnapshots(in.Store)
	c.reserve(in.Store, in.Now)
	if max := c.outgrown(before); max > 0 {
		return CartTooLarge.atMost(max)
	}
	return nil
}

// clone returns a copy whose lines can be changed. One line can be added without a new array.
func (c *Cart) clone() *Cart {
	next := *c
	next.Lines = append(make([]Line, 0, len(c.Lines)+1), c.Lines...)
	return &next
}

// CheckOwner checks the ownership. It returns CartOwned or nil.
// Spec: Customer token, Ownership; Errors, Cart ownership check.
func (c *Cart) CheckOwner(s *Store, v *Visitor) *Refusal {
	switch {
	case !c.Customer.Bound():
		return nil
	case !s.Modules.Has(ModuleCustomers): // no token resolves
		return CartOwned
	case c.Customer.Guest:
		return nil
	case v.Known && v.CustomerID == c.Customer.ID:
		return nil
	}
	return CartOwned
}

// refreshSnapshots copies each product's home rate of tax and unit, which count once the product is gone.
func (c *Cart) refreshSnapshots(s *Store) {
	for i := range c.Lines {
		if p := s.Product(c.Lines[i].ProductID); p != nil {
			c.Lines[i].Tax, c.Lines[i].Unit = p.Tax.Home(), p.Unit
		}
	}
}

// PatchCart sets the cart's e-mail and metadata. Spec: PATCH body (Carts).
type PatchCart struct {
	// Email is valid and lower-cased; nil if not sent.
	Email *string
	// MetadataSent is true if the map, or null, was sent. A sent map replaces the whole one.
	MetadataSent bool
	Metadata     Metadata
}

func (PatchCart) Locate(*Cart) *Refusal { return nil }

func (p PatchCart) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	var effects Effects
	if p.Email != nil {
		next.Email = *p.Email
		effects = bind(next, in)
	}
	if p.MetadataSent {
		next.Metadata = p.Metadata
	}
	return effects, nil
}

// Binding ties a cart to a customer; the zero value means no customer.
// Spec: Customer token, Ownership.
type Binding struct {
	ID uuid.UUID
	// Guest marks a customer row made by e-mail capture: the cart stays open to everyone with its id.
	Guest bool
}

// Bound reports whether there is a customer.
func (b Binding) Bound() bool { return b.ID != uuid.Nil }

// bind ties the cart to the token's account, else to the guest customer of its e-mail.
// Spec: Setting email, when the customers module is active, …
func bind(c *Cart, in *Input) Effects {
	if !in.Store.Modules.Has(ModuleCustomers) {
		return Effects{}
	}
	if in.Visitor.Known {
		return c.bindAccount(in)
	}
	if c.Customer.Bound() && !c.Customer.Guest {
		return Effects{}
	}
	c.Customer = Binding{ID: in.Store.GuestID(c.Email), Guest: true}
	return Effects{Guest: &Guest{ID: c.Customer.ID, Email: c.Email, At: in.Now}}
}

// bindAccount ties the cart to the visitor's account. The account's uses of the codes are counted.
func (c *Cart) bindAccount(in *Input) Effects {
	c.Customer, c.Codes = Binding{ID: in.Visitor.CustomerID}, slices.Clone(c.Codes)
	return Effects{Uncounted: in.countUses(c.Codes)}
}

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
