package persistence

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
)

// readying opens an impatient node on a server that keeps its data. The shop is loaded and its
// first request is admitted.
func readying(t *testing.T, edits ...func(*Config)) (*redistest.Server, *DB) {
	t.Helper()
	s := redistest.Real(t, "--appendonly", "yes", "--appendfsync", "always")
	db := node(t, s, append(edits, impatient)...)
	theShop().save(t, db)
	eventually(t, "the first admission", patience, func() bool { _, err := tryAdmit(db, asks("key")); return err == nil })
	return s, db
}

// outages are the ways in which a Redis fails and comes back.
var outages = []struct {
	name       string
	away, back func(*redistest.Server)
}{
	{"killed", (*redistest.Server).Kill, (*redistest.Server).Restart},
	{"silent", (*redistest.Server).Pause, (*redistest.Server).Resume},
}

func TestUnreachableRedis(t *testing.T) {
	t.Parallel()
	for _, o := range outages {
		t.Run(o.name, func(t *testing.T) {
			s, db := readying(t)
			o.away(s)
			wantUnavailable(t, "the first request", db, soon)
			eventually(t, "the node knows", patience, db.Away)
			wantUnavailableAtOnce(t, db)
			shoptest.AtOnce(t, "a load", func() {
				if r, err := load(t, db); err != engine.ErrUnavailable {
					t.Errorf("Load = %+v, %v; want ErrUnavailable", r, err)
				}
			})
			shoptest.AtOnce(t, "a commit", func() {
				wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
			})
			o.back(s)
			eventually(t, "the recovery", soon, func() bool { _, err := tryAdmit(db, asks("key")); return err == nil })
			wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Done, none)
		})
	}
}

// A write is sent while the node does not know yet that Redis is silent.
func TestVisitThatRedisDoesNotAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	s, db := readying(t)
	s.Pause()
	create := counting(replacing(none.Stamp, cartAt(1, "")), 1)
	if o := send(t, db, create); o.Kind != engine.Unknown {
		t.Errorf("the first sending: %+v, want it unknown", o)
	}
	eventually(t, "the node knows", patience, db.Away)
	if o := send(t, db, create); o.Kind != engine.Refused {
		t.Errorf("the second: %+v, want it refused", o)
	}
	s.Resume()
	eventually(t, "the commit is done", patience, func() bool { return send(t, db, create).Kind == engine.Done })
	wantCounted(t, s, 2) // the earlier admission, and the commit once
}

func wantUnavailable(t *testing.T, what string, db *DB, longest time.Duration) {
	t.Helper()
	within(t, what, longest, func() { wantRefused(t, db) })
}

// wantUnavailableAtOnce fails if a request waits for a Redis that is known to be unreachable.
func wantUnavailableAtOnce(t *testing.T, db *DB) {
	t.Helper()
	shoptest.AtOnce(t, "a request once the node knows", func() { wantRefused(t, db) })
}

func wantRefused(t *testing.T, db *DB) {
	t.Helper()
	if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
	}
}

