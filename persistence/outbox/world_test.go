package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

const patience = shoptest.Patience

var (
	background = context.Background()
	noon       = shoptest.Noon
	shopID     = shoptest.ShopID
	otherShop  = shoptest.OtherShop
	testID     = shoptest.ID
	eventually = shoptest.Eventually
)

// node is the outbox of a node, with the stores and the client that it uses.
type node struct {
	*Outbox
	client *redisdb.Client
	all    *stores.Stores
}

// open opens the outbox of a node; the log may be nil.
func open(t testing.TB, s *redistest.Server, log *shoptest.Log, edits ...func(*redisdb.Config)) *node {
	t.Helper()
	logger := slog.New(slog.DiscardHandler)
	if log != nil {
		logger = log.Logger()
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

// save imports a store with these webhooks and replaces an earlier one.
func (n *node) save(t testing.TB, store uuid.UUID, hooks ...shoptest.Object) {
	t.Helper()
	doc := shoptest.Shop{ID: store, Name: "Shop", Webhooks: hooks}.Document(t)
	if _, err := n.all.SaveStore(background, stores.DocumentOf(doc), true); err != nil {
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
