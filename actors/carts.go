package actors

import (
	"cartd/commerce"
	"cartd/engine"
)

// Carts serves admitted requests on carts.
type Carts struct{ *Records[*commerce.Cart] }

// NewCarts starts the directory of carts over a storage. Close ends it.
func NewCarts(storage Storage[*commerce.Cart], config Config) *Carts {
	return &Carts{newRecords(newNode(config), storage, config.Changed)}
}

// Close stops all actors. No request may be under way.
func (c *Carts) Close() {
	c.Records.Close()
	c.directory.env.system.Shutdown()
}

// Create makes an empty cart. Errors: engine.Repeated if the same request has made one already,
// ErrUnavailable, ErrUnknownOutcome, ErrOutdated. Spec: POST create cart.
func (c *Carts) Create(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, engine.JudgeCreation)
	r.create = true
	return c.reply(r)
}

// Read uses the cart that admission found. The request may be used again. Errors: *Refusal,
// ErrUnavailable.
func (c *Carts) Read(asked *engine.Request) (engine.Reply, error) {
	found, err := c.show(c.kind.Key(asked), &asked.Cart, asked)
	return c.readReply(&found), err
}

// Load is Read for a cart that admission did not read.
func (c *Carts) Load(asked *engine.Request) (engine.Reply, error) {
	found, err := c.load(c.kind.Key(asked), asked)
	return c.readReply(&found), err
}
