package webhooks

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
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

const (
	// A turn ends after turnDeliveries deliveries or after turnTime.
	turnDeliveries = 32
	turnTime       = 10 * time.Second
	// The lease lasts leaseSpare longer than an attempt. An attempt begins at most maxDelay after
	// the call that leased the delivery. The attempt therefore ends while the lease lasts.
	leaseSpare = 2 * time.Second
	maxDelay   = 1500 * time.Millisecond
	// A receiver whose answer takes longer than slow is troubled.
	slow = 2 * time.Second
)

// turn serves a receiver until nothing is due, its back-off begins, or the turn's bounds are
// reached.
func (d *Deliverer) turn(r *commerce.Receiver) {
	defer d.slots.end(name(r))
	var last *commerce.Settlement
	began := time.Now()
	for range turnDeliveries {
		if d.stopped() || time.Since(began) > turnTime {
			break
		}
		asked := time.Now()
		next, err := d.config.Outbox.Next(r, d.config.AttemptTimeout+leaseSpare, last)
		if err != nil || next == nil {
			return
		}
		last = nil
		if time.Since(asked) > maxDelay {
			break
		}
		if last = d.deliver(r, next); last == nil {
			break
		}
	}
	d.release(r, last)
	d.pollAgain()
}

func (d *Deliverer) release(r *commerce.Receiver, last *commerce.Settlement) {
	_ = d.config.Outbox.Release(r, last) // on an error the lease expires
}

func (d *Deliverer) stopped() bool {
	select {
	case <-d.stopping:
		return true
	default:
		return false
	}
}

// pollAgain wakes the loop.
func (d *Deliverer) pollAgain() {
	select {
	case d.more <- struct{}{}:
	default: // the loop is already woken
	}
}

// deliver makes one attempt and returns its outcome, or nil if the attempt was cancelled because
// the node stops.
func (d *Deliverer) deliver(r *commerce.Receiver, next *commerce.Delivery) *commerce.Settlement {
	ctx, cancel := context.WithTimeout(d.attempts, d.config.AttemptTimeout)
	defer cancel()
	ended := d.slots.attempt(name(r), d.pollAgain)
	began := time.Now()
	err := attempt(ctx, d.client, r, next)
	ended()
	took := time.Since(began)
	if err != nil && d.attempts.Err() != nil {
		return nil
	}
	recovered := d.slots.note(name(r), err != nil, took > slow)
	if err == nil {
		d.delivered.Add(1)
		if recovered {
			d.log.Info("a webhook takes its events again", "store", r.Store.String(), "host", Host(r), "event", next.Event, "id", next.ID)
		}
		return &commerce.Settlement{Delivery: next}
	}
	d.failed.Add(1)
	return d.failure(r, next, next.Now.Add(took).Sub(next.Since), err)
}

// failure decides whether and when a failed delivery is retried. age is the time since the
// delivery was first due.
func (d *Deliverer) failure(r *commerce.Receiver, failed *commerce.Delivery, age time.Duration, err error) *commerce.Settlement {
	failures := failed.Failures + 1
	wait, again := retryAfter(failures, age, rand.Float64())
	line := []any{
		"store", r.Store.String(), "host", Host(r), "event", failed.Event, "id", failed.ID, "attempts", failures, "reason", reason(err),
	}
	if again {
		d.log.Warn("a webhook does not take an event", append(line, "next_try", time.Now().Add(wait).UTC().Truncate(time.Second))...)
	} else {
		d.log.Error("a webhook's event is given up", append(line, "total", d.givenUp.Add(1))...)
		wait = 0
	}
	return &commerce.Settlement{Delivery: failed, Failed: true, Again: wait}
}

// Host is the part of a receiver's address that may be shown. The rest may contain secrets.
func Host(r *commerce.Receiver) string {
	address, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return address.Host
}
