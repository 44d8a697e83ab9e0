package commerce

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// EventContactRegistered reports a new account, EventContactApproved the approval of a business.
const (
	EventContactRegistered = "contact.registered"
	EventContactApproved   = "contact.approved"
)

// ContactEvent reports a contact, encoded as JSON; nil if no webhook receives it.
func ContactEvent(name string, s *Store, c *Contact, at time.Time, encode func([]byte, *Contact, *Store) []byte) *Event {
	if !s.Wants(name) {
		return nil
	}
	return newEvent(name, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Contact    json.RawMessage `json:"contact"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{name, s.ID, encode(nil, c, s), eventTime(at)})
}
