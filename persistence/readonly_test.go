package persistence

import (
	"testing"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// If Redis accepts no writes, the node logs it once and is not ready. It becomes ready again
// without a request that tries a write.
func TestNodeIsNotReadyWhileRedisAcceptsNoWrites(t *testing.T) {
	var log shoptest.Log
	full := redistest.Real(t)
	db := node(t, full, func(c *Config) { c.Logger = log.Logger() })
	theShop().save(t, db)
	admit(t, db, asks("key"))
	full.Client().ConfigSet(background, "maxmemory", "1")
	for range 10 {
		if _, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
			t.Fatalf("admitted, %v", err)
		}
	}
	if db.Unready() == "" || db.Away() {
		t.Errorf("unready %q, away %v", db.Unready(), db.Away())
	}
	full.Client().ConfigSet(background, "maxmemory", "0")
	eventually(t, "it is ready again", patience, func() bool { return db.Unready() == "" })
	admit(t, db, asks("key"))
	if log.Count("accepts no writes") != 1 || log.Count("accepts writes again") != 1 || log.Count("\n") != 2 {
		t.Errorf("logged:\n%s", log.String())
	}
}
