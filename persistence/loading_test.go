package persistence

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"cartd/internal/redistest"
)

func TestStartNamesTheRefusalOfRedis(t *testing.T) {
	s := redistest.Mini(t)
	s.Mini.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool {
		p.WriteError("LOADING Redis is loading the dataset in memory")
		return true
	})
	_, err := Open(Config{URL: s.URL(), Timeout: time.Second, Logger: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "LOADING") {
		t.Errorf("Open: %v; want the reason", err)
	}
}
