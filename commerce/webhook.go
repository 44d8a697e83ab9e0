package commerce

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Receiver is a webhook with due deliveries, leased to one node.
type Receiver struct {
	Store uuid.UUID
	// ID identifies the webhook within its store (Store.WebhookID).
	ID string
	Webhook
	// Lease is the node's secret proof of the lease. Head is the store's head when it was read, so
	// that the lease ends when an import changes it.
	Lease, Head string
}

// Delivery is one event on its way to one receiver.
type Delivery struct {
	// ID is the webhook-id: unique, and the same at every attempt.
	ID    string
	Event string
	// Body is the event as JSON.
	Body []byte
	// Failures is the number of failed attempts.
	Failures int
	// Since is the time when the delivery was first due, Now the time of the lease, both by Redis's
	// clock.
	Since, Now time.Time
	// Wire is the delivery as the outbox stores it.
	Wire string
}

// Settlement is the result of a leased delivery.
type Settlement struct {
	Delivery *Delivery
	// Failed is true if the delivery has not arrived.
	Failed bool
	// Again is the pause until the next attempt; 0 if there is none, because the delivery has arrived
	// or is given up.
	Again time.Duration
}

// WebhookID identifies the i-th webhook of the store. It stays the same while the document keeps
// the address. Webhooks with the same address differ by their order.
func (s *Store) WebhookID(i int) string {
	earlier := 0
	for _, w := range s.Webhooks[:i] {
		if w.URL == s.Webhooks[i].URL {
			earlier++
		}
	}
	hash := sha256.Sum256([]byte(strconv.Itoa(earlier) + " " + s.Webhooks[i].URL))
	return hex.EncodeToString(hash[:8])
}

// Webhook is one receiver of the store's events.
type Webhook struct {
	URL string
	// Secrets are decoded from whsec_…; each signs every delivery. There are two while one replaces
	// the other.
	Secrets [][]byte
	Events  []string
}
