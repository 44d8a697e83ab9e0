package actors

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Config bounds what actors hold and do.
type Config struct {
	// Mailbox is how many requests one record takes at a time.
	Mailbox int
	// Resident is how many bytes the records in a node's memory take at most (about),
	// carts and contacts together.
	Resident int64
	// Idle is when an unused actor stops; what the store packs leaves after 240 times as
	// long, the rest at once.
	Idle time.Duration
	// Writer is the random id of this start of the node.
	Writer uint64
	Logger *slog.Logger
}

// node is what the directories of all kinds of records share: one actor system, one
// sequence of stamps, one clock and one budget.
type node struct {
	config Config
	system *actor.ActorSystem
	budget budget
	// began is the zero of the node's clock, now the time of the last tick: exact enough
	// to tell who is idle.
	began time.Time
	now   atomic.Int64
	// sequence counts the commits of this start, over all kinds of records.
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
