package outbox

import (
	"net/url"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

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
