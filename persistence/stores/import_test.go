package stores

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
)

func TestOtherContentNeedsReplace(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		before := everything(t, s)
		for _, replace := range []bool{false, true} {
			if _, err := db.SaveStore(background, theShop().document(t), replace); err != nil {
				t.Errorf("SaveStore of the same content, replace %v: %v", replace, err)
			}
		}
		if _, err := db.SaveStore(background, named("Changed").document(t), false); !errors.Is(err, ErrStoreDiffers) {
			t.Errorf("SaveStore = %v, want ErrStoreDiffers", err)
		}
		if after := everything(t, s); !reflect.DeepEqual(after, before) {
			t.Errorf("Redis has %q, want %q", after, before)
		}
		named("Changed").save(t, db)
		wantStore(t, s, "Changed")
		if was, is := before[secretKey(shopID)], everything(t, s)[secretKey(shopID)]; is != was || len(was) != 32 {
			t.Errorf("the store's secret is %q, was %q", is, was)
		}
	})
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

func TestALargeDocumentIsWrittenAheadOfItsVisit(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		large, texts := theShop(), bulk(2000)
		for i, text := range texts {
			large.Categories = append(large.Categories, object{"id": testID(i), "name": strconv.Itoa(i), "slug": strconv.Itoa(i), "description": text})
		}
		large.save(t, db)
		if n := len(stateOf(t, db).Pages); n < 10 {
			t.Fatalf("%d pages, want many", n)
		}
		if got := serve(t, node(t, s), "key").Store.Categories; len(got) != len(texts) || got[1999].Description != texts[1999] {
			t.Errorf("%d categories came back, want %d", len(got), len(texts))
		}
		wantSound(t, s, db)
		large.Categories[7]["name"] = "another"
		large.save(t, db)
		wantSound(t, s, db)
		theShop().save(t, db)
		wantSound(t, s, db)
		if marks := s.Client().Keys(background, "*:ahead:*").Val(); len(marks) > 0 {
			t.Errorf("marks are left: %v", marks)
		}
	})
}

// Pages that an import or a change set has replaced stay a minute.
func TestReplacedPagesExpire(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		old := stateOf(t, db)
		named("Changed").save(t, db)
		imported := stateOf(t, db)
		changeOne(t, db, category(t, 1, "One"))
		makeKey(t, db, readScope)
		for _, key := range []string{pageOf(old.Pages[0]), pageOf(old.Ring), pageOf(imported.Pages[0])} {
			if ttl := s.Client().PTTL(background, key).Val(); ttl <= 0 || ttl > time.Minute {
				t.Errorf("%s leaves in %v, want within a minute", key, ttl)
			}
		}
		for _, key := range []string{HeadKey(shopID), recordKey(shopID), secretKey(shopID)} {
			if ttl := s.Client().PTTL(background, key).Val(); ttl != -1 {
				t.Errorf("%s leaves in %v, want never", key, ttl)
			}
		}
		wantSound(t, s, db)
		named("Shop").save(t, db) // pages that expire come back
		wantSound(t, s, db)
		wantStore(t, s, "Shop")
	})
}

func TestCancelledImportLeavesTheOldStoreInForce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		ctx, cancel := context.WithCancel(background)
		hook, _ := redistest.Ahead(5, cancel)
		db.client.Redis.AddHook(hook)
		if _, err := db.SaveStore(ctx, named("Changed").document(t), true); !errors.Is(err, context.Canceled) {
			t.Fatalf("SaveStore = %v, want it cancelled", err)
		}
		wantStore(t, s, "Shop")
		named("Changed").save(t, node(t, s))
		wantStore(t, s, "Changed")
	})
}

// An import whose visit has no answer does not take it for another writer's. A cluster's client might send the visit
// again.
func TestImportWhoseAnswerIsLostStays(t *testing.T) {
	for _, more := range []string{"", "?addr="} {
		s := redistest.Mini(t)
		db := node(t, s, func(c *redisdb.Config) {
			if more != "" {
				c.URL = s.URL() + more + s.Addr()
			}
		})
		theShop().save(t, db)
		var once sync.Once
		losing := redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			err := next()
			if err == nil && carries(cmd, recordKey(shopID)) {
				once.Do(func() { err = io.EOF })
			}
			return err
		})
		if cluster, ok := db.client.Redis.(*redis.ClusterClient); ok {
			cluster.ForEachMaster(background, func(_ context.Context, c *redis.Client) error {
				c.AddHook(losing)
				return nil
			})
		} else {
			db.client.Redis.AddHook(losing)
		}
		if _, err := db.SaveStore(background, named("Changed").document(t), true); err != nil {
			t.Errorf("SaveStore = %v", err)
		}
		wantStore(t, s, "Changed")
		wantSound(t, s, db)
		if _, imports, err := lines(db); err != nil || imports != 2 {
			t.Errorf("%d imports in the history, %v; want 2", imports, err)
		}
	}
}

