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
	// Key is the request's Idempotency-Key, Entry what is remembered under it.
	Key   *IdempotencyKey
	Entry *IdempotencyEntry
	// Match is the request's If-Match, Version the state's that the command is
	// applied to; 0 where that state is not committed yet.
	Match   *Match
	Version Version
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

// Effects are what a commit has to write beside the record. They can be compared.
type Effects struct {
	// Guest is a guest customer to create if there is none yet; nil: nothing to do.
	Guest *Guest
	// Key is to be remembered with the commit; nil: none. Made is the id that the
	// request made.
	Key  *IdempotencyKey
	Made uuid.UUID
	// Session carries a token over the end of all sessions; nil: none.
	Session *SessionMove
	// Event goes into the store's outbox; nil: none.
	Event *Event
	// Deleted are addresses that are retained, in the order of their deletion; nil: none.
	Deleted *[]DeletedAddress
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

// Changed is what a command made of a cart.
type Changed struct {
	Cart    *Cart
	Effects Effects
	// Replayed: the request was applied before, and the cart is as it stands now.
	Replayed bool
}

// Change judges a command in the one order that every route shares and returns
// the cart after it. The given cart is left as it was; nil means no record.
// It is called again, from the start, after every conflict.
func Change(cart *Cart, id uuid.UUID, cmd Command, in *Input) (Changed, *Refusal) {
	if cart == nil || cart.Expired(in.Now) || cart.Status != CartActive && in.Entry == nil {
		return Changed{}, NotFound("Cart", id.String())
	}
	if r := owned(cart, in); r != nil {
		return Changed{}, r
	}
	if settled, r := in.Entry.Settles(in.Key); r != nil {
		return Changed{}, r
	} else if settled {
		return Changed{Cart: cart, Replayed: true}, nil
	}
	if r := refuse(cart, id, cmd, in); r != nil {
		return Changed{}, r
	}
	next := cart.clone(cmd.room())
	effects, r := cmd.apply(next, in)
	if r != nil {
		return Changed{}, r
	}
	next.touch(in.Now)
	next.refreshSnapshots(in.Store)
	next.reserve(in.Store, in.Now)
	effects.Key = in.Key
	return Changed{Cart: next, Effects: effects}, nil
}

// refuse judges what is left before the command itself.
func refuse(cart *Cart, id uuid.UUID, cmd Command, in *Input) *Refusal {
	if cart.Status != CartActive {
		return NotFound("Cart", id.String())
	}
	if r := cmd.locate(cart); r != nil {
		return r
	}
	if !in.Match.allows(in.Version) {
		return CartChanged
	}
	return in.Fault
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
