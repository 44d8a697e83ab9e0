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
	"cartd/internal/answers"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// receiversKey is the key of the store's webhooks that have deliveries, by the time when the
// next one is due or, while a node serves the webhook, by the end of its lease (ZSET):
// {<store>}:webhooks.
func receiversKey(store uuid.UUID) string { return records.SingleKey(store, "webhooks") }

// leasesKey is the key of the leases of webhooks and their counts of failures (HASH):
// {<store>}:webhooks:leases.
func leasesKey(store uuid.UUID) string { return records.SingleKey(store, "webhooks:leases") }

// queueKey is the key of a webhook's deliveries that were never tried (LIST):
// {<store>}:webhook:<id> → deliveries, see parseDelivery. Its second queue is <id>:stock.
func queueKey(store uuid.UUID, receiver string) string {
	return records.KeyPrefix(store, "webhook") + receiver
}

// retryKey is the key of a webhook's deliveries that failed, by the time of their next try
// (ZSET): {<store>}:webhook:<id>:retry.
func retryKey(store uuid.UUID, receiver string) string { return queueKey(store, receiver) + ":retry" }

// Next finishes the last delivery (nil if there is none) and leases the next one. It returns
// nil, and the lease has ended, if none is due or another node serves the receiver. Errors:
// ErrUnavailable.
func (o *Outbox) Next(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error) {
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
		o.logDropped(r, err)
		last = &commerce.Settlement{Delivery: d}
	}
}

// logDropped logs a delivery that cannot be read.
func (o *Outbox) logDropped(r *commerce.Receiver, err error) {
	o.log.Error("a webhook's delivery is dropped", "store", r.Store.String(), "webhook", r.ID, "error", err.Error())
}

// Release finishes the last delivery and ends the lease. If last is nil, the leased delivery is
// tried again as if it had not been leased. Errors: ErrUnavailable.
func (o *Outbox) Release(r *commerce.Receiver, last *commerce.Settlement) error {
	_, at, err := o.leaseDelivery(r, 0, last)
	if err == nil {
		o.scheduleNext(r, at)
	}
	return err
}

// A receiver rests after each failure once more than freeFailures untried deliveries in a row
// have failed. It rests restEach for each of them beyond freeFailures, at most maxRest.
const (
	freeFailures = 4
	restEach     = 100 * time.Millisecond
	maxRest      = 10 * time.Second
)

// never is the time of a receiver that has no delivery due, or is served by another node.
const never = -1

// leaseDelivery runs lease_delivery.lua. With a delivery, at is Redis's time; without one, it
// is the time when the receiver is due next, or never. Both are in Unix milliseconds.
func (o *Outbox) leaseDelivery(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (text string, at int64, err error) {
	if o.client.Unreachable() {
		return "", never, engine.ErrUnavailable
	}
	keys := []string{stores.HeadKey(r.Store), receiversKey(r.Store), leasesKey(r.Store), queueKey(r.Store, r.ID), retryKey(r.Store, r.ID),
		GivenUpKey(r.Store, r.ID)}
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

// finished returns a settlement's arguments of lease_delivery.lua.
func finished(s *commerce.Settlement) []any {
	switch {
	case s == nil:
		return []any{"", "", "", "", ""}
	case !s.Failed:
		return []any{s.Delivery.Wire, "", "", "", ""}
	case s.Again == 0 && s.Delivery.Event == commerce.EventPasswordReset: // its token is of no use any more
		return []any{s.Delivery.Wire, "", 0, "", ""}
	case s.Again == 0:
		return []any{s.Delivery.Wire, "", 0, givenUpTime.Milliseconds(), GivenUpLength}
	}
	return []any{s.Delivery.Wire, failedOnce(s.Delivery), s.Again.Milliseconds(), "", ""}
}

// scheduleNext enters into the index when a returned receiver is due next.
func (o *Outbox) scheduleNext(r *commerce.Receiver, at int64) {
	if at != never {
		o.schedule(r.Store, at)
	}
}

// A delivery's text is "<failures> <since, Unix milliseconds> <entry of the outbox>".

// parseDelivery parses a text. With an error only Wire is set.
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
		return broken, fmt.Errorf("%w: failures, time or event", redisdb.ErrCorrupt) // without the text: it may hold personal data
	}
	return &commerce.Delivery{
		ID: "msg_" + event.ID + "_" + webhookOf(receiver), Event: event.Name, Body: answers.Delivered(event.Name, event.Body),
		Failures: failures, Since: time.UnixMilli(since), Wire: text,
	}, nil
}

// failedOnce returns a delivery's text after one more failure.
func failedOnce(d *commerce.Delivery) string {
	_, rest, _ := strings.Cut(d.Wire, " ") // parseDelivery has checked it
	return strconv.Itoa(d.Failures+1) + " " + rest
}
