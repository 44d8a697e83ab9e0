package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Carts serves admitted requests on carts.
type Carts struct{ records[*commerce.Cart] }

// NewCarts starts the directory of carts over a store. Close ends it.
func NewCarts(storage Storage[*commerce.Cart], config Config) *Carts {
	written := func(c *commerce.Cart) time.Time { return c.UpdatedAt }
	return &Carts{newRecords(newNode(config), storage, engine.CartKind, written, cartMemory, config.Changed)}
}

// Close stops all actors. No request may be under way.
func (c *Carts) Close() {
	c.records.Close()
	c.directory.env.system.Shutdown()
}

// Create makes an empty cart. Errors: engine.Repeated if the same request has made one already,
// ErrUnavailable, ErrUnknownOutcome, ErrOutdated. Spec: POST create cart.
func (c *Carts) Create(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, engine.JudgeCreation)
	r.create = true
	return c.do(r)
}

// Read uses the cart that admission found. The request may be used again. Errors: *Refusal,
// ErrUnavailable.
func (c *Carts) Read(asked *engine.Request) (engine.Reply, error) {
	found, err := c.show(cartKey(asked), &asked.Cart, asked)
	return engine.Reply{Cart: found.State, Stamp: found.Stamp, Size: found.Size}, err
}

// Load is Read for a cart that admission did not read.
func (c *Carts) Load(asked *engine.Request) (engine.Reply, error) {
	found, err := c.load(cartKey(asked), asked)
	return engine.Reply{Cart: found.State, Stamp: found.Stamp, Size: found.Size}, err
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome,
// ErrOutdated.
func (c *Carts) Change(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, c.judge)
	switch asked.Command.(type) {
	case commerce.ClaimCart, *commerce.Checkout, *commerce.RequestQuote:
		r.alone = true
	}
	return c.do(r)
}

func (c *Carts) do(r *request[*commerce.Cart]) (engine.Reply, error) {
	a, err := c.serve(cartKey(&r.Request), r)
	reply := engine.Reply{
		Cart: a.state, Stamp: a.stamp, Size: a.size, CommitIndex: a.commitIndex, Replayed: a.replayed, Existing: a.existing, Facts: a.facts, Fold: a.fold,
	}
	reply.Order, reply.Quote = a.made()
	return reply, err
}

func cartKey(r *engine.Request) engine.RecordKey {
	return engine.RecordKey{Store: r.Store.ID, ID: r.CartID}
}
