package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Carts serves admitted requests on carts.
type Carts struct{ records[*commerce.Cart] }

// NewCarts starts the actors' directory over a store. Close ends it.
func NewCarts(store Store[*commerce.Cart], config Config) *Carts {
	written := func(c *commerce.Cart) time.Time { return c.UpdatedAt }
	return &Carts{newRecords(newNode(config), store, engine.CartKind, written, cartSize)}
}

// Close stops all actors. No request may be under way.
func (c *Carts) Close() {
	close(c.directory.stop)
	c.node.system.Shutdown()
}

// Presumable is Held, except that it knows nothing of carts that hold stock: their
// commits need an admission of their own.
func (c *Carts) Presumable(key engine.RecordKey) (engine.Stamp, bool) {
	if held := c.directory.published(key); held != nil && held.State.Hold.Asks == nil {
		return held.Stamp, true
	}
	return engine.Stamp{}, false
}

// Create makes an empty cart. Errors: engine.Repeated where the same request has made one
// before, ErrUnavailable, ErrUnknownOutcome, ErrPresumed. Spec: POST create cart.
func (c *Carts) Create(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, engine.JudgeCreation, asked.Cart)
	r.create = true
	return c.do(r)
}

// Read answers a cart read, without the actor where the node holds the admitted
// state. The request may be used again. Errors: *Refusal, ErrUnavailable.
func (c *Carts) Read(asked *engine.Request) (engine.Reply, error) {
	if a, ok := c.show(cartKey(asked), &asked.Cart, asked); ok {
		return engine.Reply{Cart: a.state, Stamp: a.stamp}, a.err
	}
	own := *asked // an actor may look at it beyond the answer
	r := newRequest(&own, c.judge, own.Cart)
	r.read = true
	return c.do(r)
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome,
// ErrPresumed.
func (c *Carts) Change(asked *engine.Request) (engine.Reply, error) {
	return c.do(newRequest(asked, c.judge, asked.Cart))
}

func (c *Carts) do(r *request[*commerce.Cart]) (engine.Reply, error) {
	a, err := c.serve(cartKey(r.Request), r)
	return engine.Reply{Cart: a.state, Stamp: a.stamp, Place: a.place, Replayed: a.replayed, Budget: a.budget}, err
}

func cartKey(r *engine.Request) engine.RecordKey {
	return engine.RecordKey{Store: r.Store.ID, ID: r.CartID}
}
