package persistence

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
)

// An event is written to its store's outbox in the commit that caused it. From
// there fan_out.lua copies it into a queue for each webhook that takes it, and
// lease_delivery.lua gives the queue's head to one node at a time. Which stores have something
// to do, and when, stands in one index over all stores.

// outboxKey is what waits to be handed out to the store's webhooks, oldest first
// (LIST): {<store>}:outbox → outboxEntry.
func outboxKey(store uuid.UUID) string { return SingleKey(store, "outbox") }

// outboxEvent is an event as the list holds it, and every queue after it. The id is
// its own for good; fan_out.lua finds the name by its place before the body.
type outboxEvent struct {
	ID   string          `json:"id"`
	Name string          `json:"event"`
	Body json.RawMessage `json:"body"`
}

// outboxEntry is an event as the list holds it: {"id", "event", "body"}. A script
// appends it with one RPUSH; Announce tells of it afterwards.
func outboxEntry(e *commerce.Event) []byte {
	id := uuid.New()
	text, err := json.Marshal(outboxEvent{hex.EncodeToString(id[:]), e.Name, e.Body})
	if err != nil {
		panic(err) // a name and valid JSON
	}
	return text
}

// Write writes an event into the outbox, with the number that the visit makes for it.
func Write(plan *records.Plan, store uuid.UUID, e *commerce.Event, made int) {
	if e.Makes == "" {
		plan.List("RPUSH", outboxKey(store), outboxEntry(e))
		return
	}
	before, behind := e.Split(string(outboxEntry(e)))
	plan.Place("RPUSH", outboxKey(store), before, made, behind)
}

// Outbox hands events to whoever delivers them (webhooks.Outbox).
type Outbox struct {
	client *redisdb.Client
	log    *slog.Logger
	stores *Stores
	wake   chan struct{}

	mu    sync.Mutex
	dirty map[uuid.UUID]bool // stores that have something to do, for the index

	swept time.Time // when Due last swept, and where it goes on
	next  uint64

	length  int           // how many deliveries may wait for one receiver
	soon    time.Duration // when what was not served comes again
	dropped atomic.Int64  // deliveries that this node dropped because a queue was full
}

// NewOutbox serves the stores of a Redis.
func NewOutbox(client *redisdb.Client, log *slog.Logger, stores *Stores) *Outbox {
	return &Outbox{
		client: client, log: log, stores: stores, wake: make(chan struct{}, 1),
		dirty: map[uuid.UUID]bool{}, length: queueLength, soon: serveAgain,
	}
}

// Wake is signalled when there is something to deliver before anybody has to look.
func (o *Outbox) Wake() <-chan struct{} { return o.wake }

// Announce tells that a store's outbox may hold something new. It costs its caller
// nothing: the index is written by whoever delivers. What a node does not live to
// tell is found by the sweep.
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
// longest, of the stores that are first in the index. One that nobody takes comes again
// within seconds. One goroutine of a node calls it. Errors: ErrUnavailable.
func (o *Outbox) Due() ([]commerce.Receiver, error) {
	if o.client.Away() {
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
			leased[i].again(o.soon)
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
