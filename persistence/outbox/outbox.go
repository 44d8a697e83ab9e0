package outbox

import (
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// An event is written to its store's outbox in the commit that caused it. From
// there fan_out.lua copies it into a queue for each webhook that takes it, and
// lease_delivery.lua gives the queue's head to one node at a time. Which stores have something
// to do, and when, stands in one index over all stores.

// Key is what waits to be handed out to the store's webhooks, oldest first
// (LIST): {<store>}:outbox → outboxEntry.
func Key(store uuid.UUID) string { return records.SingleKey(store, "outbox") }

// event is an event as the list holds it, and every queue after it. The id is
// its own for good; fan_out.lua finds the name by its place before the body.
type event struct {
	ID   string          `json:"id"`
	Name string          `json:"event"`
	Body json.RawMessage `json:"body"`
}

// Entry is an event as the list holds it: {"id", "event", "body"}. A script
// appends it with one RPUSH; Announce tells of it afterwards.
func Entry(e *commerce.Event) []byte {
	id := uuid.New()
	text, err := json.Marshal(event{hex.EncodeToString(id[:]), e.Name, e.Body})
	if err != nil {
		panic(err) // a name and valid JSON
	}
	return text
}

// Write writes an event into the outbox, with the number that the visit makes for it.
func Write(plan *records.Plan, store uuid.UUID, e *commerce.Event, made int) {
	if e.Makes == "" {
		plan.List("RPUSH", Key(store), Entry(e))
		return
	}
	before, behind := e.Split(string(Entry(e)))
	plan.Place("RPUSH", Key(store), before, made, behind)
}

// Outbox hands events to the dispatcher of webhooks (webhooks.Outbox).
type Outbox struct {
	client *redisdb.Client
	log    *slog.Logger
	stores *stores.Stores
	wake   chan struct{}

	mu    sync.Mutex
	dirty map[uuid.UUID]bool // stores that have something to do, for the index

	Swept time.Time // when Due last swept, and where it goes on
	next  uint64

	Length  int           // how many deliveries may wait for one receiver
	Soon    time.Duration // when what was not served comes again
	Dropped atomic.Int64  // deliveries that this node dropped because a queue was full
}

// New serves the stores of a Redis.
func New(client *redisdb.Client, log *slog.Logger, stores *stores.Stores) *Outbox {
	return &Outbox{
		client: client, log: log, stores: stores, wake: make(chan struct{}, 1),
		dirty: map[uuid.UUID]bool{}, Length: queueLength, Soon: serveAgain,
	}
}

// Wake is signalled when there is something to deliver.
func (o *Outbox) Wake() <-chan struct{} { return o.wake }

// Announce marks a store whose outbox may hold something new. It costs its caller
// nothing: the dispatcher writes the index. The sweep finds the stores that a node was
// killed before it could mark.
func (o *Outbox) Announce(store uuid.UUID) {
	o.markDirty(store)
	o.signal()
}

func (o *Outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default: // signalled already
	}
}

// Due returns all receivers that have deliveries due, those first that have waited
// longest, of the stores that are first in the index. One that is not served comes again
// within seconds. One goroutine of a node calls it. Errors: ErrUnavailable.
func (o *Outbox) Due() ([]commerce.Receiver, error) {
	if o.client.Unreachable() {
		return nil, engine.ErrUnavailable
	}
	if err := o.sweep(); err != nil && !o.client.Cluster() {
		return nil, err
	}
	leased, err := o.leaseStores()
	if err != nil || len(leased) == 0 {
		return nil, err
	}
	var receivers []commerce.Receiver
	for i := range leased {
		found, err := o.serveStore(&leased[i])
		switch {
		case err == nil:
			receivers = append(receivers, found...)
		case o.client.Cluster(): // the store's server may be silent while others answer
			leased[i].again(o.Soon)
		default:
			return nil, err
		}
	}
	return receivers, o.returnStores(leased)
}

// failed notes what a command of the outbox met. A reply leaves Redis in its place.
func (o *Outbox) failed(what string, err error) error {
	if redisdb.IsReply(err) {
		o.log.Error(what, "error", err.Error())
	} else {
		o.client.Lost(err)
	}
	return engine.ErrUnavailable
}
