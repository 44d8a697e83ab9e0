package actors

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/engine"
)

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
