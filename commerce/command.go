package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Input is everything besides the cart that a transition may look at.
type Input struct {
	Store   *Store
	Visitor Visitor
	// Now is the request's time (Redis's clock).
	Now time.Time
	// Seen is the stamp counter of the cart when the request was admitted, Next
	// the counter that the commit of this change will carry.
	Seen, Next uint64
	// Fault is what the decoder found wrong with the body; it is judged in its place.
	Fault *Refusal
}

// Command is one request to change a cart.
type Command interface {
	// locate checks the path ids below the cart. Nil: all there.
	locate(c *Cart) *Refusal
	// apply changes next, a private copy of the cart, or refuses.
	apply(next *Cart, in *Input) (Effects, *Refusal)
	// room is how many lines the command may add.
	room() int
}

// Effects are what a commit has to write beside the cart.
type Effects struct {
	// Guest is a guest customer to create if there is none yet; nil: nothing to do.
	Guest *Guest
}

// Guest is a customer row made by e-mail capture.
type Guest struct {
	ID    uuid.UUID
	Email string
	At    time.Time
}

// Read judges a cart read: it works for any status, ownership is enforced.
// cart is nil where there is no record. Spec: Cart errors.
func Read(cart *Cart, id uuid.UUID, in *Input) *Refusal {
	if cart == nil || cart.Expired(in.Now) {
		return NotFound("Cart", id.String())
	}
	return owned(cart, in)
}

// Change judges a command in the one order that every route shares and returns
// the cart after it. The given cart is left as it was; nil means no record.
// It is called again, from the start, after every conflict.
func Change(cart *Cart, id uuid.UUID, cmd Command, in *Input) (*Cart, Effects, *Refusal) {
	if cart == nil || cart.Expired(in.Now) || cart.Status != CartActive {
		return nil, Effects{}, NotFound("Cart", id.String())
	}
	if r := owned(cart, in); r != nil {
		return nil, Effects{}, r
	}
	if r := cmd.locate(cart); r != nil {
		return nil, Effects{}, r
	}
	if in.Fault != nil {
		return nil, Effects{}, in.Fault
	}
	next := cart.clone(cmd.room())
	effects, r := cmd.apply(next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	next.touch(in.Now)
	next.refreshSnapshots(in.Store)
	return next, effects, nil
}

// owned is the ownership check. Spec: Customer token, Ownership; Errors, Cart ownership check.
func owned(c *Cart, in *Input) *Refusal {
	switch {
	case !c.Customer.Bound():
		return nil
	case !in.Store.Modules.Has(ModuleCustomers): // fails closed
		return CartOwned
	case c.Customer.Guest:
		return nil
	case in.Visitor.Known && in.Visitor.CustomerID == c.Customer.ID:
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
