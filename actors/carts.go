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

// errTaken cannot happen: ids of carts are random.
var errTaken = errors.New("a new cart's id is taken")

// repeated is a creation whose Idempotency-Key has an entry.
type repeated struct{ entry *commerce.IdempotencyEntry }

func (repeated) Error() string { return "the cart was made before" }

// Create makes an empty cart, or answers with the one that the same request made
// before. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
// Spec: POST create cart.
func (c *Carts) Create(req *commerce.CartRequest) (commerce.Reply, error) {
	r := newRequest(req)
	r.create = true
	r.judge = func(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
		switch {
		case v.entry != nil:
			return verdict[*commerce.Cart]{}, repeated{v.entry}
		case v.state != nil:
			return verdict[*commerce.Cart]{}, errTaken
		}
		return verdict[*commerce.Cart]{
			state:   commerce.NewCart(req.Cart, req.Now),
			effects: commerce.Effects{Key: req.Key, Made: req.Cart},
		}, nil
	}
	reply, err := c.do(req, r)
	var again repeated
	if errors.As(err, &again) {
		return c.createdBefore(req, again.entry)
	}
	return reply, err
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
// state. Errors: *Refusal, ErrUnavailable.
func (c *Carts) Read(req *commerce.CartRequest) (commerce.Reply, error) {
	judge := func(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
		if refusal := commerce.Read(v.state, req.Cart, input(req, &v)); refusal != nil {
			return verdict[*commerce.Cart]{}, refusal
		}
		return verdict[*commerce.Cart]{state: v.state}, nil
	}
	if held := c.held(req); held != nil {
		after, err := judge(view[*commerce.Cart]{state: held.State})
		return commerce.Reply{Cart: after.state, Stamp: held.Stamp}, err
	}
	r := newRequest(req)
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
	if held := c.directory.published(key); held != nil && held.Stamp == req.Seen.Stamp && !req.Seen.Unread {
		return held
	}
	return nil
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *Carts) Change(req *commerce.CartRequest) (commerce.Reply, error) {
	r := newRequest(req)
	r.judge = func(v view[*commerce.Cart]) (verdict[*commerce.Cart], error) {
		changed, refusal := commerce.Change(v.state, req.Cart, req.Command, input(req, &v))
		if refusal != nil {
			return verdict[*commerce.Cart]{}, refusal
		}
		return verdict[*commerce.Cart]{state: changed.Cart, effects: changed.Effects, replayed: changed.Replayed}, nil
	}
	return c.do(req, r)
}

// newRequest is a request on a cart, but for what it does.
func newRequest(req *commerce.CartRequest) *request[*commerce.Cart] {
	r := &request[*commerce.Cart]{
		seen: req.Seen, began: req.Began, deadline: req.Deadline,
		key: req.Key, entry: req.Entry,
		answer: make(chan answer[*commerce.Cart], 1),
	}
	if r.entry != nil {
		r.since = time.Now()
	}
	return r
}

func (c *Carts) do(req *commerce.CartRequest, r *request[*commerce.Cart]) (commerce.Reply, error) {
	if !r.create && !req.Seen.Unread && req.Seen.Stamp.Zero() && !c.Holds(recordKey(req)) {
		_, err := r.judge(view[*commerce.Cart]{}) // there is no record, and nothing in memory to drop
		return commerce.Reply{}, err
	}
	if err := c.directory.submit(recordKey(req), r); err != nil {
		return commerce.Reply{}, err
	}
	a := r.wait()
	return commerce.Reply{Cart: a.state, Stamp: a.stamp, Place: a.place, Replayed: a.replayed}, a.err
}

func recordKey(req *commerce.CartRequest) commerce.RecordKey {
	return commerce.RecordKey{Store: req.Store.ID, ID: req.Cart}
}

func input(req *commerce.CartRequest, v *view[*commerce.Cart]) *commerce.Input {
	in := &commerce.Input{
		Store: req.Store, Visitor: req.Visitor, Now: req.Now,
		Seen: req.Seen.Stamp.Counter, Next: v.next, Fault: req.Fault,
		Key: req.Key, Entry: v.entry, Match: req.Match,
	}
	if req.Match != nil && !v.stamp.Zero() {
		in.Version = v.stamp.Version(0)
	}
	return in
}
