package webhooks

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"cartd/commerce"
)

// Outbox is where events wait. Its times are one clock's for all nodes.
type Outbox interface {
	// Due returns receivers that have something due: of a store all, those first that
	// have waited longest, so that such as get no slot hide no other. One that is not
	// served comes again. Errors: ErrUnavailable.
	Due() ([]commerce.Receiver, error)
	// Take settles the delivery taken last (nil: none) and takes the receiver's next
	// one under a lease. Nil: nothing is due, the receiver is to rest, or another node
	// serves it; no lease is held then. Errors: ErrUnavailable; the lease ends by itself then.
	Take(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error)
	// Release settles the delivery taken last (nil: it goes to whoever takes next) and
	// ends the lease. Errors: ErrUnavailable.
	Release(r *commerce.Receiver, last *commerce.Settlement) error
	// Wake is signalled when something became due that nobody looks for yet.
	Wake() <-chan struct{}
}

// Config says how to deliver.
type Config struct {
	Outbox Outbox
	// AttemptTimeout is how long a receiver may take, connecting and all.
	AttemptTimeout time.Duration
	// AllowPrivate lets receivers be on private addresses.
	AllowPrivate bool
	Logger       *slog.Logger
}

const (
	// Without being woken, a node looks every lookEvery; being woken, no more often
	// than every lookGap.
	lookEvery = time.Second
	lookGap   = 20 * time.Millisecond
)

// Deliverer is a node's share of the delivering.
type Deliverer struct {
	config Config
	client *http.Client
	log    *slog.Logger

	stopping chan struct{} // closed: no further turns
	abandon  context.CancelFunc
	attempts context.Context // ended: attempts under way are given up
	stop     sync.Once
	running  sync.WaitGroup // the loop and the turns
	more     chan struct{}  // a turn ended with more to deliver
	slots    slots

	delivered, failed, givenUp atomic.Int64
}

// Start begins to deliver. Stop ends it.
func Start(config Config) *Deliverer {
	d := &Deliverer{
		config: config, log: config.Logger,
		stopping: make(chan struct{}), more: make(chan struct{}, 1), slots: newSlots(),
	}
	d.client = newClient(config.AllowPrivate, d.onSurplus)
	d.attempts, d.abandon = context.WithCancel(context.Background())
	d.running.Go(d.loop)
	return d
}

// Stop takes no more deliveries, waits for the attempts under way, but no longer than
// patience, and gives those up that have not ended: another node makes them again.
func (d *Deliverer) Stop(patience time.Duration) {
	d.stop.Do(func() { close(d.stopping) })
	impatient := time.AfterFunc(patience, d.abandon)
	defer impatient.Stop()
	d.running.Wait()
	d.abandon()
	d.client.CloseIdleConnections()
}

// Counts are the attempts of this node since its start.
type Counts struct{ Delivered, Failed, GivenUp int64 }

// Counts returns what was delivered until now.
func (d *Deliverer) Counts() Counts {
	return Counts{d.delivered.Load(), d.failed.Load(), d.givenUp.Load()}
}

func (d *Deliverer) loop() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	gap := time.NewTimer(0)
	defer gap.Stop()
	for {
		select {
		case <-d.stopping:
			return
		case <-gap.C:
		}
		d.look()
		gap.Reset(lookGap)
		select {
		case <-d.stopping:
			return
		case <-tick.C:
		case <-d.more:
		case <-d.config.Outbox.Wake():
		}
	}
}

// look begins a turn for every receiver that has something due and finds a slot.
func (d *Deliverer) look() {
	due, err := d.config.Outbox.Due()
	if err != nil {
		return // the outbox has said so, and is asked again
	}
	for i := range due {
		r := &due[i]
		if d.slots.begin(name(r)) {
			d.running.Go(func() { d.turn(r) })
		}
	}
}
