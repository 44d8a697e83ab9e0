package outbox

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
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

// Queues reads the queues of a store's webhooks, in the document's order, in one trip. Errors: ErrUnavailable.
func (o *Outbox) Queues(s *commerce.Store, deadline time.Time) ([]engine.WebhookQueue, error) {
	reached := inUse(s)
	var calls []*redisdb.Call
	for _, r := range reached {
		queue, retry := queueKey(s.ID, r.id), retryKey(s.ID, r.id)
		calls = append(calls, redisdb.KeyCall("LLEN", queue), redisdb.KeyCall("ZCARD", retry), redisdb.KeyCall("LLEN", GivenUpKey(s.ID, r.id)),
			redisdb.KeyCall("LRANGE", queue, 0, 0), redisdb.KeyCall("ZRANGE", retry, -1, -1)) // the oldest retry is tried last
	}
	if len(calls) == 0 {
		return nil, nil
	}
	found, err := o.client.ReadAll(calls, deadline)
	if err != nil {
		return nil, err
	}
	queues := make([]engine.WebhookQueue, len(reached))
	for i, r := range reached {
		q, values := &queues[i], found[5*i:]
		q.ID, q.Host, q.Events = r.id, hostOf(s.Webhooks[r.webhook].URL), r.events
		q.Waiting, _ = values[0].(int64)
		q.Retrying, _ = values[1].(int64)
		q.GivenUp, _ = values[2].(int64)
		for _, texts := range values[3:5] {
			if since, ok := waitsSince(redisdb.Texts(texts)); ok && (q.Oldest.IsZero() || since.Before(q.Oldest)) {
				q.Oldest = since
			}
		}
	}
	return queues, nil
}

// hostOf is the host of a webhook's address, which may have a secret in its path.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}

// A webhook has two queues, each with a lease, retries and bounds of its own: one for the changes of
// stock, of which one order may make a hundred, and one for everything else. So a password reset
// never waits for changes of stock, and they never push it out.

// stockQueue is the end of the receiver id of a webhook's second queue.
const stockQueue = ":stock"

// receiver is one queue of a webhook.
type receiver struct {
	id string
	// webhook is the index in the store's document. events are those that come into the queue.
	webhook int
	events  []string
}

// receiversOf lists the queues of a store's webhooks, in the document's order. The second queue
// exists for every webhook, so that its deliveries go on when the document's events change.
func receiversOf(s *commerce.Store) []receiver {
	all := make([]receiver, 0, 2*len(s.Webhooks))
	for i := range s.Webhooks {
		var stock, others []string
		for _, event := range s.Webhooks[i].Events {
			if event == commerce.EventStockAdjusted {
				stock = append(stock, event)
			} else {
				others = append(others, event)
			}
		}
		id := s.WebhookID(i)
		all = append(all, receiver{id, i, others}, receiver{id + stockQueue, i, stock})
	}
	return all
}

// inUse lists the queues that a document's events reach, and the first one of each webhook.
func inUse(s *commerce.Store) []receiver {
	return slices.DeleteFunc(receiversOf(s), func(r receiver) bool { return len(r.events) == 0 && strings.HasSuffix(r.id, stockQueue) })
}

// webhookOf is the webhook's id of a receiver's.
func webhookOf(receiver string) string { return strings.TrimSuffix(receiver, stockQueue) }

// GivenUpKey is the key of a webhook's given-up deliveries, oldest first (LIST):
// {<store>}:webhook:<id>:given_up → deliveries, see parseDelivery. It expires
// givenUpTime after its newest entry.
func GivenUpKey(store uuid.UUID, receiver string) string {
	return queueKey(store, receiver) + ":given_up"
}

const (
	// givenUpTime is how long given-up deliveries are kept after the newest of them.
	// GivenUpLength bounds their number for a webhook.
	givenUpTime   = 7 * 24 * time.Hour
	GivenUpLength = 1000
)

// Crowded reports whether a receiver of any of the events has more than a number of deliveries waiting.
// Errors: ErrUnavailable.
func (o *Outbox) Crowded(store *commerce.Store, more int64, events ...string) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	pipe := o.client.Redis.Pipeline()
	var waiting [][2]*redis.IntCmd
	for _, r := range receiversOf(store) {
		if slices.ContainsFunc(events, func(event string) bool { return slices.Contains(r.events, event) }) {
			waiting = append(waiting, [2]*redis.IntCmd{pipe.LLen(ctx, queueKey(store.ID, r.id)), pipe.ZCard(ctx, retryKey(store.ID, r.id))})
		}
	}
	if len(waiting) == 0 {
		return false, nil
	}
	if err := o.client.Exec(pipe); err != nil {
		return false, o.failed("a webhook's queue", err)
	}
	for _, n := range waiting {
		if n[0].Val()+n[1].Val() > more {
			return true, nil
		}
	}
	return false, nil
}

// maxAged is the number of queues of which Backlog reads a whole delivery.
const maxAged = 100

// Backlog counts the deliveries that wait for the webhooks of the stores that this node has
// loaded. oldest is about the time of the oldest delivery in the first maxAged queues; zero if
// none waits. Errors: ErrUnavailable.
func (o *Outbox) Backlog() (waiting int64, oldest time.Time, err error) {
	if o.client.Unreachable() {
		return 0, oldest, engine.ErrUnavailable
	}
	ctx := context.Background()
	counts, ages := o.client.Redis.Pipeline(), o.client.Redis.Pipeline()
	var untried, failed []*redis.IntCmd
	var queues, retries []string
	for _, l := range o.stores.WithWebhooks() {
		for _, r := range receiversOf(l.Store) {
			id := r.id
			queues, retries = append(queues, queueKey(l.Store.ID, id)), append(retries, retryKey(l.Store.ID, id))
			untried = append(untried, counts.LLen(ctx, queueKey(l.Store.ID, id)))
			failed = append(failed, counts.ZCard(ctx, retryKey(l.Store.ID, id)))
		}
	}
	if len(queues) == 0 {
		return 0, oldest, nil
	}
	if o.client.Exec(counts) != nil {
		return 0, oldest, engine.ErrUnavailable
	}
	var texts []*redis.StringSliceCmd
	for i := range queues {
		n := untried[i].Val() + failed[i].Val()
		if waiting += n; n > 0 && len(texts) < 2*maxAged { // the oldest retry has the most failures and is tried last
			texts = append(texts, ages.LRange(ctx, queues[i], 0, 0), ages.ZRange(ctx, retries[i], -1, -1))
		}
	}
	if len(texts) > 0 && o.client.Exec(ages) != nil {
		return 0, oldest, engine.ErrUnavailable
	}
	for _, text := range texts {
		if since, ok := waitsSince(text.Val()); ok && (oldest.IsZero() || since.Before(oldest)) {
			oldest = since
		}
	}
	return waiting, oldest, nil
}

// waitsSince reads the time of the only delivery in a list.
func waitsSince(texts []string) (since time.Time, ok bool) {
	if len(texts) != 1 {
		return since, false
	}
	parts := strings.SplitN(texts[0], " ", 3)
	if len(parts) != 3 {
		return since, false
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	return time.UnixMilli(at), err == nil
}
