package outbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// patience bounds every wait for a signal. A test checks a condition again each pollEvery.
const (
	patience  = 20 * time.Second
	pollEvery = 5 * time.Millisecond
)

var (
	background = context.Background()
	noon       = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	shopID     = testID(0x5)
	otherShop  = testID(0x6)
)

func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

// node is the outbox of a node, with the stores and the client that it uses.
type node struct {
	*Outbox
	client *redisdb.Client
	all    *stores.Stores
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// open opens the outbox of a node; the log may be nil.
func open(t testing.TB, s *redistest.Server, log *lines, edits ...func(*redisdb.Config)) *node {
	t.Helper()
	logger := slog.New(slog.DiscardHandler)
	if log != nil {
		logger = slog.New(slog.NewTextHandler(log, nil))
	}
	config := redisdb.Config{URL: s.URL(), Timeout: 5 * time.Second, Scripts: []*redis.Script{records.Write}, Logger: logger}
	for _, edit := range edits {
		edit(&config)
	}
	client, err := redisdb.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	all := stores.New(client, logger)
	return &node{New(client, logger, all), client, all}
}

// eachNode runs a test with a node on each kind of server.
func eachNode(t *testing.T, test func(*testing.T, *redistest.Server, *node)) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) { test(t, s, open(t, s, nil)) })
}

type shopHook struct {
	URL    string   `json:"url"`
	Secret string   `json:"secret"`
	Events []string `json:"events"`
}

// save imports a store with these webhooks and replaces an earlier one.
func (n *node) save(t testing.TB, store uuid.UUID, hooks ...shopHook) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"format": 1,
		"store": map[string]any{"id": store, "name": "Shop", "modules": []string{"commerce"}, "webhooks": hooks}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.all.SaveStore(background, &stores.Document{Store: store, Hash: doc.Hash, Pages: doc.Pages, RateLimit: doc.Store.RateLimit},
		true); err != nil {
		t.Fatal(err)
	}
}

// emit announces events, each with its number as its body.
func emit(t testing.TB, n *node, name string, numbers ...int) {
	t.Helper()
	for _, number := range numbers {
		n.push(t, entry(name, number))
		n.Announce(shopID)
	}
}

// entry is an event in the outbox, with a number as its body.
func entry(name string, number int) string {
	text, _ := encode(&commerce.Event{Name: name, Body: fmt.Appendf(nil, `{"n":%d}`, number)})
	return text
}

// push writes entries as a visit does, without an announcement.
func (n *node) push(t testing.TB, entries ...any) {
	t.Helper()
	if err := n.client.Redis.RPush(background, Key(shopID), entries...).Err(); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until the condition is true, and fails after within.
func eventually(t testing.TB, what string, within time.Duration, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(within); !condition(); time.Sleep(pollEvery) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// alone skips a test in the race detector's phase of make test (-short), because it takes seconds
// there.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short")
	}
}

// seeded logs its seed, so that a failure can be repeated.
func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}
