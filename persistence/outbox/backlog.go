package outbox

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

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
