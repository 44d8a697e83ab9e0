package outbox

import (
	"embed"
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

// An event is written to its store's outbox in the commit that causes it. fan_out.lua copies it
// into the queue of each webhook that receives such events. lease_delivery.lua gives the first
// delivery of a queue to one node at a time. One index over all stores says which stores have
// events, and when they are due.

// Key is the key of the store's events that are not fanned out yet, oldest first (LIST):
// {<store>}:outbox → encode.
func Key(store uuid.UUID) string { return records.SingleKey(store, "outbox") }

// event is the form of an event in the outbox and in every queue. Its id never changes.
// fan_out.lua reads the name at its position.
type event struct {
	ID   string          `json:"id"`
	Name string          `json:"event"`
	Body json.RawMessage `json:"body"`
}

// encode encodes an event as the JSON of type event; at is the offset of the body. A script appends the text with one RPUSH;
// Announce marks the store afterwards.
func encode(e *commerce.Event) (text string, at int) {
	id := uuid.New()
	head := `{"id":"` + hex.EncodeToString(id[:]) + `","event":"` + e.Name + `","body":` // the names have no escapes
	return head + string(e.Body) + `}`, len(head)
}

// Write writes an event into the outbox, with the numbers that the visit makes for it.
func Write(plan *records.Plan, store uuid.UUID, e *commerce.Event, made ...int) {
	text, body := encode(e)
	if len(e.MadeAt) == 0 {
		plan.List("RPUSH", Key(store), text)
		return
	}
	placed := make([]records.Placed, len(e.MadeAt))
	for i, at := range e.MadeAt {
		end := len(text)
		if i+1 < len(e.MadeAt) {
			end = body + e.MadeAt[i+1]
		}
		placed[i] = records.Placed{Made: made[i], Suffix: text[body+at : end]}
	}
	plan.Place("RPUSH", Key(store), text[:body+e.MadeAt[0]], placed...)
}

// Outbox gives events to the dispatcher of webhooks (webhooks.Outbox).
type Outbox struct {
	client *redisdb.Client
	log    *slog.Logger
	stores *stores.Stores
	wake   chan struct{}

	mu    sync.Mutex
	dirty map[uuid.UUID]bool // stores to enter into the index

	swept time.Time // the time of the last sweep, and its cursor
	next  uint64

	length  int           // max number of deliveries that wait for one receiver
	soon    time.Duration // the pause until a store with unserved deliveries is served again
	Dropped atomic.Int64  // deliveries that this node dropped because a queue was full

	// OnUnpaid has a turn at a store's unpaid orders and returns when the next turn is; zero for none. It
	// is nil if the node has none.
	OnUnpaid func(*UnpaidTurn) time.Time
}

// New returns the outbox of the stores of a Redis.
func New(client *redisdb.Client, log *slog.Logger, stores *stores.Stores) *Outbox {
	return &Outbox{
		client: client, log: log, stores: stores, wake: make(chan struct{}, 1),
		dirty: map[uuid.UUID]bool{}, length: queueLength, soon: serveAgain,
	}
}

// Wake is signalled when there may be events to deliver.
func (o *Outbox) Wake() <-chan struct{} { return o.wake }

// Announce marks a store whose outbox may have a new event. It is cheap for its caller, because
// the dispatcher writes the index. If the node is killed first, the sweep finds the store.
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

// Due returns the receivers with deliveries due, of the first stores in the index; receivers
// that wait longer come first. A receiver that is not served is returned again within seconds.
// One goroutine of a node calls it. Errors: ErrUnavailable.
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
			leased[i].again(o.soon)
		default:
			return nil, err
		}
	}
	return receivers, o.returnStores(leased)
}

// failed logs or notes the error of an outbox's command. After an error reply Redis still
// counts as reachable.
func (o *Outbox) failed(what string, err error) error {
	if redisdb.IsReply(err) {
		o.log.Error(what, "error", err.Error())
	} else {
		o.client.Lost(err)
	}
	return engine.ErrUnavailable
}

//go:embed *.lua
var files embed.FS

var (
	leaseStoresScript   = redisdb.NewScript(files, "lease_stores")
	returnStoresScript  = redisdb.NewScript(files, "return_stores")
	fanOutScript        = redisdb.NewScript(files, "fan_out")
	leaseDeliveryScript = redisdb.NewScript(files, "lease_delivery")
	dropQueueScript     = redisdb.NewScript(files, "drop_queue")
)
