package persistence

import (
	"encoding/json"

	"github.com/google/uuid"

	"cartd/commerce"
)

// outboxKey is what waits for the store's webhooks, oldest first, at most 10,000
// (LIST): {<store>}:outbox → {"event", "body"}.
func outboxKey(store uuid.UUID) string { return "{" + store.String() + "}:outbox" }

// outboxEntry is an event as the list holds it.
func outboxEntry(e *commerce.Event) []byte {
	text, err := json.Marshal(struct {
		Event string          `json:"event"`
		Body  json.RawMessage `json:"body"`
	}{e.Name, e.Body})
	if err != nil {
		panic(err) // a name and valid JSON
	}
	return text
}
