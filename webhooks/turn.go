package webhooks

import (
	"context"
	"math/rand/v2"
	"net/url"
	"time"

	"cartd/commerce"
)

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
