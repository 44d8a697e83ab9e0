package engine

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// CartKind says how carts are judged.
var CartKind = &Kind[*commerce.Cart]{
	command:  func(r *Request) commerce.Command[*commerce.Cart] { return r.CartCommand },
	absent:   func(c *commerce.Cart, now time.Time) bool { return c == nil || c.Expired(now) },
	missing:  func(r *Request) *commerce.Refusal { return commerce.NotFound("Cart", r.CartID.String()) },
	owner:    func(c *commerce.Cart, f *Facts) *commerce.Refusal { return c.CheckOwner(f.Store, &f.Visitor) },
	readOnly: func(c *commerce.Cart) bool { return c.Status != commerce.CartActive },
	stale:    commerce.CartChanged,
	change:   commerce.ChangeCart,
	part:     func(*commerce.Cart, uuid.UUID) *commerce.Refusal { return nil },
}

// CreateCart makes the cart Request.CartID, or answers with the one that the same request made
// before. Spec: POST create cart.
func (e *Engine) CreateCart(r *Request) (Reply, error) { return e.writeCart(r, e.createCart) }

func (e *Engine) createCart(r *Request) (Reply, error) {
	reply, err := e.carts.Create(r)
	var before Repeated
	switch {
	case !errors.As(err, &before):
		return reply, err
	case before.Entry.Request != r.Idempotency.Request:
		return reply, commerce.IdempotencyKeyReused
	}
	first := *r
	first.CartID, first.Cart = before.Entry.Made, Sighting[*commerce.Cart]{Unread: true}
	first.Idempotency, first.Entry = nil, nil
	reply, err = e.carts.Read(&first)
	reply.Replayed = err == nil
	return reply, err
}

// Repeated is a creation whose Idempotency-Key has an entry.
type Repeated struct{ Entry *IdempotencyEntry }

func (Repeated) Error() string { return "the record was made before" }

// errTaken cannot happen: ids of carts are random.
var errTaken = errors.New("a new cart's id is taken")

// JudgeCreation decides what becomes of a creation. Errors: Repeated.
func JudgeCreation(r *Request, v *View[*commerce.Cart]) (Change[*commerce.Cart], error) {
	switch {
	case v.Entry != nil:
		return Change[*commerce.Cart]{}, Repeated{v.Entry}
	case v.State != nil:
		return Change[*commerce.Cart]{}, errTaken
	}
	made := Change[*commerce.Cart]{State: commerce.NewCart(r.CartID, r.Now)}
	if r.Idempotency != nil {
		made.Effects = Effects{commerce.Effects{Made: r.CartID}, r.Idempotency}
	}
	return made, nil
}

// ReadCart returns a cart in any status. It keeps no part of the request.
// Spec: Status effects 2.
func (e *Engine) ReadCart(r *Request) (Reply, error) {
	reply, err := e.carts.Read(r)
	reply.Facts = &r.Facts
	return reply, err
}

// ChangeCart applies Request.CartCommand.
func (e *Engine) ChangeCart(r *Request) (Reply, error) { return e.writeCart(r, e.carts.Change) }

// writeCart serves a write. If its facts were presumed and do not carry the answer, it is
// admitted by Redis and served once more.
func (e *Engine) writeCart(r *Request, write func(*Request) (Reply, error)) (Reply, error) {
	reply, err := write(r)
	if err == ErrPresumed {
		again := *r // the first one may still be with the cart's actor
		if err := e.confirm(&again); err != nil {
			return Reply{Budget: again.Budget}, err
		}
		reply, err = write(&again)
		reply.Facts, reply.Budget = &again.Facts, again.Budget
	} else {
		reply.Facts = &r.Facts
		if err == nil && r.Presumed != nil && reply.Budget.Limit == 0 { // the store was replaced while the outcome was unknown
			reply.Budget = Budget{Granted: true, Limit: r.Store.RateLimit}
		}
	}
	return reply, e.replayed(r, reply.Replayed, err)
}
