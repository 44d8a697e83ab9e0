package persistence

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

func wantStore(t testing.TB, s *redistest.Server, name string) {
	t.Helper()
	if a := admit(t, node(t, s), asks("key")); a.Store == nil || a.Store.Name != name {
		t.Errorf("a new node serves %+v, want the store %s", a.Store, name)
	}
}

func TestImportOfTheSameContentDoesNothing(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		theShop().save(t, db)
		before := everything(t, client)
		for _, replace := range []bool{false, true} {
			if _, err := db.SaveStore(background, theShop().document(t), replace); err != nil {
				t.Errorf("SaveStore of the same content, replace %v: %v", replace, err)
			}
		}
		if after := everything(t, client); !reflect.DeepEqual(after, before) {
			t.Errorf("Redis has %q, want %q", after, before)
		}
	})
}

func TestOtherContentNeedsReplace(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		theShop().save(t, db)
		before := everything(t, client)
		changed := theShop()
		changed.Name = "Changed"
		if _, err := db.SaveStore(background, changed.document(t), false); !errors.Is(err, stores.ErrStoreDiffers) {
			t.Errorf("SaveStore = %v, want ErrStoreDiffers", err)
		}
		if after := everything(t, client); !reflect.DeepEqual(after, before) {
			t.Errorf("Redis has %q, want %q", after, before)
		}
		secret := client.Get(background, stores.SecretKey(shopID)).Val()
		changed.save(t, db)
		wantStore(t, s, "Changed")
		if again := client.Get(background, stores.SecretKey(shopID)).Val(); again != secret || len(secret) != 32 {
			t.Errorf("the store's secret is %q, was %q", again, secret)
		}
	})
}

// everything returns all keys of Redis with their values; only tests may do that.
func everything(t testing.TB, client *redis.Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, key := range client.Keys(background, "*").Val() {
		switch kind := client.Type(background, key).Val(); kind {
		case "string":
			all[key] = client.Get(background, key).Val()
		case "list":
			all[key] = strings.Join(client.LRange(background, key, 0, -1).Val(), " ")
		case "set":
			all[key] = strings.Join(client.SMembers(background, key).Val(), " ")
		case "hash":
			all[key] = fmt.Sprint(client.HGetAll(background, key).Val())
		default:
			t.Fatalf("%s is a %s", key, kind)
		}
	}
	return all
}

// bulk returns n names that do not compress well.
func bulk(n int) []string {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	names := make([]string, n)
	for i := range names {
		name := make([]byte, 1000)
		for j := range name {
			name[j] = byte('a' + r.IntN(26))
		}
		names[i] = string(name)
	}
	return names
}

func TestALargeDocumentIsKeptInParts(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		large := theShop()
		large.Name, large.Bulk = "Large", bulk(2000) // names and slugs
		large.save(t, db)
		h, err := db.ReadHead(background, shopID)
		if err != nil || h.Parts < 2 || h.Grace() != stores.LargeGrace {
			t.Fatalf("head %+v, %v; want several parts and a grace of %v", h, err, stores.LargeGrace)
		}
		for n := range h.Parts {
			size := client.StrLen(background, stores.PartKey(shopID, h.Revision, n)).Val()
			if size > stores.PartSize || n < h.Parts-1 && size != stores.PartSize {
				t.Errorf("part %d of %d has %d bytes", n, h.Parts, size)
			}
		}
		a := admit(t, node(t, s), asks("key"))
		if got := a.Store.Categories; len(got) != len(large.Bulk) || got[1999].Name != large.Bulk[1999] {
			t.Errorf("%d categories came back, want %d", len(got), len(large.Bulk))
		}
	})
}

func TestReplacedPartsExpire(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		theShop().save(t, db)
		old, err := db.ReadHead(background, shopID)
		if err != nil {
			t.Fatal(err)
		}
		changed := theShop()
		changed.Name = "Changed"
		changed.save(t, db)
		now, err := db.ReadHead(background, shopID)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{stores.PartKey(shopID, old.Revision, 0), stores.KeysKey(shopID, old.Keys)} {
			if ttl := client.PTTL(background, key).Val(); ttl <= 0 || ttl > stores.ReplacedFor {
				t.Errorf("%s leaves in %v, want within %v", key, ttl, stores.ReplacedFor)
			}
		}
		for _, key := range []string{stores.HeadKey(shopID), stores.PartKey(shopID, now.Revision, 0), stores.KeysKey(shopID, now.Keys), stores.SecretKey(shopID)} {
			if ttl := client.PTTL(background, key).Val(); ttl != -1 {
				t.Errorf("%s leaves in %v, want never", key, ttl)
			}
		}
	})
}

