package actors

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/waiter"
)

// Records serves admitted requests on one kind of record. Carts and Contacts embed it.
type Records[S any] struct {
	directory *directory[S]
	kind      *engine.Kind[S]
	judge     judgement[S] // the kind's
	callers   *sync.Pool
}

// NewRecords starts a directory over a storage. It shares the actor system, stamps and budget of the
// carts. Close it first, then the carts.
func NewRecords[S any](storage Storage[S], carts *Carts) *Records[S] {
	return newRecords(carts.directory.env.node, storage, nil)
}

func newRecords[S any](n *node, storage Storage[S], changed func(engine.RecordKey, engine.Stamp)) *Records[S] {
	kind := storage.Kind()
	env := &environment[S]{node: n, storage: storage, kind: kind, visitBatches: &sync.Pool{New: newVisitBatch[S]}, changed: changed}
	if p, ok := storage.(presenter[S]); ok {
		env.present = p.Present
	}
	return &Records[S]{directory: newDirectory(env), kind: kind, judge: judged(kind), callers: &sync.Pool{New: newCaller[S]}}
}

// Kind is the name of the kind.
func (n *Records[S]) Kind() string { return n.kind.Name }

// Close ends the directory. No request may be under way.
func (n *Records[S]) Close() { close(n.directory.stop) }

// Known returns a record in this node's memory, possibly out of date, or nil.
func (n *Records[S]) Known(key engine.RecordKey) *engine.Record[S] { return n.directory.published(key) }

// Resident counts the records in memory and, of them, those with a running actor.
func (n *Records[S]) Resident() (records, actors int) { return n.directory.resident() }

// show answers a read with the record that the read found. If the read found only a stamp, which the
// record in memory did not have, it uses the one now in memory with that stamp, or else loads it.
func (n *Records[S]) show(key engine.RecordKey, seen *engine.Sighting[S], asked *engine.Request) (found engine.Record[S], err error) {
	record, count := seen.Record, &n.directory.env.counters
	switch {
	case seen.Resident:
		count.Hits.Add(1)
	case record != nil:
		count.Loads.Add(1)
		n.directory.keep(key, record)
	case !seen.Stamp.Zero():
		if record = n.directory.published(key); record == nil || record.Stamp != seen.Stamp {
			count.Reloads.Add(1)
			return n.load(key, asked)
		}
		count.Hits.Add(1)
	default:
		record = &engine.Record[S]{}
	}
	return n.judgeRead(record, asked)
}

// load answers a read with the current record of the storage.
func (n *Records[S]) load(key engine.RecordKey, asked *engine.Request) (found engine.Record[S], err error) {
	began := asked.Timing.Begin()
	record, err := n.Fetch(key, asked.Deadline)
	asked.Timing.End(engine.PhaseVisit, began)
	if err != nil {
		return found, err
	}
	if record == nil {
		record = &engine.Record[S]{}
	}
	return n.judgeRead(record, asked)
}

// Fetch reads a record from the storage and makes it resident; nil if there is none. Errors:
// engine.ErrUnavailable.
func (n *Records[S]) Fetch(key engine.RecordKey, deadline time.Time) (*engine.Record[S], error) {
	type reply struct {
		record engine.Record[S]
		err    error
	}
	replied := make(chan reply, 1)
	n.directory.env.storage.Load(key, func(record engine.Record[S], err error) { replied <- reply{record, err} })
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case r := <-replied:
		if r.err != nil || r.record.Stamp.Zero() {
			return nil, r.err
		}
		n.directory.keep(key, &r.record)
		return &r.record, nil
	case <-timer.C:
		return nil, engine.ErrUnavailable
	}
}