// lines are the numbers of acts and of imports in the shop's history.
func lines(db *Stores) (acts, imports int, err error) {
	i, a, err := db.History(background, shopID)
	return len(a), len(i), err
}

// Redis has no API key, token or password in clear text.
func TestNoSecretIsInRedis(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		full := shopWith(theCustomer(object{"password": "first-password"}))
		full.Keys = append(full.Keys, apiKey("hidden"))
		full.Keys[1]["key"] = "a-secret-api-key"
		full.save(t, db)
		serve(t, db, "a-secret-api-key")
		serve(t, db, "an-unknown-api-key")
		all, state := everything(t, s), stateOf(t, db)
		for name := range state.Named() {
			text, err := storefile.Unpack(name, []byte(all[pageOf(name)]))
			if err != nil {
				t.Fatal(err)
			}
			all[pageOf(name)] = string(text)
		}
		if settings := all[pageOf(state.Pages[0])]; !strings.Contains(settings, `"Shop"`) {
			t.Fatalf("settings %q", settings)
		}
		hash := secret("a-secret-api-key")
		if keys := all[pageOf(state.Ring)]; !strings.Contains(keys, hex.EncodeToString(hash[:])) {
			t.Errorf("the keys' page %q lacks the hash of a key", keys)
		}
		if stored := readContact(t, s.Client(), ada).State.PasswordHash; !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("the password is stored as %q", stored)
		}
		for key, value := range all {
			for _, clear := range []string{"a-secret-api-key", "an-unknown-api-key", "token-ada", "first-password"} {
				if strings.Contains(key+"\n"+value, clear) {
					t.Errorf("%q holds the clear text %q: %q", key, clear, value)
				}
			}
		}
	})
}

// A running import refuses a drop, and a running drop refuses an import.
func TestDropAndImportExcludeEachOther(t *testing.T) {
	db := node(t, redistest.Mini(t))
	shopWith(theCustomer()).save(t, db)
	drop := func(progress func(int)) error {
		_, err := db.Drop(background, shopID, func(redis.Pipeliner) {}, progress)
		return err
	}
	_, end, err := db.beginImport(background, shopID, headOf(t, db))
	if err != nil {
		t.Fatal(err)
	}
	if err := drop(func(int) {}); err != ErrImportRunning {
		t.Errorf("while an import runs: %v, want %v", err, ErrImportRunning)
	}
	end()
	var imported error
	err = drop(func(int) { _, imported = db.SaveStore(background, named("Changed").document(t), true) })
	if err != nil || imported != ErrImportRunning {
		t.Errorf("an import meanwhile: %v, want %v; the dropping: %v", imported, ErrImportRunning, err)
	}
}

// An import of a document in which little differs writes little: neither the pages that stay, nor numbers that are there.
func TestImportWritesWhatDiffers(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	large := largeShop("Large")
	for i := range 300 {
		d := discount(i, 5, int64(i))
		d["code"] = "code" + strconv.Itoa(i)
		large.Discounts = append(large.Discounts, d)
	}
	large.save(t, db)
	large.Categories[7]["name"] = "another"
	written := 0
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if cmd.Name() == "evalsha" {
			for _, arg := range cmd.Args() {
				switch arg := arg.(type) {
				case *string:
					written += len(*arg)
				case string:
					written += len(arg)
				case []byte:
					written += len(arg)
				}
			}
		} else if strings.Contains(keyIn(cmd), ":page:") && cmd.Name() == "set" {
			t.Errorf("%s is written ahead", keyIn(cmd))
		}
		return next()
	}))
	large.save(t, db)
	if written > 100<<10 {
		t.Errorf("%d bytes are written for one changed category", written)
	}
	wantSound(t, s, db)
}
