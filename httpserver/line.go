package httpserver

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/httpserver/front"
)

// quantityRefusals are the refusals of a line's quantity, lineRefusals those of a line add,
// lineChangeRefusals those of a PATCH, whose faults of the properties have no code.
// Spec: POST line errors, PATCH line errors.
var (
	quantityRefusals = []*commerce.Refusal{commerce.QuantityNotWhole, commerce.QuantityAboveMaximum, commerce.TotalLimitReached}
	lineRefusals     = append([]*commerce.Refusal{
		commerce.ProductUnavailable, commerce.NotPurchasable, commerce.CapabilityInactive, commerce.ChooseVariant, commerce.VariantUnavailable,
		commerce.NoVariants, commerce.ConfigurableHasNoVariants, commerce.ConfigurationMissing, commerce.NotConfigurable,
		commerce.NoConfiguredPrice, commerce.ConfigurationInvalid, commerce.TakesNoProperties, commerce.LineLimitReached,
	}, quantityRefusals...)
	lineChangeRefusals = append([]*commerce.Refusal{commerce.TakesNoProperties.Plain(), commerce.LineExists}, quantityRefusals...)
)

// handleLineAdd puts a product into the cart. Spec: POST …/lines.
func handleLineAdd(s *Server, x *exchange) error {
	add, fault := bodies.LineAdd.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	add.LineID = id
	return s.changeCart(x, add, fault)
}

// handleLineChange sets a line's quantity and properties. Spec: PATCH …/lines/{lineId}.
func handleLineChange(s *Server, x *exchange) error {
	change, fault := bodies.LineChange.Read(x.body)
	change.LineID = x.param("lineId")
	return s.changeCart(x, change, fault)
}

// handleLineRemove removes a line. Spec: DELETE …/lines/{lineId}.
func handleLineRemove(s *Server, x *exchange) error {
	return s.changeCart(x, commerce.RemoveLine{LineID: x.param("lineId")}, nil)
}

// handleLineBatch puts several products into the cart, or none: docs/api/lines.md#batch.
func handleLineBatch(s *Server, x *exchange) error {
	adds, fault := bodies.LineBatch.Read(x.body)
	for i := range adds {
		id, err := newID()
		if err != nil {
			return err
		}
		adds[i].LineID = id
	}
	return s.changeCart(x, adds, fault)
}

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