func (n *Records[S]) judgeRead(record *engine.Record[S], asked *engine.Request) (found engine.Record[S], err error) {
	if _, refusal := engine.Judge(n.kind, asked, &engine.View[S]{State: record.State}); refusal != nil {
		return found, refusal
	}
	return *record, nil
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (n *Records[S]) Change(asked *engine.Request) (engine.Reply, error) {
	return n.reply(newRequest(asked, n.judge))
}

// reply serves a write, and makes its reply.
func (n *Records[S]) reply(r *request[S]) (engine.Reply, error) {
	r.alone = n.kind.Alone(r.Command)
	a, err := n.serve(n.kind.Key(&r.Request), r)
	reply := engine.Reply{
		Part: a.part, Stamp: a.stamp, Size: a.size, CommitIndex: a.commitIndex, Replayed: a.replayed, Existing: a.existing, Facts: a.facts, Fold: a.fold,
	}
	reply.Order, reply.Quote = a.made()
	return n.kind.Show(reply, a.state), err
}

// readReply is the reply of a read.
func (n *Records[S]) readReply(found *engine.Record[S]) engine.Reply {
	return n.kind.Show(engine.Reply{Stamp: found.Stamp, Size: found.Size}, found.State)
}

// serve answers a write.
func (n *Records[S]) serve(key engine.RecordKey, r *request[S]) (a answer[S], err error) {
	c := n.callers.Get().(*caller[S])
	r.caller = c
	if err := n.directory.submit(key, r); err != nil {
		n.callers.Put(c)
		return a, err
	}
	n.directory.env.storage.Flush(r.Deadline)
	defer n.directory.env.budget.makeRoom()
	if r.wait(&a) {
		c.answer = answer[S]{}
		n.callers.Put(c)
	}
	return a, a.err
}

var (
	_ engine.Carts    = (*Carts)(nil)
	_ engine.Contacts = (*Contacts)(nil)
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

// Contacts serves admitted requests on contacts.
type Contacts struct{ *Records[*commerce.Contact] }

// NewContacts is NewRecords for contacts.
func NewContacts(storage Storage[*commerce.Contact], carts *Carts) *Contacts {
	return &Contacts{NewRecords(storage, carts)}
}

// Read uses the contact that admission found. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(asked *engine.Request) (engine.Reply, error) {
	found, err := c.show(c.kind.Key(asked), &asked.Contact, asked)
	return c.readReply(&found), err
}

// Change applies a command. It needs no load if the request has found the contact. Errors: *Refusal,
// ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (c *Contacts) Change(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, c.judge)
	r.found = asked.Contact.Record
	return c.reply(r)
}

// Find returns a contact from this node's memory, possibly out of date, else from the storage; nil if
// there is none. If fresh is true, it reads the storage. Errors: engine.ErrUnavailable.
func (c *Contacts) Find(key engine.RecordKey, fresh bool, deadline time.Time) (*engine.Record[*commerce.Contact], error) {
	if known := c.directory.published(key); known != nil && !fresh {
		return known, nil
	}
	return c.Fetch(key, deadline)
}

// Stores serves change sets of stores' documents. The node has the documents in memory: each batch of sets is judged by
// the version that the node has then, and after a commit the actor rests for Kind.Rest, so that a node moves a store's
// head only so often. Sets that meet an import wait for its end until their deadlines.
type Stores struct{ *Records[*engine.StoreState] }

// NewStores is NewRecords for stores.
func NewStores(storage Storage[*engine.StoreState], carts *Carts) *Stores {
	s := &Stores{NewRecords(storage, carts)}
	s.judge = engine.JudgeStore
	return s
}

// caller is who waits for the answer to a request. It is reused after the answer, if no other wake-up can come.
type caller[S any] struct {
	*waiter.Waiter
	// answer belongs to the actor until it has released the request, then to the caller.
	answer answer[S]
}

func newCaller[S any]() any { return &caller[S]{Waiter: waiter.New()} }

