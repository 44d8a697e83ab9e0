package commerce

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Receiver is a webhook of a store that has deliveries due, for one node to serve.
type Receiver struct {
	Store uuid.UUID
	// ID tells the store's webhooks apart (Store.WebhookID).
	ID string
	Webhook
	// Lease is the node's own word for this turn; nobody else knows it. Head names
	// what of the store was read, so that a turn ends when an import changes it.
	Lease, Head string
}

// Delivery is one event on its way to one receiver.
type Delivery struct {
	// ID is the same at every attempt, and no other delivery's: webhook-id.
	ID    string
	Event string
	// Body is the event as JSON.
	Body []byte
	// Failures is how many attempts have failed.
	Failures int
	// Since is when the receiver was first to get it, Now the moment it was taken;
	// both by Redis's clock.
	Since, Now time.Time
	// Wire is the delivery as the outbox keeps it.
	Wire string
}

// Settlement is what became of a delivery that was taken.
type Settlement struct {
	Delivery *Delivery
	// Failed: it has not arrived.
	Failed bool
	// Again is after how long it is to be tried again; 0: never, for it has arrived
	// or is given up.
	Again time.Duration
}

// WebhookID tells the i-th webhook from the store's others. It stays the same for as
// long as the document keeps the address; webhooks with the same address are told
// apart by their order.
func (s *Store) WebhookID(i int) string {
	before := 0
	for _, w := range s.Webhooks[:i] {
		if w.URL == s.Webhooks[i].URL {
			before++
		}
	}
	hash := sha256.Sum256([]byte(strconv.Itoa(before) + " " + s.Webhooks[i].URL))
	return hex.EncodeToString(hash[:8])
}

// Webhook is one receiver of the store's events.
type Webhook struct {
	URL string
	// Secrets, decoded from whsec_…, all sign each delivery: two while one takes the place of
	// the other.
	Secrets [][]byte
	Events  []string
}