// Spec: Authentication, API key 2 and 3.
func TestKeysThatAnImportMayNotHave(t *testing.T) {
	for _, c := range []struct {
		rule string
		edit func(*shop)
		want string // in the error; empty: accepted
	}{
		{"a key of another store", func(s *shop) { s.Keys = append(s.Keys, apiKey("elsewhere")) }, "belongs to another store"},
		{"a scope added", func(s *shop) { s.Keys[0].Scopes = []string{"commerce:read", "commerce:write"} }, "scopes cannot be added"},
		{"another scope", func(s *shop) { s.Keys[0].Scopes = []string{"commerce:write"} }, "scopes cannot be added"},
		{"a scope removed", func(s *shop) { s.Keys[0].Scopes = []string{} }, ""},
		{"a key revoked", func(s *shop) { s.Keys[0].Revoked = true }, ""},
		{"a new name", func(s *shop) { s.Keys[0].Name = "renamed" }, ""},
		{"a new key", func(s *shop) { s.Keys = append(s.Keys, apiKey("new", "commerce:write")) }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := redistest.Mini(t)
			db := node(t, s)
			other := shop{ID: otherShop, Name: "Other", Keys: []shopKey{apiKey("elsewhere")}}
			other.save(t, db)
			theShop().save(t, db)
			before := everything(t, s.Client())
			changed := theShop()
			c.edit(&changed)
			_, err := db.SaveStore(background, changed.document(t), true)
			if c.want == "" {
				if err != nil {
					t.Errorf("SaveStore = %v, want it accepted", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("SaveStore = %v, want %q", err, c.want)
			}
			if after := everything(t, s.Client()); !reflect.DeepEqual(after, before) {
				t.Errorf("a refused import changed Redis from %q to %q", before, after)
			}
		})
	}
}

// meddler runs between a client and its commands.
type meddler func(cmd redis.Cmder, next func() error) error

func (m meddler) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m meddler) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := m(cmd, func() error { return next(ctx, cmd) })
		if err != nil && cmd.Err() == nil {
			cmd.SetErr(err)
		}
		return err
	}
}

// A pipeline counts as one command: its first.
func (m meddler) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := m(cmds[0], func() error { return next(ctx, cmds) })
		for _, cmd := range cmds {
			if err != nil && !redisdb.IsReply(err) {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// keyIn returns the key of a command with one.
func keyIn(cmd redis.Cmder) string {
	if len(cmd.Args()) < 2 {
		return ""
	}
	key, _ := cmd.Args()[1].(string)
	return key
}

var errBroken = errors.New("broken for a test")

// breakdown fails all commands from the nth on, which do not reach Redis. If lost is true, the
// nth reaches Redis and only its reply is lost.
func breakdown(n int64, lost bool) meddler {
	var left atomic.Int64
	left.Store(n)
	return func(cmd redis.Cmder, next func() error) error {
		n := left.Add(-1)
		if n > 0 {
			return next()
		}
		if n == 0 && lost {
			_ = next()
			cmd.SetErr(errBroken)
		}
		return errBroken
	}
}

// ahead calls f ahead of the nth command of any goroutine. came waits for f to return; it
// returns false if no nth command was sent.
func ahead(n int64, f func()) (hook meddler, came func() bool) {
	var left atomic.Int64
	left.Store(n)
	returned := make(chan struct{})
	hook = func(_ redis.Cmder, next func() error) error {
		if left.Add(-1) == 0 {
			f()
			close(returned)
		}
		return next()
	}
	return hook, func() bool {
		if left.Load() > 0 {
			return false
		}
		<-returned
		return true
	}
}

// An import that ends at any of its commands leaves settings and keys unchanged or, if only the
// last reply was lost, imported. Repeating it completes it.
func TestKilledImportLeavesAllOrNothing(t *testing.T) {
	alone(t)
	changed := theShop()
	changed.Name, changed.Customers = "Changed", []shopCustomer{{ID: ada, Email: "ada@example.com", Tokens: []shopToken{inAnHour("t")}}}
	changed.Keys = append(changed.Keys, apiKey("new"))
	changed.Discounts = []shopDiscount{discount(1, 5, 3)}
	for _, lost := range []bool{false, true} {
		finished := false
		for n := int64(1); !finished; n++ {
			if n > 100 {
				t.Fatal("an import has more than 100 commands")
			}
			s := redistest.Mini(t)
			theShop().save(t, node(t, s))
			broken := node(t, s)
			broken.client.Redis.AddHook(breakdown(n, lost))
			_, err := broken.SaveStore(background, changed.document(t), true)
			finished = err == nil
			s.Mini.FastForward(stores.LeaseTime)
			name, newKey := admitted(t, s)
			if moved := name == "Changed"; moved != newKey || moved && !finished && !lost {
				t.Errorf("broken at command %d (reply lost: %v): store %s, new key there: %v", n, lost, name, newKey)
			}
			if _, err := node(t, s).SaveStore(background, changed.document(t), true); err != nil {
				t.Errorf("repeated after command %d: %v", n, err)
			}
			if name, newKey := admitted(t, s); name != "Changed" || !newKey {
				t.Errorf("repeated after command %d: store %s, new key there: %v", n, name, newKey)
			}
		}
	}
}

// admitted returns the store's name on a new node, and whether it has the key "new".
func admitted(t *testing.T, s *redistest.Server) (name string, newKey bool) {
	t.Helper()
	db := node(t, s)
	return admit(t, db, asks("key")).Store.Name, admit(t, db, asks("new")).Key != nil
}

func TestCancelledImportLeavesTheOldStoreInForce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		changed := theShop()
		changed.Name = "Changed"
		ctx, cancel := context.WithCancel(background)
		hook, _ := ahead(5, cancel)
		db.client.Redis.AddHook(hook)
		if _, err := db.SaveStore(ctx, changed.document(t), true); !errors.Is(err, context.Canceled) {
			t.Fatalf("SaveStore = %v, want it cancelled", err)
		}
		wantStore(t, s, "Shop")
		changed.save(t, node(t, s))
		wantStore(t, s, "Changed")
	})
}