// Storage keeps the records. Load and Send return at once and call back exactly once, from any
// goroutine, under no lock. Load may call back inside the call.
type Storage[S any] interface {
	// Kind is the kind of the records.
	Kind() *engine.Kind[S]
	// Load reads a record. A missing record has a zero stamp. An error means that the storage did not
	// answer, or that the record cannot be read.
	Load(key engine.RecordKey, done func(engine.Record[S], error))
	// Send sends a visit once, with the next Flush. The same visit may be sent again: the storage
	// answers Done if the record carries the visit's stamp already. The visit belongs to the storage
	// until it calls Done.
	Send(v *engine.Visit[S])
	// Flush sends all waiting visits: on the caller's goroutine, if the caller waits until the
	// deadline anyway and no other goroutine is sending.
	Flush(deadline time.Time)
	// Pack appends an idle record in few bytes, or nothing if it cannot be packed. Unpack returns the
	// record; false if it has to be loaded again.
	Pack([]byte, *engine.Record[S]) []byte
	Unpack(engine.RecordKey, string) (engine.Record[S], bool)
	// Away reports whether the storage is known to be unreachable.
	Away() bool
}

// presenter is a storage of records that the node has in memory by its own means, with what requests are judged by: the
// stores'. An actor takes the record for each batch, and keeps none.
type presenter[S any] interface {
	// Present returns the record, and sets the facts of requests by it: their store, key and version. It is nil if the
	// node does not have the record, or not wholly: the requests then end with engine.ErrOutdated.
	Present(key engine.RecordKey, requests []*engine.Request) *engine.Record[S]
}

// Config has the limits of a node's actors.
type Config struct {
	// Mailbox is the maximum number of pending requests of one record.
	Mailbox int
	// Resident is the approximate maximum size in bytes of all records in the node's memory.
	Resident int64
	// Idle is the time after which an unused actor stops. Its packed record leaves after 240 times as
	// long; a record that the storage does not pack leaves at once.
	Idle time.Duration
	// Writer is the random id of this start of the node.
	Writer uint64
	// Changed is called with each state of a cart that a commit or a read makes the one in memory, also
	// if it was there before. It must not block. nil if nothing follows carts.
	Changed func(engine.RecordKey, engine.Stamp)
	Logger  *slog.Logger
}

// node is shared by the directories of all kinds of records: one actor system, one sequence of
// stamps, one clock and one budget.
type node struct {
	config Config
	system *actor.ActorSystem
	budget budget
	// began is the zero of the node's clock. now is the time of the last tick, exact enough to find
	// idle records.
	began time.Time
	now   atomic.Int64
	// sequence counts the commits since this start, of all kinds of records.
	sequence atomic.Uint64
	counters Counters
}

func newNode(config Config) *node {
	// protoactor's own log would print message bodies.
	n := &node{config: config, began: time.Now()}
	n.budget.limit = config.Resident
	n.system = actor.NewActorSystemWithConfig(actor.Configure(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }),
		actor.WithDeadLetterRequestLogging(false),
	))
	return n
}

// Counters are a node's counts since its start, of all kinds of records together.
type Counters struct {
	// Outcomes counts the sendings of visits by their outcomes.
	Outcomes [engine.Unknown + 1]atomic.Uint64
	// Visits are sent for the first time, with Visited requests together, or sent again as Resends
	// because the outcome was not known.
	Visits, Visited, Resends atomic.Uint64
	// Hits are reads that the node's own record answered, Loads those that brought the record along,
	// Reloads those that had to read it once more.
	Hits, Loads, Reloads atomic.Uint64
	// Passivated records were packed because they were idle. Evicted ones left the memory to make
	// room; a packed one counts there again.
	Passivated, Evicted atomic.Uint64
	// MailboxFull are requests that found no room in a record's mailbox.
	MailboxFull atomic.Uint64
}

// Counters are those of the actors of all kinds of record together.
func (c *Carts) Counters() *Counters { return &c.directory.env.counters }

// ResidentBytes is the memory of the records, of all kinds together, and its limit.
func (c *Carts) ResidentBytes() (bytes, limit int64) {
	return c.directory.env.budget.bytes.Load(), c.directory.env.budget.limit
}
