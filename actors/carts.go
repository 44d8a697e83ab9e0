package actors

import (
	"errors"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/commerce"
)

// Config bounds what actors hold and do.
type Config struct {
	// Mailbox is how many requests one record takes at a time.
	Mailbox int
	// Resident is how many records a node holds in memory at most (about).
	Resident int
	// Idle is when an unused actor stops; its record leaves after ten times as long.
	Idle time.Duration
	// Writer is the random id of this start of the node.
	Writer uint64
	Logger *slog.Logger
}

// Carts serves admitted requests on carts.
type Carts struct {
	directory *directory[*commerce.Cart]
	system    *actor.ActorSystem
}

// NewCarts starts the actors' directory over a store. Close ends it.
func NewCarts(store Store[*commerce.Cart], config Config) *Carts {
	// protoactor's own log would print message bodies.
	system := actor.NewActorSystemWithConfig(actor.Configure(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }),
		actor.WithDeadLetterRequestLogging(false),
	))
	env := &environment[*commerce.Cart]{
		store: store, writer: config.Writer, root: system.Root, log: config.Logger,
		now: func(c *commerce.Cart) time.Time { return c.UpdatedAt },
	}
	return &Carts{directory: newDirectory(system.Root, env, config), system: system}
}

// Close stops all actors. No request may be under way.
func (c *Carts) Close() {
	close(c.directory.stop)
	c.system.Shutdown()
}

// Holds reports whether this node has the cart's state in memory, so that an
// admission need only read its stamp.
func (c *Carts) Holds(key commerce.RecordKey) bool { return c.directory.published(key) != nil }

// Resident counts the carts in memory and, of them, those with a running actor.
func (c *Carts) Resident() (carts, actors int) { return c.directory.resident() }

// Create makes an empty cart. Errors: ErrUnavailable, ErrUnknownOutcome.
// Spec: POST create cart.
func (c *Carts) Create(req *commerce.CartRequest) (commerce.Reply, error) {
	r := newRequest(commerce.Sighting[*commerce.Cart]{}, req.Began, req.Deadline)
	r.create = true
	r.judge = func(cart *commerce.Cart, _ uint64) (*commerce.Cart, commerce.Effects, error) {
		if cart != nil {
			return nil, commerce.Effects{}, errors.New("a new cart's id is taken")
		}
		return commerce.NewCart(req.Cart, req.Now), commerce.Effects{}, nil
	}
	return c.do(req, r)
}

// Read answers a cart read, without the actor where the node holds the admitted
// state. Errors: *Refusal, ErrUnavailable.
func (c *Carts) Read(req *commerce.CartRequest) (commerce.Reply, error) {
	judge := func(cart *commerce.Cart, _ uint64) (*commerce.Cart, commerce.Effects, error) {
		if refusal := commerce.Read(cart, req.Cart, input(req, 0)); refusal != nil {
			return nil, commerce.Effects{}, refusal
		}
		return cart, commerce.Effects{}, nil
	}
	if held := c.held(req); held != nil {
		cart, _, err := judge(held.State, 0)
		return commerce.Reply{Cart: cart, Stamp: held.Stamp}, err
	}
	r := newRequest(req.Seen, req.Began, req.Deadline)
	r.read, r.judge = true, judge
	return c.do(req, r)
}

// held returns the state that a read may be answered from at once, or nil.
func (c *Carts) held(req *commerce.CartRequest) *commerce.CartRecord {
	key := recordKey(req)
	if req.Seen.Record != nil {
		c.directory.keep(key, req.Seen.Record)
		return req.Seen.Record
	}
	if held := c.directory.published(key); held != nil && held.Stamp == req.Seen.Stamp {
		return held
	}
	return nil
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *Carts) Change(req *commerce.CartRequest) (commerce.Reply, error) {
	r := newRequest(req.Seen, req.Began, req.Deadline)
	r.judge = func(cart *commerce.Cart, next uint64) (*commerce.Cart, commerce.Effects, error) {
		changed, effects, refusal := commerce.Change(cart, req.Cart, req.Command, input(req, next))
		if refusal != nil {
			return nil, commerce.Effects{}, refusal
		}
		return changed, effects, nil
	}
	return c.do(req, r)
}

func (c *Carts) do(req *commerce.CartRequest, r *request[*commerce.Cart]) (commerce.Reply, error) {
	if !r.create && req.Seen.Stamp.Zero() && !c.Holds(recordKey(req)) {
		_, _, err := r.judge(nil, 0) // there is no record, and nothing in memory to drop
		return commerce.Reply{}, err
	}
	if err := c.directory.submit(recordKey(req), r); err != nil {
		return commerce.Reply{}, err
	}
	a := r.wait()
	return commerce.Reply{Cart: a.state, Stamp: a.stamp, Place: a.place}, a.err
}

func recordKey(req *commerce.CartRequest) commerce.RecordKey {
	return commerce.RecordKey{Store: req.Store.ID, ID: req.Cart}
}

func input(req *commerce.CartRequest, next uint64) *commerce.Input {
	return &commerce.Input{
		Store: req.Store, Visitor: req.Visitor, Now: req.Now,
		Seen: req.Seen.Stamp.Counter, Next: next, Fault: req.Fault,
	}
}
