package httpserver

import (
	"slices"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/httpserver/front"
)

// seenCarts are the carts of which a connection has seen an answer, the newest last.
type seenCarts []seenCart

// seenCart is a cart with the greatest stamp counter in an answer. With it an add is judged as
// simultaneous or not. docs/decisions.md#line-behaviour.
type seenCart struct {
	id      uuid.UUID
	counter uint64
}

// maxSeen is the maximum number of carts that a connection remembers, so that a proxy's connection
// takes little memory. Only a cart's last 10 ms matter.
const maxSeen = 16

// add notes an answer, and forgets the oldest cart if there are too many.
func (c *seenCarts) add(id uuid.UUID, counter uint64) {
	all := *c
	at := slices.IndexFunc(all, func(other seenCart) bool { return other.id == id })
	switch {
	case at >= 0:
		counter = max(counter, all[at].counter)
	case len(all) < maxSeen:
		*c = append(all, seenCart{id, counter})
		return
	default:
		at = 0
	}
	copy(all[at:], all[at+1:])
	all[len(all)-1] = seenCart{id, counter}
}

// counter is the greatest counter of a cart in an answer; 0 if there is none.
func (c seenCarts) counter(id uuid.UUID) uint64 {
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
		c.Notes = new(seenCarts)
	}
	c.Notes.(*seenCarts).add(reply.Cart.ID, reply.Stamp.Counter)
}

// seen is the counter of the cart in the path; 0 if the connection has seen no answer of it.
func (x *exchange) seen() uint64 {
	if c, ok := x.ctx.Conn().(*front.Conn); ok && c.Notes != nil {
		return c.Notes.(*seenCarts).counter(x.request.CartID)
	}
	return 0
}
