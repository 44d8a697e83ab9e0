package outbox

import (
	"time"

	"github.com/google/uuid"
)

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
