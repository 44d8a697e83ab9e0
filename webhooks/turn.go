package webhooks

import (
	"context"
	"math/rand/v2"
	"net/url"
	"time"

	"cartd/commerce"
)

const (
	// A turn ends after so many deliveries, or once it has taken so long.
	turnDeliveries = 32
	turnTime       = 10 * time.Second
	// The lease lasts leaseSpare longer than an attempt, which is not begun later than
	// mostDelay after the lease was asked for: it has ended before the lease does.
	leaseSpare = 2 * time.Second
	mostDelay  = 1500 * time.Millisecond
	// An answer later than slow is a kind of trouble.
	slow = 2 * time.Second
)

// turn serves a receiver until nothing is due, it is to rest, or others are to have the
// slot.
func (d *Deliverer) turn(r *commerce.Receiver) {
	defer d.slots.end(name(r))
	var last *commerce.Settlement
	began := time.Now()
	for range turnDeliveries {
		if d.stopped() || time.Since(began) > turnTime {
			break
		}
		asked := time.Now()
		next, err := d.config.Outbox.Take(r, d.config.AttemptTimeout+leaseSpare, last)
		if err != nil || next == nil {
			return
		}
		last = nil
		if time.Since(asked) > mostDelay {
			break
		}
		if last = d.deliver(r, next); last == nil {
			break
		}
	}
	d.release(r, last)
	d.lookAgain()
}

func (d *Deliverer) release(r *commerce.Receiver, last *commerce.Settlement) {
	_ = d.config.Outbox.Release(r, last) // the lease ends by itself otherwise
}

func (d *Deliverer) stopped() bool {
	select {
	case <-d.stopping:
		return true
	default:
		return false
	}
}

// lookAgain makes the loop look at once.
func (d *Deliverer) lookAgain() {
	select {
	case d.more <- struct{}{}:
	default: // it will
	}
}

// deliver makes one attempt and judges it. Nil: it was given up half-way, as the node
// stops.
func (d *Deliverer) deliver(r *commerce.Receiver, next *commerce.Delivery) *commerce.Settlement {
	ctx, cancel := context.WithTimeout(d.attempts, d.config.AttemptTimeout)
	defer cancel()
	began := time.Now()
	err := attempt(ctx, d.client, r, next)
	took := time.Since(began)
	if err != nil && d.attempts.Err() != nil {
		return nil
	}
	recovered := d.slots.note(name(r), err != nil, took > slow)
	if err == nil {
		d.delivered.Add(1)
		if recovered {
			d.log.Info("a webhook takes its events again", "store", r.Store.String(), "host", host(r), "event", next.Event, "id", next.ID)
		}
		return &commerce.Settlement{Delivery: next}
	}
	d.failed.Add(1)
	return d.failure(r, next, next.Now.Add(took).Sub(next.Since), err)
}

// failure decides what comes after a failed attempt, age after the delivery was first
// to go out.
func (d *Deliverer) failure(r *commerce.Receiver, failed *commerce.Delivery, age time.Duration, err error) *commerce.Settlement {
	failures := failed.Failures + 1
	wait, again := retryAfter(failures, age, rand.Float64())
	line := []any{
		"store", r.Store.String(), "host", host(r), "event", failed.Event, "id", failed.ID, "attempts", failures, "reason", reason(err),
	}
	if again {
		d.log.Warn("a webhook does not take an event", append(line, "next_try", time.Now().Add(wait).UTC().Truncate(time.Second))...)
	} else {
		d.log.Error("a webhook's event is given up", append(line, "total", d.givenUp.Add(1))...)
		wait = 0
	}
	return &commerce.Settlement{Delivery: failed, Failed: true, Again: wait}
}

// onSurplus logs that a receiver sends more than answers, at most once a minute. net/http
// closes connections too as the node stops.
func (d *Deliverer) onSurplus(host string) {
	if !d.stopped() && d.slots.warn("surplus "+host, time.Now()) {
		d.log.Warn("a webhook's receiver sends more than its answer", "host", host)
	}
}

// host is what of a receiver's address may be shown: the rest may hold secrets.
func host(r *commerce.Receiver) string {
	address, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return address.Host
}
