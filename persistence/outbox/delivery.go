package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// ReceiversKey holds the store's webhooks that have deliveries, by when the next one
// is due or, while a node serves one, its lease ends (ZSET): {<store>}:webhooks.
func ReceiversKey(store uuid.UUID) string { return records.SingleKey(store, "webhooks") }

// leasesKey holds who serves a webhook, and how it fares (HASH): {<store>}:webhooks:leases.
func leasesKey(store uuid.UUID) string { return records.SingleKey(store, "webhooks:leases") }

// QueueKey holds a webhook's deliveries that were never tried (LIST):
// {<store>}:webhook:<id> → deliveryText.
func QueueKey(store uuid.UUID, receiver string) string {
	return records.KeyPrefix(store, "webhook") + receiver
}

// RetryKey holds those that failed, by when each is tried again (ZSET):
// {<store>}:webhook:<id>:retry.
func RetryKey(store uuid.UUID, receiver string) string { return QueueKey(store, receiver) + ":retry" }

// Take finishes the delivery that was leased last (nil: none) and leases the next one. Nil: there is
// nothing due any more, or another node serves the receiver; the lease has ended. Errors: ErrUnavailable.
func (o *Outbox) Take(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error) {
	for {
		text, at, err := o.leaseDelivery(r, lease, last)
		if err != nil {
			return nil, err
		}
		if text == "" {
			o.scheduleNext(r, at)
			return nil, nil
		}
		d, err := parseDelivery(text, r.ID)
		d.Now = time.UnixMilli(at)
		if err == nil {
			return d, nil
		}
		o.log.Error("a webhook's delivery is dropped", "store", r.Store.String(), "error", err.Error())
		last = &commerce.Settlement{Delivery: d}
	}
}

// Release finishes the delivery that was leased last (nil: it is to be tried again, as
// if it had not been leased) and ends the lease. Errors: ErrUnavailable.
func (o *Outbox) Release(r *commerce.Receiver, last *commerce.Settlement) error {
	_, at, err := o.leaseDelivery(r, 0, last)
	if err == nil {
		o.scheduleNext(r, at)
	}
	return err
}

// A receiver of which more than freeFailures deliveries that were never tried before have failed in
// a row rests after each failure: restEach for each of them beyond, at most maxRest.
const (
	freeFailures = 4
	restEach     = 100 * time.Millisecond
	maxRest      = 10 * time.Second
)

// never is the time of a receiver that has nothing due, or is another node's.
const never = -1

// leaseDelivery runs lease_delivery.lua. With a delivery at is Redis's time, without one it is when the
// receiver is due next, or never; both in Unix milliseconds.
func (o *Outbox) leaseDelivery(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (text string, at int64, err error) {
	if o.client.Unreachable() {
		return "", never, engine.ErrUnavailable
	}
	keys := []string{stores.HeadKey(r.Store), ReceiversKey(r.Store), leasesKey(r.Store), QueueKey(r.Store, r.ID), RetryKey(r.Store, r.ID), GivenUpKey(r.Store, r.ID)}
	args := append([]any{r.Head, r.ID, r.Lease, lease.Milliseconds()}, finished(last)...)
	args = append(args, freeFailures, restEach.Milliseconds(), maxRest.Milliseconds())
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	reply, err := leaseDeliveryScript.Run(ctx, o.client.Redis, keys, args...).StringSlice()
	if err != nil {
		return "", never, o.failed("a webhook's queue", err)
	}
	if len(reply) < 2 || reply[1] == "" {
		return "", never, nil
	}
	at, err = strconv.ParseInt(reply[1], 10, 64)
	return reply[0], at, err
}

// finished is a settlement (nil: none) as lease_delivery.lua takes it.
func finished(s *commerce.Settlement) []any {
	switch {
	case s == nil:
		return []any{"", "", "", "", ""}
	case !s.Failed:
		return []any{s.Delivery.Wire, "", "", "", ""}
	case s.Again == 0 && s.Delivery.Event == commerce.EventPasswordReset: // its token is of no use any more
		return []any{s.Delivery.Wire, "", 0, "", ""}
	case s.Again == 0:
		return []any{s.Delivery.Wire, "", 0, GivenUpTime.Milliseconds(), GivenUpLength}
	}
	return []any{s.Delivery.Wire, failedOnce(s.Delivery), s.Again.Milliseconds(), "", ""}
}

// scheduleNext tells the index when a receiver that was let go is due next.
func (o *Outbox) scheduleNext(r *commerce.Receiver, at int64) {
	if at != never {
		o.schedule(r.Store, at)
	}
}

// A delivery's text is "<failures> <since, Unix milliseconds> <entry of the outbox>".

// parseDelivery reads a text. With an error only Wire is set.
func parseDelivery(text, receiver string) (*commerce.Delivery, error) {
	broken := &commerce.Delivery{Wire: text}
	parts := strings.SplitN(text, " ", 3)
	if len(parts) != 3 {
		return broken, redisdb.ErrCorrupt
	}
	failures, err := strconv.Atoi(parts[0])
	since, err2 := strconv.ParseInt(parts[1], 10, 64)
	var event event
	if err3 := json.Unmarshal([]byte(parts[2]), &event); err != nil || err2 != nil || err3 != nil {
		return broken, fmt.Errorf("%w: failures, time or event", redisdb.ErrCorrupt) // and nothing of its content
	}
	return &commerce.Delivery{
		ID: "msg_" + event.ID + "_" + receiver, Event: event.Name, Body: commerce.WithOnHand(event.Body),
		Failures: failures, Since: time.UnixMilli(since), Wire: text,
	}, nil
}

// failedOnce is a delivery's text after one more failure.
func failedOnce(d *commerce.Delivery) string {
	_, rest, _ := strings.Cut(d.Wire, " ") // it was parsed before
	return strconv.Itoa(d.Failures+1) + " " + rest
}
