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

// Outbox is the store of events that wait for delivery. All nodes share its clock.
type Outbox interface {
	// Due returns receivers that have a delivery due, the longest wait first. If it returns one
	// receiver of a store, it returns all due ones of that store. A receiver that gets no slot is
	// returned again. Errors: ErrUnavailable.
	Due() ([]commerce.Receiver, error)
	// Next records the outcome of the last delivery, nil if there was none, and leases the
	// receiver's next one. It returns nil and no lease if nothing is due, the receiver's back-off
	// lasts, or another node has the lease. Errors: ErrUnavailable; the lease then expires.
	Next(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error)
	// Release records the outcome of the last delivery and ends the lease. If last is nil, the
	// delivery is due again. Errors: ErrUnavailable.
	Release(r *commerce.Receiver, last *commerce.Settlement) error
	// Wake is signalled when a delivery became due and no node has been woken for it.
	Wake() <-chan struct{}
}

// Config has the settings of a Deliverer.
type Config struct {
	Outbox Outbox
	// AttemptTimeout is the maximum time of one attempt, from the connect to the answer.
	AttemptTimeout time.Duration
	// AllowPrivate allows receivers on private addresses.
	AllowPrivate bool
	Logger       *slog.Logger
}

const (
	// A node polls the outbox every pollEvery and when it is woken. Two polls are at least pollGap
	// apart.
	pollEvery = time.Second
	pollGap   = 20 * time.Millisecond
)

// Deliverer delivers events on one node.
type Deliverer struct {
	config Config
	client *http.Client
	log    *slog.Logger

	stopping chan struct{} // closed when no further turns may begin
	abandon  context.CancelFunc
	attempts context.Context // its end cancels the attempts under way
	stop     sync.Once
	running  sync.WaitGroup // the loop and the turns
	more     chan struct{}  // signalled when a turn ended with more to deliver
	slots    slots

	delivered, failed, givenUp atomic.Int64
}

// Start starts a Deliverer. Stop ends it.
func Start(config Config) *Deliverer {
	d := &Deliverer{
		config: config, log: config.Logger,
		stopping: make(chan struct{}), more: make(chan struct{}, 1), slots: newSlots(),
	}
	d.client = newClient(config.AllowPrivate)
	d.attempts, d.abandon = context.WithCancel(context.Background())
	d.running.Go(d.loop)
	return d
}

// Stop leases no more deliveries and waits at most patience for the attempts under way. It cancels
// the others; another node repeats them.
func (d *Deliverer) Stop(patience time.Duration) {
	d.stop.Do(func() { close(d.stopping) })
	impatient := time.AfterFunc(patience, d.abandon)
	defer impatient.Stop()
	d.running.Wait()
	d.abandon()
}

// Counts are the attempts of this node since its start.
type Counts struct{ Delivered, Failed, GivenUp int64 }

// Counts returns the numbers until now.
func (d *Deliverer) Counts() Counts {
	return Counts{d.delivered.Load(), d.failed.Load(), d.givenUp.Load()}
}

func (d *Deliverer) loop() {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	gap := time.NewTimer(0)
	defer gap.Stop()
	for {
		select {
		case <-d.stopping:
			return
		case <-gap.C:
		}
		d.poll()
		gap.Reset(pollGap)
		select {
		case <-d.stopping:
			return
		case <-tick.C:
		case <-d.more:
		case <-d.config.Outbox.Wake():
		}
	}
}

// poll begins a turn for every receiver that has a delivery due and gets a slot.
func (d *Deliverer) poll() {
	due, err := d.config.Outbox.Due()
	if err != nil {
		return // the outbox has logged it; the loop polls again
	}
	for i := range due {
		r := &due[i]
		if d.slots.begin(name(r)) {
			d.running.Go(func() { d.turn(r) })
		}
	}
}
