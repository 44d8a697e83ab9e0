package persistence

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

const (
	// patience bounds every wait for a signal. A test checks a condition again each pollEvery.
	patience  = 20 * time.Second
	pollEvery = 5 * time.Millisecond
	// silence is the time-out in tests of an unreachable Redis. soon bounds the time of their
	// answers: the time-out and a margin for a busy machine, less than twenty time-outs, and
	// less than patience.
	silence = 600 * time.Millisecond
	soon    = silence + 3*time.Second
)

const anEvent = commerce.EventOrderPlaced

var (
	noon       = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	shopID     = testID(0x5)
	otherShop  = testID(0x6)
	tradeGroup = testID(0x61)
	ada        = testID(0xada)
	errBroken  = errors.New("broken for a test")
)

// testID makes ids that are easy to read in a failure.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

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
type object = map[string]any

// shop is the part of a store document that these tests vary.
type shop struct {
	ID                                   uuid.UUID
	Name                                 string
	Limit                                int    // 0: the default
	Limits                               object // of store.limits; nil for none
	Keys, Customers, Discounts, Webhooks []object
	// Tracked are products whose stock carts hold.
	Tracked []uuid.UUID
}

// theShop is a store with one key, whose name and text are "key".
func theShop() shop {
	return shop{ID: shopID, Name: "Shop", Keys: []object{apiKey("key", "commerce:read")}}
}

func apiKey(name string, scopes ...string) object {
	return object{"name": name, "key": name, "scopes": append([]string{}, scopes...)}
}

func (s shop) document(t testing.TB) *stores.Document {
	t.Helper()
	modules, products := []string{"commerce", "customers"}, []object{}
	for i, id := range s.Tracked {
		modules = []string{"commerce", "customers", "stock"}
		products = append(products, object{"id": id, "name": "P", "slug": fmt.Sprint("p", i), "tax": "high", "price_amount": 100, "track_stock": true})
	}
	text, err := json.Marshal(object{
		"format": 1, "api_keys": s.Keys, "customers": s.Customers, "discounts": s.Discounts, "products": products,
		"tax_rates":       []object{{"code": "high", "rate": "21"}},
		"customer_groups": []object{{"id": tradeGroup, "name": "Trade"}},
		"store": object{
			"id": s.ID, "name": s.Name, "modules": modules, "webhooks": s.Webhooks,
			"rate_limit_per_minute": cmp.Or(s.Limit, commerce.DefaultRateLimit), "limits": s.Limits,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &stores.Document{
		Store: s.ID, Hash: doc.Hash, Pages: doc.Pages, RateLimit: doc.Store.RateLimit, Keys: doc.Keys,
		Customers: doc.Customers, Discounts: doc.Store.Discounts, Stock: doc.Store.FirstStock(),
	}
}

// save imports the shop and replaces an earlier one.
func (s shop) save(t testing.TB, db *DB) {
	t.Helper()
	var err error
	eventually(t, "the import", patience, func() bool { // by an impatient node on a busy machine
		_, err = db.SaveStore(background, s.document(t), true)
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

func secret(text string) *commerce.KeyHash {
	hash := commerce.HashSecret([]byte(text))
	return &hash
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

// eventually waits until the condition is true, and fails after within.
func eventually(t testing.TB, what string, within time.Duration, condition func() bool) {
	t.Helper()
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for !condition() {
		select {
		case <-deadline.C:
			t.Fatalf("%s: not within %v", what, within)
		case <-tick.C:
		}
	}
}

// within fails if f takes longer than longest.
func within(t testing.TB, what string, longest time.Duration, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > longest {
		t.Errorf("%s took %v, want at most %v", what, took, longest)
	}
}

// atOnce fails if f waits for a silent Redis, each of three times. A busy machine may make one
// time late.
func atOnce(t testing.TB, what string, f func()) {
	t.Helper()
	const times = 11
	late := 0
	for range times {
		start := time.Now()
		f()
		if time.Since(start) >= silence {
			late++
		}
	}
	if late > times/2 {
		t.Errorf("%s took %v or more %d times of %d, want it at once", what, silence, late, times)
	}
}

// trips records the commands of each round trip of a client.
type trips struct {
	mu   sync.Mutex
	made [][]string
}

// countTrips records the trips of a client whose connections are open already.
func countTrips(client redis.UniversalClient) *trips {
	w := &trips{}
	client.AddHook(w)
	return w
}

// collect returns the trips since the last call.
func (w *trips) collect() [][]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.made
	w.made = nil
	return made
}

func (w *trips) note(cmds ...redis.Cmder) {
	names := make([]string, len(cmds))
	for i, cmd := range cmds {
		names[i] = cmd.Name()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, names)
}

func (w *trips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (w *trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		w.note(cmd)
		return next(ctx, cmd)
	}
}

func (w *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		w.note(cmds...)
		return next(ctx, cmds)
	}
}

// want fails unless exactly these trips were made.
func (w *trips) want(t testing.TB, what string, want ...[]string) {
	t.Helper()
	got := w.collect()
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s made the round trips %q, want %q", what, got, want)
	}
}

// alone skips a test in the race detector's phase of make test (-short), because it takes
// seconds there. The other phase runs it, and shorter tests cover its races.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short")
	}
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

// seeded logs its seed, so that a failure can be repeated.
func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func soonest() time.Time { return time.Now().Add(patience) }
