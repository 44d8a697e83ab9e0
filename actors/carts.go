package actors

import (
	"errors"
	"time"

	"cartd/commerce"
)

// Carts serves admitted requests on carts.
type Carts struct{ records[*commerce.Cart] }

// NewCarts starts the actors' directory over a store. Close ends it.
func NewCarts(store Store[*commerce.Cart], config Config) *Carts {
	written := func(c *commerce.Cart) time.Time { return c.UpdatedAt }
	return &Carts{newRecords(newNode(config), store, written, cartSize)}
}

// Close stops all actors. No request may be under way.
func (c *Carts) Close() {
	close(c.directory.stop)
	c.node.system.Shutdown()
}

// Presumable is Held, except that it knows nothing of carts that hold stock: their
// commits need an admission of their own.
func (c *Carts) Presumable(key commerce.RecordKey) (commerce.Stamp, bool) {
	if held := c.directory.published(key); held != nil && held.State.Hold.Asks == nil {
		return held.Stamp, true
	}
	return commerce.Stamp{}, false
}

// errTaken cannot happen: ids of carts are random.
var errTaken = errors.New("a new cart's id is taken")

// repeated is a creation whose Idempotency-Key has an entry.
type repeated struct{ entry *commerce.IdempotencyEntry }

func (repeated) Error() string { return "the cart was made before" }

// Create makes an empty cart, or answers with the one that the same request made
// before. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome, ErrPresumed.
// Spec: POST create cart.
func (c *Carts) Create(req *commerce.CartRequest) (commerce.Reply, error) {
	r := newRequest(req, cartCreation{req})
	r.create = true
	reply, err := c.do(req, r)
	var again repeated
	if errors.As(err, &again) {
		return c.createdBefore(req, again.entry)
	}
	return reply, err
}

// cartCreation judges the creation of a cart.
type cartCreation struct{ *commerce.CartRequest }

func (req cartCreation) judge(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
	switch {
	case v.entry != nil:
		return verdict[*commerce.Cart]{}, repeated{v.entry}
	case v.state != nil:
		return verdict[*commerce.Cart]{}, errTaken
	}
	made := verdict[*commerce.Cart]{state: commerce.NewCart(req.Cart, req.Now)}
	if req.Key != nil {
		made.effects = commerce.Effects{Key: req.Key, Made: req.Cart}
	}
	return made, nil
}

// createdBefore answers a repeated creation: the cart it made is judged like any other.
func (c *Carts) createdBefore(req *commerce.CartRequest, entry *commerce.IdempotencyEntry) (commerce.Reply, error) {
	if _, refusal := entry.Settles(req.Key); refusal != nil {
		return commerce.Reply{}, refusal
	}
	first := *req
	first.Cart, first.Seen = entry.Made, commerce.Sighting[*commerce.Cart]{Unread: true}
	first.Key, first.Entry = nil, nil
	reply, err := c.Read(&first)
	reply.Replayed = err == nil
	return reply, err
}

// Read answers a cart read, without the actor where the node holds the admitted
// state. The request may be used again. Errors: *Refusal, ErrUnavailable.
func (c *Carts) Read(req *commerce.CartRequest) (commerce.Reply, error) {
	if a, ok := c.show(recordKey(req), &req.Seen, cartRead{req}); ok {
		return commerce.Reply{Cart: a.state, Stamp: a.stamp}, a.err
	}
	own := *req // an actor may look at it beyond the answer
	r := newRequest(&own, cartRead{&own})
	r.read = true
	return c.do(&own, r)
}

// cartRead judges a read.
type cartRead struct{ *commerce.CartRequest }

func (req cartRead) judge(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
	in := input(req.CartRequest, &v)
	if refusal := commerce.Read(v.state, req.Cart, &in); refusal != nil {
		return verdict[*commerce.Cart]{}, refusal
	}
	return verdict[*commerce.Cart]{state: v.state}, nil
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome,
// ErrPresumed.
func (c *Carts) Change(req *commerce.CartRequest) (commerce.Reply, error) {
	return c.do(req, newRequest(req, cartChange{req}))
}

// cartChange judges a command.
type cartChange struct{ *commerce.CartRequest }

func (req cartChange) judge(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
	*v.input = input(req.CartRequest, &v)
	changed, refusal := commerce.Change(v.state, req.Cart, req.Command, v.input)
	if refusal != nil {
		return verdict[*commerce.Cart]{}, refusal
	}
	return verdict[*commerce.Cart]{state: changed.Cart, effects: changed.Effects, replayed: changed.Replayed}, nil
}

// newRequest is a request on a cart.
func newRequest(req *commerce.CartRequest, does act[*commerce.Cart]) *request[*commerce.Cart] {
	r := asked(does, req.Seen, req.Began, req.Deadline, req.Key, req.Entry)
	r.presumed, r.latest, r.sight = req.Presumed, req.Latest, req.Seen.Stamp.Counter
	return r
}

func (c *Carts) do(req *commerce.CartRequest, r *request[*commerce.Cart]) (commerce.Reply, error) {
	a, err := c.serve(recordKey(req), r)
	return commerce.Reply{Cart: a.state, Stamp: a.stamp, Place: a.place, Replayed: a.replayed, Budget: a.budget}, err
}

func recordKey(req *commerce.CartRequest) commerce.RecordKey {
	return commerce.RecordKey{Store: req.Store.ID, ID: req.Cart}
}

func input(req *commerce.CartRequest, v *view[*commerce.Cart]) commerce.Input {
	return commerce.Input{
		Store: req.Store, Visitor: req.Visitor, Now: req.Now,
		Seen: v.sight, Next: v.next, Fault: req.Fault,
		Key: req.Key, Entry: v.entry, Match: req.Match, Version: v.version(req.Match),
	}
}
