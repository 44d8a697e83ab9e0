package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// receiversKey holds the store's webhooks that have deliveries, by when the next one
// is due or, while a node serves one, its lease ends (ZSET): {<store>}:webhooks.
func receiversKey(store uuid.UUID) string { return singleKey(store, "webhooks") }

// leasesKey holds who serves a webhook, and how it fares (HASH): {<store>}:webhooks:leases.
func leasesKey(store uuid.UUID) string { return singleKey(store, "webhooks:leases") }

// queueKey holds a webhook's deliveries that were never tried (LIST):
// {<store>}:webhook:<id> → deliveryText.
func queueKey(store uuid.UUID, receiver string) string {
	return keyPrefix(store, "webhook") + receiver
}

// retryKey holds those that failed, by when each is tried again (ZSET):
// {<store>}:webhook:<id>:retry.
func retryKey(store uuid.UUID, receiver string) string { return queueKey(store, receiver) + ":retry" }

// Take settles the delivery that was taken last (nil: none) and takes the next one,
// which is nobody else's for as long as the lease lasts. Nil: there is nothing due any
// more, or another node serves the receiver; the lease has ended. Errors: ErrUnavailable.
func (o *Outbox) Take(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error) {
	for {
		text, at, err := o.take(r, lease, last)
		if err != nil {
			return nil, err
		}
		if text == "" {
			o.upNext(r, at)
			return nil, nil
		}
		d, err := parseDelivery(text, r.ID)
		d.Now = time.UnixMilli(at)
		if err == nil {
			return d, nil
		}
		o.db.log.Error("a webhook's delivery is dropped", "store", r.Store.String(), "error", err.Error())
		last = &commerce.Settlement{Delivery: d}
	}
}

// Release settles the delivery that was taken last (nil: it is to be tried again, as
// if it had not been taken) and ends the lease. Errors: ErrUnavailable.
func (o *Outbox) Release(r *commerce.Receiver, last *commerce.Settlement) error {
	_, at, err := o.take(r, 0, last)
	if err == nil {
		o.upNext(r, at)
	}
	return err
}

// never is the time of a receiver that has nothing due, or is another node's.
const never = -1

// take runs take.lua. With a delivery at is Redis's time, without one it is when the
// receiver is due next, or never; both in Unix milliseconds.
func (o *Outbox) take(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (text string, at int64, err error) {
	if o.db.Away() {
		return "", never, engine.ErrUnavailable
	}
	keys := []string{headKey(r.Store), receiversKey(r.Store), leasesKey(r.Store), queueKey(r.Store, r.ID), retryKey(r.Store, r.ID)}
	args := append([]any{r.Head, r.ID, r.Lease, lease.Milliseconds()}, settled(last)...)
	ctx, cancel := context.WithTimeout(background, o.db.main.Timeout())
	defer cancel()
	reply, err := takeScript.Run(ctx, o.db.main.Redis, keys, args...).StringSlice()
	if err != nil {
		return "", never, o.failed("a webhook's queue", err)
	}
	if len(reply) < 2 || reply[1] == "" {
		return "", never, nil
	}
	at, err = strconv.ParseInt(reply[1], 10, 64)
	return reply[0], at, err
}

// settled is a settlement (nil: none) as take.lua takes it.
func settled(s *commerce.Settlement) []any {
	switch {
	case s == nil:
		return []any{"", "", ""}
	case !s.Failed:
		return []any{s.Delivery.Wire, "", ""}
	case s.Again == 0:
		return []any{s.Delivery.Wire, "", 0}
	}
	return []any{s.Delivery.Wire, failedOnce(s.Delivery), s.Again.Milliseconds()}
}

// upNext tells the index when a receiver that was let go is due next.
func (o *Outbox) upNext(r *commerce.Receiver, at int64) {
	if at != never {
		o.comeUp(r.Store, at)
	}
}

// A delivery's text is "<failures> <since, Unix milliseconds> <entry of the outbox>".

// parseDelivery reads a text. With an error only Wire is set.
func parseDelivery(text, receiver string) (*commerce.Delivery, error) {
	broken := &commerce.Delivery{Wire: text}
	parts := strings.SplitN(text, " ", 3)
	if len(parts) != 3 {
		return broken, errCorrupt
	}
	failures, err := strconv.Atoi(parts[0])
	since, err2 := strconv.ParseInt(parts[1], 10, 64)
	var event outboxEvent
	if err3 := json.Unmarshal([]byte(parts[2]), &event); err != nil || err2 != nil || err3 != nil {
		return broken, fmt.Errorf("%w: failures, time or event", errCorrupt) // and nothing of its content
	}
	if event.Name == commerce.EventStockAdjusted {
		event.Body = inUnits(event.Body)
	}
	return &commerce.Delivery{
		ID: "msg_" + event.ID + "_" + receiver, Event: event.Name, Body: commerce.WithOnHand(event.Body),
		Failures: failures, Since: time.UnixMilli(since), Wire: text,
	}, nil
}

// millionths is stock on hand as a visit writes it into an event.
var millionths = regexp.MustCompile(`"on_hand":([0-9]+)e-6`)

// inUnits is an event's body with stock on hand as the plain number that receivers expect.
func inUnits(body []byte) []byte {
	return millionths.ReplaceAllFunc(body, func(member []byte) []byte {
		n := millionths.FindSubmatch(member)[1]
		return micros(string(n)).AppendJSON([]byte(`"on_hand":`))
	})
}

// failedOnce is a delivery's text after one more failure.
func failedOnce(d *commerce.Delivery) string {
	_, rest, _ := strings.Cut(d.Wire, " ") // it was parsed before
	return strconv.Itoa(d.Failures+1) + " " + rest
}
