//go:build long

package outbox

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// Webhooks that no node has room for do not keep the other webhooks of their store from being
// offered.
func TestLongEveryWebhookOfTheOutboxIsOffered(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		hooks := make([]shoptest.Object, 100)
		for i := range hooks {
			hooks[i] = hook(fmt.Sprintf("h%d", i), anEvent)
		}
		db := open(t, s, nil)
		db.save(t, shopID, hooks...)
		emit(t, db, anEvent, 1)
		for i := range hooks {
			dueAt(t, db, fmt.Sprintf("h%d", i))
		}
	})
}