// Requests that may be answered without Redis are answered from the node's memory, under the
// node's own window.
func TestRequestsThatGoOnWithoutRedis(t *testing.T) {
	t.Parallel()
	for _, o := range outages {
		t.Run(o.name, func(t *testing.T) {
			s := redistest.Real(t)
			db := node(t, s, impatient)
			small := theShop()
			small.Limit = 3
			small.save(t, db)
			admit(t, db, asks("key"))
			o.away(s)
			var got []engine.Budget
			for range 4 {
				ask := asks("key")
				ask.Guards = &engine.Guards{Fallback: true}
				within(t, "a request", soon, func() {
					a := admit(t, db, ask)
					if a.Store == nil || a.Store.Name != "Shop" || a.Key == nil || time.Since(a.Now).Abs() > patience {
						t.Errorf("admitted as %+v", a)
					}
					a.Budget.RetryAfter, a.Budget.Reset = 0, time.Time{}
					got = append(got, a.Budget)
				})
			}
			for i, b := range got {
				if want := (engine.Budget{Granted: i < 3, Limit: 3, Remaining: max(0, 2-i)}); b != want {
					t.Errorf("request %d: %+v, want %+v", i, b, want)
				}
			}
			ping := asks("")
			ping.Guards = &engine.Guards{Fallback: true}
			if a := admit(t, db, ping); a.Budget.Limit != commerce.DefaultRateLimit || !a.Budget.Granted || a.Store != nil {
				t.Errorf("without a key: %+v", a)
			}
			stranger := asks("unknown")
			stranger.Guards = &engine.Guards{Fallback: true}
			if a, err := tryAdmit(db, stranger); err != engine.ErrUnavailable {
				t.Errorf("a key that the node does not know: %+v, %v; want ErrUnavailable", a, err)
			}
		})
	}
}

// A commit whose connection could not be made certainly had no effect.
func TestCommitThatCannotBeDialledIsRefused(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	s.Kill()
	wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
}

// A full pool does not mean that Redis is unreachable.
func TestFullPoolIsNotAnUnreachableRedis(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	db := node(t, s, impatient)
	theShop().save(t, db)
	admit(t, db, asks("key"))
	for range redisdb.PoolSize {
		conn := db.client.Redis.(*redis.Client).Conn()
		defer conn.Close()
		if err := conn.Ping(background).Err(); err != nil {
			t.Fatal(err)
		}
	}
	wantUnavailable(t, "a request without a connection", db, soon)
	db.client.Lost(io.EOF)
	if db.Away() {
		t.Error("Redis counts as away")
	}
}

// Many connections that break at once do not mean that a slow Redis is unreachable.
func TestManyBrokenConnectionsAreNotAnUnreachableRedis(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.Timeout = time.Second })
	s.Mini.Server().SetPreHook(func(*server.Peer, string, ...string) bool {
		time.Sleep(20 * time.Millisecond)
		return false
	})
	var all sync.WaitGroup
	for range redisdb.PoolSize {
		all.Go(func() { db.client.Lost(io.EOF) })
	}
	all.Wait()
	if db.Away() {
		t.Error("Redis counts as away")
	}
}

// Many reads of unknown keys wait for one time-out of a silent Redis, not for one each.
func TestUnknownKeysShareOneTimeOutOfASilentRedis(t *testing.T) {
	t.Parallel()
	s, db := readying(t)
	made := shoptest.CountTrips(db.client.Redis)
	s.Pause()
	var strangers sync.WaitGroup
	for i := range 24 * 256 {
		strangers.Go(func() {
			if _, err := tryAdmit(db, asks(fmt.Sprint("unknown", i))); err != engine.ErrUnavailable {
				t.Errorf("Admit: %v; want ErrUnavailable", err)
			}
		})
	}
	strangers.Wait()
	waited := 0
	for _, trip := range made.Collect() {
		if trip[0] == "get" {
			waited++
		}
	}
	if waited != 1 {
		t.Errorf("%d pipelines of look-ups waited, want one", waited)
	}
	s.Resume()
}

// A new connection to a distant Redis costs few round trips.
func TestNewConnectionLoadsAllScriptsAtOnce(t *testing.T) {
	db := node(t, redistest.Mini(t))
	pool := db.client.Redis.(*redis.Client)
	conn := pool.Conn()
	defer conn.Close()
	if err := conn.Ping(background).Err(); err != nil {
		t.Fatal(err)
	}
	made := shoptest.CountTrips(pool)
	if err := pool.Ping(background).Err(); err != nil {
		t.Fatal(err)
	}
	loads := 0
	for _, trip := range made.Collect() {
		if slices.Contains(trip, "script") {
			loads++
		}
	}
	if loads != 1 {
		t.Errorf("the scripts took %d round trips", loads)
	}
}
