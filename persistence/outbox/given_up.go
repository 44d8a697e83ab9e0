package outbox

import (
	"time"

	"github.com/google/uuid"
)

// GivenUpKey holds a webhook's deliveries that were given up, oldest first (LIST):
// {<store>}:webhook:<id>:given_up → deliveryText. It leaves with its last entry's time.
func GivenUpKey(store uuid.UUID, receiver string) string {
	return QueueKey(store, receiver) + ":given_up"
}

const (
	// GivenUpTime is how long deliveries that were given up are kept after the last of them,
	// givenUpLength how many of a webhook.
	GivenUpTime   = 7 * 24 * time.Hour
	GivenUpLength = 1000
)
