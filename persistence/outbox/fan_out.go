package outbox

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

const (
	// fanOutEntries bounds the entries of queues that one script writes.
	fanOutEntries = 500
	// goneAtOnce is the number of receivers that fan_out.lua returns beyond the document's, so
	// that at least as many receivers that are not in the document any more are dropped.
	goneAtOnce = 64
)

// serveStore fans a store's events out to its webhooks' queues, and returns the receivers with
// a delivery due. It sets in l when the store is to be served next.
func (o *Outbox) serveStore(l *storeTurn) ([]commerce.Receiver, error) {
	store, head, err := o.current(l)
	if err != nil || store == nil {
		return nil, err
	}
	defer func() { o.serveUnpaid(l, store, head) }()
	out, err := o.fanOut(l.store, store, head)
	switch {
	case err != nil && redisdb.IsReply(err):
		o.log.Error("an outbox cannot be fanned out", "store", l.store.String(), "error", err.Error())
		l.again(serveLater)
		return nil, nil
	case err != nil:
		return nil, o.failed("the fan-out of an outbox", err)
	case out.moved:
		l.again(0)
		return nil, nil
	}
	if out.dropped > 0 {
		o.log.Warn("a webhook's queue is full, its oldest deliveries are dropped",
			"store", l.store.String(), "count", out.dropped, "total", o.Dropped.Add(out.dropped))
	}
	l.next = out.next
	if out.left {
		l.again(0)
		o.signal()
	} else if len(out.due) > 0 {
		l.again(o.soon)
	}
	return o.receivers(l, store, head, out.due)
}

// current returns the store and its head. It returns nil if there is none, or if it is not
// loaded yet: then it starts to load it.
func (o *Outbox) current(l *storeTurn) (*commerce.Store, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	pipe := o.client.Redis.Pipeline()
	read := pipe.Get(ctx, stores.HeadKey(l.store))
	l.due = readDue(ctx, pipe, l.store)
	if err := o.client.Exec(pipe); err != nil && !errors.Is(err, redis.Nil) {
		return nil, "", o.failed("a store's head", err)
	}
	text, err := read.Result()
	if errors.Is(err, redis.Nil) {
		return nil, "", nil // a store that does not exist has no deliveries
	}
	if err != nil {
		return nil, "", o.failed("a store's head", err)
	}
	l.again(o.soon)
	h, err := stores.ParseHead(text)
	if err != nil {
		o.stores.Unavailable(&stores.StoreEntry{ID: l.store}, err)
		l.again(serveLater)
		return nil, "", nil
	}
	entry := o.stores.Entry(l.store)
	if loaded := entry.Current.Load(); loaded != nil && loaded.Serves(&h) {
		return loaded.Store, text, nil
	}
	o.stores.LoadInBackground(entry, text, func() { o.Announce(entry.ID) })
	return nil, "", nil
}

// fannedOut is the reply of fan_out.lua.
type fannedOut struct {
	moved   bool
	left    bool
	dropped int64
	next    string
	due     []string
}

func (o *Outbox) fanOut(id uuid.UUID, store *commerce.Store, head string) (fannedOut, error) {
	keys := []string{stores.HeadKey(id), Key(id), receiversKey(id), leasesKey(id)}
	reached := inUse(store)
	maxEvents := max(1, fanOutEntries/max(1, len(reached)))
	// All of the document: the first ones may be webhooks that no node can serve now.
	args := []any{head, maxEvents, o.length, 2*len(store.Webhooks) + goneAtOnce}
	for _, r := range reached {
		keys = append(keys, queueKey(id, r.id), retryKey(id, r.id))
		args = append(args, r.id, " "+strings.Join(r.events, " ")+" ")
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	reply, err := fanOutScript.Run(ctx, o.client.Redis, keys, args...).Slice()
	if err != nil || len(reply) == 0 {
		return fannedOut{moved: true}, err
	}
	out := fannedOut{left: reply[0].(int64) > 0, dropped: reply[1].(int64), next: reply[2].(string)}
	for _, receiver := range reply[3].([]any) {
		out.due = append(out.due, receiver.(string))
	}
	return out, nil
}

// receivers finds the webhooks of the ids that are due, and drops the queues of ids without a
// webhook.
func (o *Outbox) receivers(l *storeTurn, store *commerce.Store, head string, due []string) ([]commerce.Receiver, error) {
	indexes := make(map[string]int, len(store.Webhooks))
	for _, r := range receiversOf(store) {
		indexes[r.id] = r.webhook
	}
	var receivers []commerce.Receiver
	for _, id := range due {
		i, there := indexes[id]
		if !there {
			if err := o.drop(l.store, head, id); err != nil {
				return nil, err
			}
			continue
		}
		receivers = append(receivers, commerce.Receiver{
			Store: l.store, ID: id, Webhook: store.Webhooks[i], Lease: stores.NewRevision(), Head: head,
		})
	}
	return receivers, nil
}

// drop deletes the queue of a webhook that the store's document does not have any more.
func (o *Outbox) drop(store uuid.UUID, head, receiver string) error {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	keys := []string{stores.HeadKey(store), receiversKey(store), leasesKey(store), queueKey(store, receiver), retryKey(store, receiver)}
	dropped, err := dropQueueScript.Run(ctx, o.client.Redis, keys, head, receiver).Int64()
	if err != nil {
		return o.failed("a webhook's queue", err)
	}
	if dropped > 0 {
		o.log.Info("a webhook is no longer in its store's document, its deliveries are dropped",
			"store", store.String(), "count", dropped)
	}
	return nil
}
