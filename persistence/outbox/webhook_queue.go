package outbox

import (
	"slices"
	"strings"

	"cartd/commerce"
)

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
