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

// lines is a log that goroutines may write to.
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

// A Redis that takes no writes is told of once, the node is not ready meanwhile, and is
// again without a request that tries.
func TestARedisThatTakesNoWritesIsNotReady(t *testing.T) {
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
	if db.Ready() || db.Away() {
		t.Errorf("ready %v, away %v", db.Ready(), db.Away())
	}
	full.Client().ConfigSet(background, "maxmemory", "0")
	eventually(t, "it is ready again", patience, db.Ready)
	admit(t, db, asks("key"))
	if log.count("takes no writes") != 1 || log.count("takes writes again") != 1 || log.count("\n") != 2 {
		t.Errorf("logged:\n%s", log.text.String())
	}
}
