package persistence

import (
	"encoding/hex"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// An event is written to its store's outbox in the commit that caused it. From
// there hand_out.lua copies it into a queue for each webhook that takes it, and
// take.lua gives the queue's head to one node at a time. Which stores have something
// to do, and when, stands in one index over all stores.

// outboxKey is what waits to be handed out to the store's webhooks, oldest first
// (LIST): {<store>}:outbox → outboxEntry.
func outboxKey(store uuid.UUID) string { return singleKey(store, "outbox") }

// outboxEvent is an event as the list holds it, and every queue after it. The id is
// its own for good; hand_out.lua finds the name by its place before the body.
type outboxEvent struct {
	ID   string          `json:"id"`
	Name string          `json:"event"`
	Body json.RawMessage `json:"body"`
}

// outboxEntry is an event as the list holds it: {"id", "event", "body"}. A script
// appends it with one RPUSH; DB.announce tells of it afterwards.
func outboxEntry(e *commerce.Event) []byte {
	id := uuid.New()
	text, err := json.Marshal(outboxEvent{hex.EncodeToString(id[:]), e.Name, e.Body})
	if err != nil {
		panic(err) // a name and valid JSON
	}
	return text
}

// announce writes an event (nil: none) into the outbox, with the number that the visit makes for it.
func (w *wire) announce(store uuid.UUID, e *commerce.Event, made int) {
	switch {
	case e == nil:
		return
	case e.Makes == "":
		w.Plan.List("RPUSH", outboxKey(store), outboxEntry(e))
	default:
		before, behind := e.Split(string(outboxEntry(e)))
		w.Plan.Place("RPUSH", outboxKey(store), before, made, behind)
	}
	w.events = true
}

// Outbox hands events to whoever delivers them (webhooks.Outbox).
type Outbox struct {
	db   *DB
	wake chan struct{}

	mu   sync.Mutex
	told map[uuid.UUID]bool // stores that have something to do, for the index

	swept time.Time // when Due last swept, and where it goes on
	next  uint64

	length  int           // how many deliveries may wait for one receiver
	soon    time.Duration // when what was not served comes again
	dropped atomic.Int64  // deliveries that this node dropped because a queue was full
}

func newOutbox(d *DB) *Outbox {
	return &Outbox{db: d, wake: make(chan struct{}, 1), told: map[uuid.UUID]bool{}, length: queueLength, soon: lookSoon}
}

// Outbox is where events wait for their delivery.
func (d *DB) Outbox() *Outbox { return d.outbox }

// Wake is signalled when there is something to deliver before anybody has to look.
func (o *Outbox) Wake() <-chan struct{} { return o.wake }

// announce tells that a store's outbox may hold something new. It costs its caller
// nothing: the index is written by whoever delivers. What a node does not live to
// tell is found by the sweep.
func (d *DB) announce(store uuid.UUID) {
	d.outbox.tell(store)
	d.outbox.signal()
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
	if o.db.Away() {
		return nil, engine.ErrUnavailable
	}
	if err := o.sweep(); err != nil && !o.db.main.Cluster() {
		return nil, err
	}
	looks, err := o.look()
	if err != nil || len(looks) == 0 {
		return nil, err
	}
	var receivers []commerce.Receiver
	for i := range looks {
		found, err := o.visit(&looks[i])
		switch {
		case err == nil:
			receivers = append(receivers, found...)
		case o.db.main.Cluster(): // the store's server may be silent while others answer
			looks[i].again(o.soon)
		default:
			return nil, err
		}
	}
	return receivers, o.looked(looks)
}

// failed notes what a command of the outbox met. A reply leaves Redis in its place.
func (o *Outbox) failed(what string, err error) error {
	if redisdb.IsReply(err) {
		o.db.log.Error(what, "error", err.Error())
	} else {
		o.db.main.Lost(err)
	}
	return engine.ErrUnavailable
}
