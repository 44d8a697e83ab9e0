package persistence

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/ratelimit"
)

// largeSet is the body of a set whose pages are written ahead of its visit.
func largeSet(seed uint64) string {
	dice := rand.New(rand.NewPCG(seed, 0))
	var all []object
	for i := range 400 {
		noise := make([]byte, 2000)
		for k := range noise {
			noise[k] = byte(dice.Uint32())
		}
		all = append(all, object{
			"id": testID(i), "name": fmt.Sprint("L", seed, "-", i), "slug": fmt.Sprint("l", i), "description": base64.StdEncoding.EncodeToString(noise),
		})
	}
	text, err := json.Marshal(object{"format": 1, "set": object{"categories": all}})
	if err != nil {
		panic(err) // texts always have a JSON form
	}
	return string(text)
}

// ahead counts the pages that are not named yet, and the marks of writers ahead.
func ahead(s *redistest.Server) (pages, marks int) {
	client := s.Client()
	for _, key := range client.Keys(background, "*:page:*").Val() {
		if client.PTTL(background, key).Val() > time.Minute {
			pages++
		}
	}
	return pages, len(client.Keys(background, "*:ahead:*").Val())
}

// wantSound fails unless all pages that the shop's record names are there for good, and all others expire.
func wantSound(t *testing.T, s *redistest.Server) {
	t.Helper()
	db := node(t, s)
	fault := func(key string, err error) {
		t.Helper()
		t.Errorf("%s %v", key, err)
	}
	pages := s.Client().Keys(background, "*:page:*").Val()
	if err := errors.Join(db.CheckNamed(background, shopID, fault), db.CheckUnnamed(background, shopID, pages, fault)); err != nil {
		t.Error(err)
	}
}

// A node is killed between the pages of a large set and its visit: nothing of it counts, the pages and their mark expire, and
// its repetition at another node is carried out once.
func TestLargeChangeSetKilledAheadOfItsVisit(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		killed := makeSetNode(t, s, impatient)
		merchant().save(t, killed.DB)
		killed.do(category(500, "A"))
		var met atomic.Bool
		killed.client.Redis.AddHook(ofStore(func() error {
			met.Store(true)
			return errBroken
		}))
		if err := killed.until(&met, largeSet(1)); err == nil {
			t.Fatal("the set was carried out")
		}
		pages, marks := ahead(s)
		if pages < 5 || marks == 0 {
			t.Fatalf("%d pages and %d marks are there ahead of the visit", pages, marks)
		}
		if got := names(t, s); got != "A" {
			t.Errorf("the store has %.40q, want A", got)
		}
		wantSound(t, s)
		other := makeSetNode(t, s)
		if changed, err := other.send("erp", largeSet(1), patience, once(1)); err != nil || changed.Replayed || changed.Changed != 400 {
			t.Errorf("repeated at another node: %+v, %v", changed, err)
		}
		if sets, _ := other.told(); sets != 2 || len(strings.Fields(names(t, s))) != 401 {
			t.Errorf("the history has %d sets", sets)
		}
		wantSound(t, s)
	})
}

// A node stands still between the pages of a set and its visit, beyond its deadline: the visit comes too late, and nothing is
// written.
func TestLargeChangeSetWhoseVisitComesLate(t *testing.T) {
	s := redistest.Real(t) // with a running clock
	n := makeSetNode(t, s)
	merchant().save(t, n.DB)
	n.do(category(500, "A"))
	within := 2 * time.Second
	began := time.Now()
	n.client.Redis.AddHook(ofStore(func() error {
		time.Sleep(time.Until(began.Add(within + engine.Drift + 200*time.Millisecond)))
		return nil
	}))
	if _, err := n.send("erp", largeSet(1), within); err == nil {
		t.Error("the set was carried out")
	}
	time.Sleep(time.Until(began.Add(within + engine.Drift + 500*time.Millisecond)))
	if got := names(t, s); got != "A" {
		t.Errorf("the store has %.40q, want A", got)
	}
	wantSound(t, s)
}

// The mark of a set's pages is gone at its visit, as after a failover that lost it: all is written once more.
func TestLargeChangeSetWhoseMarkIsLost(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n := makeSetNode(t, s)
		merchant().save(t, n.DB)
		n.do(category(500, "A"))
		var visits atomic.Int32
		n.client.Redis.AddHook(ofStore(func() error {
			if visits.Add(1) == 1 {
				client := s.Client()
				client.Del(background, client.Keys(background, "*:ahead:*").Val()...)
			}
			return nil
		}))
		if changed := n.do(largeSet(1)); changed.Changed != 400 || visits.Load() != 2 {
			t.Errorf("%+v after %d visits, want 2", changed, visits.Load())
		}
		wantSound(t, s)
	})
}

// A large set of a store that may not grow is 503 before any of its pages is written.
func TestLargeChangeSetOfAStoreThatMayNotGrow(t *testing.T) {
	s := redistest.Mini(t)
	n := makeSetNode(t, s, func(c *Config) { c.StoreGrowth = 1 })
	merchant().save(t, n.DB)
	n.do(category(500, "A"))
	rest := growth(shopID, 16<<20)
	for rest.Part = 2 * ratelimit.WholeBucket; n.grows(rest); { // also the merchant's part
	}
	if _, err := n.send("erp", largeSet(1), patience); !errors.Is(err, engine.GrowthFull) {
		t.Errorf("the set: %v, want 503 growth", err)
	}
	if pages, marks := ahead(s); pages != 0 || marks != 0 {
		t.Errorf("%d pages and %d marks were written ahead", pages, marks)
	}
}

