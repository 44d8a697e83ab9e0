package stores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// tookMs sets the duration of the store's last import.
func tookMs(s *redistest.Server, ms int) {
	s.Client().HSet(background, importsKey(shopID), "took", ms)
}

// moved sets how long ago the store's document has changed.
func moved(t *testing.T, s *redistest.Server, db *Stores, ago time.Duration) {
	t.Helper()
	p := presentOfShop(t, db)
	p.state().At = time.Now().Add(-ago)
	s.Client().Set(background, recordKey(shopID), records.Stores.Encode(nil, &p.record, nil), 0)
}

// A set whose turn cannot come within its deadline is refused at once. A store whose imports take
// long is changed by the command only.
func TestChangeSetsThatCannotCome(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		tookMs(s, 2500)
		var busy *engine.Busy
		began := time.Now()
		_, err := db.Change(shopID, category(t, 1, "A"), time.Now().Add(2*time.Second))
		if !errors.As(err, &busy) || busy.After < 3*time.Second || busy.After > 5*time.Second || time.Since(began) > time.Second {
			t.Errorf("%v after %v, want Busy at once", err, time.Since(began))
		}
		tookMs(s, 3001)
		if _, err := db.Change(shopID, category(t, 1, "A"), time.Now().Add(patience)); !errors.Is(err, commerce.StoreTooLarge) {
			t.Errorf("%v, want StoreTooLarge", err)
		}
		changeOne(t, db, category(t, 1, "A"))
	})
}

// A slow import is forgotten ten minutes after it.
func TestSlowImportIsForgotten(t *testing.T) {
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	tookMs(s, 5000)
	for _, c := range []struct {
		ago  time.Duration
		want error
	}{{tookKept - time.Minute, commerce.StoreTooLarge}, {tookKept + time.Minute, nil}} {
		moved(t, s, db, c.ago)
		if _, err := db.Change(shopID, category(t, 1, "A"), time.Now().Add(patience)); !errors.Is(err, c.want) {
			t.Errorf("after %v: %v, want %v", c.ago, err, c.want)
		}
	}
}

// The duration of an import is that of merging and packing: a slow Redis makes no store too large.
func TestDurationOfAnImportIsWithoutRedis(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	const slow = 50 * time.Millisecond
	db.client.Redis.AddHook(redistest.Hook(func(_ redis.Cmder, next func() error) error {
		time.Sleep(slow)
		return next()
	}))
	changeOne(t, db, category(t, 1, "A"))
	took, err := s.Client().HGet(background, importsKey(shopID), "took").Int()
	if err != nil || took < 1 || took >= int(slow.Milliseconds()) {
		t.Errorf("took %d ms, %v; want less than one command of this Redis", took, err)
	}
}

// An import that begins while a batch is merged, or that moves the head ahead of it, sends the batch
// back to the queue, and its sets are carried out afterwards.
func TestBatchThatMeetsAnImportGoesBackToTheQueue(t *testing.T) {
	for name, meet := range map[string]func(*testing.T, *redistest.Server, *Stores) (end func()){
		"running import": func(_ *testing.T, s *redistest.Server, _ *Stores) func() {
			s.Client().Set(background, leaseKey(shopID), records.StampRecord(records.MakeWriter().After(engine.Stamp{})), 0)
			return func() { s.Client().Del(background, leaseKey(shopID)) }
		},
		"moved head": func(t *testing.T, _ *redistest.Server, other *Stores) func() {
			changeOne(t, other, category(t, 2, "Other"))
			return func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Real(t)
			db, other := node(t, s), node(t, s)
			theShop().save(t, other)
			moved(t, s, other, time.Minute)
			end := make(chan func(), 1)
			once := sync.OnceFunc(func() { end <- meet(t, s, other) })
			db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
				if strings.Contains(keyIn(cmd), ":page:") { // the batch reads the settings
					once()
				}
				return next()
			}))
			result := make(chan error, 1)
			go func() {
				_, err := db.Change(shopID, category(t, 1, "A"), time.Now().Add(patience))
				result <- err
			}()
			(<-end)()
			if err := <-result; err != nil {
				t.Errorf("the set: %v", err)
			}
			if names := categories(t, other); !strings.Contains(names, "A") {
				t.Errorf("categories %q", names)
			}
		})
	}
}

