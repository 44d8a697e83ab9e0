package persistence

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"cartd/engine"
	"cartd/internal/redistest"
)

// lines is a log for several goroutines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) count(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), message)
}

// If Redis accepts no writes, the node logs it once and is not ready. It becomes ready again
// without a request that tries a write.
func TestNodeIsNotReadyWhileRedisAcceptsNoWrites(t *testing.T) {
	var log lines
	full := redistest.Real(t)
	db := node(t, full, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
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
	if log.count("accepts no writes") != 1 || log.count("accepts writes again") != 1 || log.count("\n") != 2 {
		t.Errorf("logged:\n%s", log.text.String())
	}
}
