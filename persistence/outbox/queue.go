package outbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/stores"
)

// queueLength bounds the deliveries that wait for one receiver: beyond it the oldest is dropped.
const queueLength = 100_000

// Queue is one queue of a webhook, with its waiting deliveries.
type Queue struct {
	commerce.Receiver
	// Waiting were never tried, Retrying failed and are tried again, GivenUp are not tried
	// again.
	Waiting, Retrying, GivenUp int64
	// Next is when the first of Retrying is due; zero if there is none.
	Next time.Time
}

// Webhooks lists the queues of a store's webhooks, in the document's order. Events that are not
// fanned out yet are in no queue.
func (o *Outbox) Webhooks(ctx context.Context, store uuid.UUID) ([]Queue, error) {
	l, err := o.stores.LoadStore(ctx, store)
	if err != nil {
		return nil, err
	}
	reached := inUse(l.Store)
	queues := make([]Queue, len(reached))
	for i, r := range reached {
		q := &queues[i]
		q.Receiver = commerce.Receiver{Store: store, ID: r.id, Webhook: l.Store.Webhooks[r.webhook]}
		q.Events = r.events
		pipe := o.client.Redis.Pipeline()
		waiting, retrying := pipe.LLen(ctx, queueKey(store, q.ID)), pipe.ZCard(ctx, retryKey(store, q.ID))
		givenUp, first := pipe.LLen(ctx, GivenUpKey(store, q.ID)), pipe.ZRangeWithScores(ctx, retryKey(store, q.ID), 0, 0)
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, err
		}
		q.Waiting, q.Retrying, q.GivenUp = waiting.Val(), retrying.Val(), givenUp.Val()
		if due := first.Val(); len(due) > 0 {
			q.Next = time.UnixMilli(int64(due[0].Score)).UTC()
		}
	}
	return queues, nil
}

// GivenUp reads a webhook's given-up deliveries, oldest first.
func (o *Outbox) GivenUp(ctx context.Context, r *commerce.Receiver) (all []commerce.Delivery, err error) {
	texts, err := o.client.Redis.LRange(ctx, GivenUpKey(r.Store, r.ID), 0, GivenUpLength-1).Result()
	for _, text := range texts {
		if delivery, err := parseDelivery(text, r.ID); err == nil {
			all = append(all, *delivery)
		}
	}
	return all, err
}

// Resend moves a webhook's given-up deliveries into its queue, as if they had never been tried,
// and returns their number. The ids of the events stay.
func (o *Outbox) Resend(ctx context.Context, r *commerce.Receiver) (sent int, err error) {
	now, _, err := o.client.Now(ctx, stores.HeadKey(r.Store))
	if err != nil {
		return 0, err
	}
	key := GivenUpKey(r.Store, r.ID)
	err = o.client.Redis.Watch(ctx, func(tx *redis.Tx) error {
		texts, err := tx.LRange(ctx, key, 0, GivenUpLength-1).Result()
		if err != nil || len(texts) == 0 {
			return err
		}
		again := make([]any, 0, len(texts))
		for _, text := range texts {
			if _, err := parseDelivery(text, r.ID); err != nil {
				o.logDropped(r, err)
				continue
			}
			entry := strings.SplitN(text, " ", 3)[2]
			again = append(again, fmt.Sprintf("0 %d %s", now.UnixMilli(), entry))
		}
		leased, err := tx.HExists(ctx, leasesKey(r.Store), r.ID).Result()
		if err != nil || len(again) == 0 {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Del(ctx, key)
			pipe.RPush(ctx, queueKey(r.Store, r.ID), again...)
			if !leased { // otherwise the node that serves the webhook finds them
				pipe.ZAddArgs(ctx, receiversKey(r.Store), redis.ZAddArgs{LT: true, Members: []redis.Z{{Score: float64(now.UnixMilli()), Member: r.ID}}})
			}
			return nil
		})
		if err == nil {
			sent = len(again)
		}
		return err
	}, key, leasesKey(r.Store))
	if err == nil && sent > 0 {
		o.schedule(r.Store, now.UnixMilli())
	}
	return sent, err
}

// Of reports whether it is a queue of a webhook. First reports whether it is the webhook's first.
func (q *Queue) Of(webhook string) bool { return webhookOf(q.ID) == webhook || q.ID == webhook }
func (q *Queue) First() bool            { return q.ID == webhookOf(q.ID) }

// Receivers lists the ids of all queues of a store's webhooks.
func Receivers(s *commerce.Store) (ids []string) {
	for _, r := range receiversOf(s) {
		ids = append(ids, r.id)
	}
	return ids
}
