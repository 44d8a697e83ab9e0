package stores

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

const (
	patience = shoptest.Patience
	silence  = shoptest.Silence
	soon     = shoptest.Soon
)

var (
	background = context.Background()
	shopID     = shoptest.ShopID
	otherShop  = shoptest.OtherShop
	ada        = shoptest.Ada
	tradeGroup = shoptest.TradeGroup
	errBroken  = errors.New("broken for a test")
	testID     = shoptest.ID
	apiKey     = shoptest.APIKey
	eventually = shoptest.Eventually
	within     = shoptest.Within
)

// node opens the stores of a node. Edits change its configuration.
func node(t testing.TB, s *redistest.Server, edits ...func(*redisdb.Config)) *Stores {
	t.Helper()
	config := redisdb.Config{URL: s.URL(), Timeout: 5 * time.Second, Scripts: []*redis.Script{records.Write}, Logger: slog.New(slog.DiscardHandler)}
	for _, edit := range edits {
		edit(&config)
	}
	client, err := redisdb.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return New(client, config.Logger)
}

// eachNode runs a test with a node on each kind of server.
func eachNode(t *testing.T, test func(*testing.T, *redistest.Server, *Stores)) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) { test(t, s, node(t, s)) })
}

// object is a part of a store document.
type object = shoptest.Object

// shop is the part of a store document that these tests vary.
type shop struct{ shoptest.Shop }

// theShop is a store with one key, whose name and text are "key".
func theShop() shop { return shop{shoptest.Keyed()} }

// named is theShop with another name.
func named(name string) shop {
	s := theShop()
	s.Name = name
	return s
}

func (s shop) document(t testing.TB) *Document { return DocumentOf(s.Document(t)) }

// save imports the shop and replaces an earlier one.
func (s shop) save(t testing.TB, db *Stores) {
	t.Helper()
	if _, err := db.SaveStore(background, s.document(t), true); err != nil {
		t.Fatalf("SaveStore(%s) = %v", s.Name, err)
	}
}

func presentOfShop(t testing.TB, db *Stores) present {
	t.Helper()
	p, err := db.readPresent(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// headOf is the head of the shop, stateOf what its record says.
func headOf(t testing.TB, db *Stores) Head { return presentOfShop(t, db).head }

func stateOf(t testing.TB, db *Stores) *engine.StoreState { return presentOfShop(t, db).record.State }

// pageOf is the key of a page of the shop.
func pageOf(name storefile.PageName) string { return records.PageKey(shopID, name) }

// textOf returns the text of a page.
type textOf = func(storefile.PageName) ([]byte, error)

// beforeReading calls f whenever a node has read the pages of a document, before it uses them.
func beforeReading(db *Stores, f func()) {
	assemble := db.assemble
	db.assemble = func(before *storefile.PagedStore, next storefile.Table, text textOf) (*storefile.PagedStore, error) {
		f()
		return assemble(before, next, text)
	}
}

// inForce makes a node believe that it had the shop's head in force some time ago.
func inForce(db *Stores, ago time.Duration) {
	db.Entry(shopID).inForce.Store(redisdb.SinceStart(time.Now().Add(-ago)))
}

// wantSound fails unless all pages that the shop's record names are there for good, and all others expire.
func wantSound(t testing.TB, s *redistest.Server, db *Stores) {
	t.Helper()
	fault := func(key string, err error) {
		t.Helper()
		t.Errorf("%s %v", key, err)
	}
	pages := s.Client().Keys(background, records.PagePrefix(shopID)+"*").Val()
	for _, err := range []error{db.CheckNamed(background, shopID, fault), db.CheckUnnamed(background, shopID, pages, fault)} {
		if err != nil {
			t.Error(err)
		}
	}
}

func secret(text string) commerce.KeyHash { return *shoptest.Secret(text) }

// served is what a request with an API key gets. It has neither store nor key if the key opens no
// store, and no key if it has left the store that the node knew it in.
type served struct {
	*Loaded
	key *commerce.APIKey
}

// serve is tryServe for a request that must get an answer.
func serve(t testing.TB, db *Stores, key string) served {
	t.Helper()
	a, err := tryServe(db, key, patience)
	if err != nil {
		t.Fatalf("a request with %s: %v", key, err)
	}
	return a
}

// tryServe does with the store of an API key what the admission of a request does: it finds the
// store, and follows its head.
func tryServe(db *Stores, key string, within time.Duration) (served, error) {
	now := time.Now()
	r := &engine.Request{KeyHash: secret(key), Began: now, Deadline: now.Add(within)}
	entry, err := db.Find(r)
	if err != nil || entry == nil {
		return served{}, err
	}
	ctx, cancel := context.WithDeadline(background, r.Deadline)
	defer cancel()
	_, head, err := db.client.Now(ctx, HeadKey(entry.ID))
	if err != nil {
		return served{}, err
	}
	l, err := db.Follow(ctx, entry, head)
	if err != nil {
		return served{}, err
	}
	return served{l, l.Key(r.KeyHash)}, nil
}

// wantStore fails unless a new node serves a store of this name.
func wantStore(t testing.TB, s *redistest.Server, name string) {
	t.Helper()
	if a := serve(t, node(t, s), "key"); a.Loaded == nil || a.Store.Name != name {
		t.Errorf("a new node serves %+v, want the store %s", a, name)
	}
}

// everything returns all keys of Redis with their values; only tests may do that.
func everything(t testing.TB, s *redistest.Server) map[string]string {
	t.Helper()
	all, client := map[string]string{}, s.Client()
	for _, key := range client.Keys(background, "*").Val() {
		switch kind := client.Type(background, key).Val(); kind {
		case "string":
			all[key] = client.Get(background, key).Val()
		case "list":
			all[key] = strings.Join(client.LRange(background, key, 0, -1).Val(), " ")
		case "set":
			all[key] = strings.Join(client.SMembers(background, key).Val(), " ")
		case "zset":
			all[key] = strings.Join(client.ZRange(background, key, 0, -1).Val(), " ")
		case "hash":
			all[key] = fmt.Sprint(client.HGetAll(background, key).Val())
		default:
			t.Fatalf("%s is a %s", key, kind)
		}
	}
	return all
}

// keyIn returns the key of a command with one.
func keyIn(cmd redis.Cmder) string {
	if len(cmd.Args()) < 2 {
		return ""
	}
	key, _ := cmd.Args()[1].(string)
	return key
}