// A set meets an import's lease: it waits for its end, and at its deadline it is 503.
func TestChangeSetThatMeetsAnImport(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n := makeSetNode(t, s)
		merchant().save(t, n.DB)
		lease := "{" + shopID.String() + "}:import"
		s.Client().Set(background, lease, "\x01"+strings.Repeat("x", 24), 0)
		if _, err := n.send("erp", category(1, "A"), 300*time.Millisecond); !errors.Is(err, engine.ErrUnavailable) {
			t.Errorf("during the import: %v, want 503", err)
		}
		if got := names(t, s); got != "" {
			t.Errorf("the store has %q", got)
		}
		done := make(chan error, 1)
		go func() {
			_, err := n.send("erp", category(2, "B"), patience)
			done <- err
		}()
		time.Sleep(150 * time.Millisecond) // it meets the lease, or comes later: both are right
		s.Client().Del(background, lease)
		if err := <-done; err != nil || names(t, s) != "B" {
			t.Errorf("after the import: %v, the store has %q", err, names(t, s))
		}
	})
}

// A page that cannot be read is no fault of the set: 503 at once, until the page is there again.
func TestChangeSetOfADamagedPage(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		writer, n := makeSetNode(t, s), makeSetNode(t, s)
		merchant().save(t, writer.DB)
		writer.do(category(1, "A"))
		if err := n.engine.Admit(asks("erp")); err != nil { // the node has the store, and no page
			t.Fatal(err)
		}
		client, whole := s.Client(), map[string]string{}
		for _, key := range client.Keys(background, "*:page:*").Val() {
			whole[key] = client.Get(background, key).Val()
			client.Set(background, key, "\x01damaged", redis.KeepTTL)
		}
		began := time.Now()
		if _, err := n.send("erp", category(1, "B"), patience); !errors.Is(err, engine.ErrUnavailable) || time.Since(began) > patience/2 {
			t.Errorf("a set of a damaged page: %v after %v, want 503 at once", err, time.Since(began))
		}
		for key, text := range whole {
			client.Set(background, key, text, redis.KeepTTL)
		}
		n.do(category(1, "B"))
		if got := names(t, s); got != "B" {
			t.Errorf("the store has %q, want B", got)
		}
	})
}

// A set reads the pages that it touches and those beside them whose entries may move in few trips, also if they are more than a
// node keeps of a store.
func TestChangeSetOfManyPages(t *testing.T) {
	shoptest.Alone(t)
	s := redistest.Real(t)
	importer := node(t, s)
	large := merchant()
	const products, step = 24_000, 150
	for n := range products {
		large.Tracked = append(large.Tracked, testID(n))
	}
	large.save(t, importer)
	n := makeSetNode(t, s)
	var gone []uuid.UUID
	for i := step / 2; i < products; i += step {
		gone = append(gone, testID(i))
	}
	n.do(category(1, "A")) // the node has the store
	var reads atomic.Int32
	n.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if len(cmd.Args()) > 1 && strings.Contains(fmt.Sprint(cmd.Args()[1]), ":page:") && cmd.Name() != "set" && cmd.Name() != "pexpire" {
			reads.Add(1)
		}
		return next()
	}))
	text, err := json.Marshal(map[string]any{"format": 1, "remove": map[string]any{"products": gone}})
	if err != nil {
		t.Fatal(err)
	}
	if changed := n.do(string(text)); changed.Removed != len(gone) || changed.Products != products-len(gone) {
		t.Errorf("%+v, want %d removed", changed, len(gone))
	}
	if reads.Load() > 40 {
		t.Errorf("%d trips for pages", reads.Load())
	}
}

// The outcome of a visit that is cut off at one of its steps: killed ahead of it, nothing was done; its answer lost, the change
// counts and the visit is sent again, or its repetition with its key answers the commit's revision.
func TestChangeSetWhoseVisitIsCutOff(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		n := makeSetNode(t, s, impatient)
		merchant().save(t, n.DB)
		before := n.do(category(1, "A"))
		var lose, sent atomic.Bool
		n.client.Redis.AddHook(ofStore(func() error {
			if lose.Load() {
				sent.Store(true)
				return errLost
			}
			return nil
		}))
		lose.Store(true)
		if err := n.until(&sent, category(2, "B")); !errors.Is(err, engine.ErrUnknownOutcome) {
			t.Errorf("a set whose answers are all lost: %v, want 504", err)
		}
		lose.Store(false)
		fresh := makeSetNode(t, s) // the killed node's successor
		again, err := fresh.send("erp", category(2, "B"), patience, once(1))
		state := stateOf(t, fresh)
		if err != nil || !again.Replayed || again.Revision != state.Revision() || again.Revision == before.Revision {
			t.Errorf("repeated: %+v, %v; in force %s, before %s", again, err, state.Revision(), before.Revision)
		}
		if got := names(t, s); got != "A B" {
			t.Errorf("the store has %q after lost answers", got)
		}
		n.do(category(3, "C")) // the node follows
		if sets, _ := n.told(); sets != 3 || names(t, s) != "A B C" {
			t.Errorf("the history has %d sets, the store %q", sets, names(t, s))
		}
	})
}

func stateOf(t *testing.T, n setNode) *engine.StoreState {
	t.Helper()
	_, record := n.Present(shopID)
	if record == nil {
		t.Fatal("the node does not have the store")
	}
	return record.State
}
