package httpserver

import (
	"slices"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/httpserver/front"
)

// carriedCarts are the carts of which a connection has carried an answer, the newest last.
type carriedCarts []carriedCart

// carriedCart is a cart with the greatest stamp counter in an answer. With it an add is judged as
// simultaneous or not. docs/decisions.md#line-behaviour.
type carriedCart struct {
	id      uuid.UUID
	counter uint64
}

// maxCarried is the maximum number of carts that a connection remembers, so that a proxy's connection
// takes little memory. Only a cart's last 10 ms matter.
const maxCarried = 16

// add notes an answer, and forgets the oldest cart if there are too many.
func (c *carriedCarts) add(id uuid.UUID, counter uint64) {
	all := *c
	at := slices.IndexFunc(all, func(other carriedCart) bool { return other.id == id })
	switch {
	case at >= 0:
		counter = max(counter, all[at].counter)
	case len(all) < maxCarried:
		*c = append(all, carriedCart{id, counter})
		return
	default:
		at = 0
	}
	copy(all[at:], all[at+1:])
	all[len(all)-1] = carriedCart{id, counter}
}

// counter is the greatest counter of a cart in an answer; 0 if there is none.
func (c carriedCarts) counter(id uuid.UUID) uint64 {
	for i := range c {
		if c[i].id == id {
			return c[i].counter
		}
	}
	return 0
}

// carries notes that the answer, a refusal too, is one of the reply's cart.
func (x *exchange) carries(reply *engine.Reply) {
	c, ok := x.ctx.Conn().(*front.Conn)
	if !ok || reply.Cart == nil {
		return
	}
	if c.Notes == nil {
		c.Notes = new(carriedCarts)
	}
	c.Notes.(*carriedCarts).add(reply.Cart.ID, reply.Stamp.Counter)
}

// carried is the counter of the cart in the path; 0 if the connection has carried no answer of it.
func (x *exchange) carried() uint64 {
	if c, ok := x.ctx.Conn().(*front.Conn); ok && c.Notes != nil {
		return c.Notes.(*carriedCarts).counter(x.request.CartID)
	}
	return 0
}
