package persistence

import (
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stores"
)

const (
	patience = shoptest.Patience
	silence  = shoptest.Silence
	soon     = shoptest.Soon
	anEvent  = commerce.EventOrderPlaced
)

var (
	noon       = shoptest.Noon
	shopID     = shoptest.ShopID
	otherShop  = shoptest.OtherShop
	tradeGroup = shoptest.TradeGroup
	ada        = shoptest.Ada
	errBroken  = errors.New("broken for a test")
	testID     = shoptest.ID
	secret     = shoptest.Secret
	apiKey     = shoptest.APIKey
	eventually = shoptest.Eventually
	within     = shoptest.Within
	soonest    = shoptest.Soonest
)

// node opens a DB as a node would. Edits change its configuration.
func node(t testing.TB, s *redistest.Server, edits ...func(*Config)) *DB {
	t.Helper()
	config := Config{
		URL: s.URL(), Timeout: 5 * time.Second,
		ResidentCart:    func(engine.RecordKey) *engine.CartRecord { return nil },
		ResidentContact: func(engine.RecordKey) bool { return false },
		Logger:          slog.New(slog.DiscardHandler),
	}
	for _, edit := range edits {
		edit(&config)
	}
	var db *DB
	var err error
	eventually(t, "the start", patience, func() bool { // of an impatient node on a busy machine
		db, err = Open(config)
		return err == nil || !strings.Contains(err.Error(), "cannot be reached")
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// eachNode runs a test with a node on each kind of server.
func eachNode(t *testing.T, test func(*testing.T, *redistest.Server, *DB)) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) { test(t, s, node(t, s)) })
}

func impatient(c *Config) { c.Timeout = silence }

// object is a part of a store document.
type object = shoptest.Object

// shop is the part of a store document that these tests vary.
type shop struct{ shoptest.Shop }

// theShop is a store with one key, whose name and text are "key".
func theShop() shop { return shop{shoptest.Keyed()} }

// save imports the shop and replaces an earlier one.
func (s shop) save(t testing.TB, db *DB) {
	t.Helper()
	var err error
	eventually(t, "the import", patience, func() bool { // by an impatient node on a busy machine
		_, err = db.SaveStore(background, stores.DocumentOf(s.Document(t)), true)
		return err == nil || !strings.Contains(err.Error(), "import again")
	})
	if err != nil {
		t.Fatalf("SaveStore(%s) = %v", s.Name, err)
	}
}

// asks is a request with an API key; "" for none.
func asks(key string) *engine.Request {
	now := time.Now()
	ask := &engine.Request{Guards: &engine.Guards{}, Caller: engine.Caller{Addr: netip.MustParseAddr("192.0.2.1")}, Began: now, Deadline: now.Add(patience)}
	if key != "" {
		ask.KeyHash = *secret(key)
	}
	return ask
}

// admit calls Admit for a request that must be admitted.
func admit(t testing.TB, db *DB, ask *engine.Request) engine.Facts {
	t.Helper()
	a, err := tryAdmit(db, ask)
	if err != nil {
		t.Fatalf("Admit(%+v) = %v", *ask, err)
	}
	return a
}

// countedAsk is a request that Admit has counted.
func countedAsk(t testing.TB, db *DB, key string) *engine.Request {
	t.Helper()
	r := asks(key)
	r.Facts = admit(t, db, r)
	return r
}

// tryAdmit calls Admit for a request that may be refused.
func tryAdmit(db *DB, ask *engine.Request) (engine.Facts, error) {
	own := *ask
	err := db.Admit(&own)
	if seen := own.Cart.Record; seen != nil {
		seen.Size = 0 // TestSizesOfRecords checks it
	}
	if seen := own.Contact.Record; seen != nil {
		seen.Size = 0
	}
	return own.Facts, err
}
