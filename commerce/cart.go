package commerce

import (
	"time"

	"github.com/google/uuid"
)

// CartLifetime is how long a cart lives after its last write. Spec: Cart.
const CartLifetime = 30 * 24 * time.Hour

// Currency of every cart. Spec: Limits, Cart currency.
const Currency = "EUR"

// Cart is the stored state of a cart; what is evaluated on every read (discounts,
// totals, policy, quote triggers) is an Evaluation. A Cart is never changed once
// another goroutine can see it: transitions work on a copy.
type Cart struct {
	ID     uuid.UUID
	Status CartStatus
	// Email is lower-cased; empty: none.
	Email string
	// Metadata is nil when none was set or it was cleared; empty but not nil is {}.
	Metadata Metadata
	// DiscountCode is the attached code, verbatim; nil: none.
	DiscountCode *string
	// Customer is who the cart is bound to.
	Customer Binding
	// OrderID is the order that the cart became, QuoteID its quote. Both are zero if there is none.
	OrderID, QuoteID uuid.UUID
	Lines            []Line
	// Hold is what the lines hold of the store's stock.
	Hold      Hold
	CreatedAt time.Time // the time of creation, in milliseconds
	UpdatedAt time.Time // the last committed write
	ExpiresAt time.Time // CartLifetime after UpdatedAt
}

// Binding ties a cart to a customer; the zero value ties it to nobody.
// Spec: Customer token, Ownership.
type Binding struct {
	ID uuid.UUID
	// Guest is a customer row made by e-mail capture: the cart stays open.
	Guest bool
}

// Bound reports whether there is a customer at all.
func (b Binding) Bound() bool { return b.ID != uuid.Nil }

// CartStatus is the cart's place in its life. Spec: Cart status.
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

// touch extends the cart's life. Spec: every write extends the expiry by another 30 days.
func (c *Cart) touch(now time.Time) {
	if now.After(c.UpdatedAt) {
		c.UpdatedAt = now
	}
	c.ExpiresAt = c.UpdatedAt.Add(CartLifetime)
}

// Expired reports whether the cart's life is over at now.
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

// ChangeCart returns the cart after a command, with everything that every write does. The
// given cart stays as it was.
func ChangeCart(cart *Cart, cmd Command[*Cart], in *Input) (*Cart, Effects, *Refusal) {
	next := cart.clone()
	effects, r := cmd.Apply(next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	next.touch(in.Now)
	next.refreshSnapshots(in.Store)
	next.reserve(in.Store, in.Now)
	return next, effects, nil
}

// clone returns a copy whose lines can be changed; one can be added without a new array.
func (c *Cart) clone() *Cart {
	next := *c
	next.Lines = append(make([]Line, 0, len(c.Lines)+1), c.Lines...)
	return &next
}

// CheckOwner is the ownership check. It returns CartOwned, or nil.
// Spec: Customer token, Ownership; Errors, Cart ownership check.
func (c *Cart) CheckOwner(s *Store, v *Visitor) *Refusal {
	switch {
	case !c.Customer.Bound():
		return nil
	case !s.Modules.Has(ModuleCustomers): // fails closed
		return CartOwned
	case c.Customer.Guest:
		return nil
	case v.Known && v.CustomerID == c.Customer.ID:
		return nil
	}
	return CartOwned
}

// refreshSnapshots keeps, for the day a product is gone, its last tax rate and unit.
func (c *Cart) refreshSnapshots(s *Store) {
	for i := range c.Lines {
		if p := s.Product(c.Lines[i].ProductID); p != nil {
			c.Lines[i].Tax, c.Lines[i].Unit = p.Tax, p.Unit
		}
	}
}