// A set waits for a running import until its deadline. Then it is answered that nothing was done, and
// nothing is done after the import's end either.
func TestBatchWaitsForAnImportUntilItsDeadline(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	moved(t, s, db, time.Minute)
	s.Client().Set(background, leaseKey(shopID), records.StampRecord(records.MakeWriter().After(engine.Stamp{})), 0)
	const within = 300 * time.Millisecond
	began := time.Now()
	_, err := db.Change(shopID, category(t, 1, "A"), began.Add(within))
	if !errors.Is(err, engine.ErrUnavailable) || time.Since(began) < within {
		t.Errorf("%v after %v, want ErrUnavailable at the deadline", err, time.Since(began))
	}
	s.Client().Del(background, leaseKey(shopID))
	if _, err := db.Change(shopID, category(t, 2, "B"), time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if names := categories(t, db); names != "B" {
		t.Errorf("categories %q, want B alone", names)
	}
}

// Merges that find faults end with the turn: what is not judged then waits for the next one. Merges of
// sets whose requests have left are not made, and the time of the failed ones counts.
func TestFaultySetsEndWithTheirTurn(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	sets := make([]*Change, 8)
	for i := range sets {
		sets[i] = category(t, i+1, "")
	}
	run := func(edit func(*changeImport)) *changeImport {
		im := newChangeImport(background, db, shopID, sets, make([]changeResult, len(sets)))
		edit(im)
		if err := im.try(); err != nil {
			t.Fatal(err)
		}
		return im
	}
	if im := run(func(im *changeImport) { im.until = time.Now() }); len(im.later) != len(sets) || im.wasted != 0 {
		t.Errorf("after the turn %d sets wait, %v merged; want all, without a merge", len(im.later), im.wasted)
	}
	if im := run(func(im *changeImport) { im.waits = func(int) bool { return false } }); len(im.later) != 0 || im.wasted != 0 {
		t.Errorf("without a request %d sets wait, %v merged", len(im.later), im.wasted)
	}
	im := run(func(*changeImport) {})
	for i, r := range im.results {
		if !isFault(r.Err) {
			t.Errorf("set %d: %v", i, r.Err)
		}
	}
	if im.wasted == 0 {
		t.Error("the time of failed merges does not count")
	}
}

// After sets with faults a store's sets rest on the node twice as long as their merges took.
func TestFailedImportsCount(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	w := &waitingChange{Change: category(t, 1, ""), deadline: time.Now().Add(patience), done: make(chan changeResult, 1)}
	before := time.Now()
	db.importBatch(shopID, []*waitingChange{w})
	if r := <-w.done; !isFault(r.Err) || !db.changes.restOf(shopID).After(before) {
		t.Errorf("%v, rests until %v", r.Err, db.changes.restOf(shopID))
	}
	until := time.Now().Add(time.Hour)
	db.changes.rest(shopID, until)
	if times, err := db.importTimes(background, shopID); err != nil || !times.next.Equal(until) {
		t.Errorf("the next import begins at %v, %v; want %v", times.next, err, until)
	}
}

// A Redis that pauses is a warning once a minute, and no error.
func TestPausingRedisIsAWarning(t *testing.T) {
	s := redistest.Mini(t)
	var log bytes.Buffer
	db := node(t, s, func(c *redisdb.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, err := range []error{context.DeadlineExceeded, redisdb.ErrDial, redis.ErrPoolTimeout} {
		if got := db.outcomeOf(shopID, fmt.Errorf("an import: %w", err)); !errors.Is(got, engine.ErrUnavailable) {
			t.Errorf("%v: %v", err, got)
		}
	}
	if text := log.String(); strings.Count(text, "level=WARN") != 1 || strings.Contains(text, "level=ERROR") {
		t.Errorf("the log is %s", text)
	}
	now := time.Now()
	if db.changes.mayWarn(now.Add(59*time.Second)) || !db.changes.mayWarn(now.Add(61*time.Second)) {
		t.Error("the warning comes not once a minute")
	}
	db.outcomeOf(shopID, errNoStore)
	if !strings.Contains(log.String(), "level=ERROR") {
		t.Error("another fault is no error")
	}
}
