package persistence

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// Many requests wait for one reading of a store. If Redis falls silent during it, they wait for
// one time-out together, not for one each.
func TestRequestsShareOneTimeOutOfASilentRedis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key string
		// needs makes a node whose next request has to read first.
		needs func(*testing.T, *redistest.Server) *DB
		reads func(redis.Cmder) bool
	}{
		{"usage counts", "key", func(t *testing.T, s *redistest.Server) *DB {
			discountShop("first", discount(1, 5, 3)).save(t, node(t, s))
			db := node(t, s, impatient)
			admit(t, db, asks("key"))
			ordered(t, s, 1)
			return db
		}, func(cmd redis.Cmder) bool { return cmd.Name() == "hmget" }},
		{"keys", "both", func(t *testing.T, s *redistest.Server) *DB {
			importer, db := node(t, s), node(t, s, impatient)
			unchangedShop().save(t, importer)
			admit(t, db, asks("both"))
			changedShop().save(t, importer)
			return db
		}, func(cmd redis.Cmder) bool { return strings.Contains(keyIn(cmd), ":keys:") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Real(t)
			db := c.needs(t, s)
			const requests = 20
			var once sync.Once
			var begun, all sync.WaitGroup
			begun.Add(requests)
			db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
				if c.reads(cmd) {
					once.Do(func() {
						begun.Wait()
						time.Sleep(silence / 5) // then the others wait
						s.Pause()
					})
				}
				return next()
			}))
			defer s.Resume()
			start := time.Now()
			for range requests {
				all.Go(func() {
					begun.Done()
					tryAdmit(db, asks(c.key))
				})
			}
			all.Wait()
			if took := time.Since(start); took > soon {
				t.Errorf("they waited %v, want at most %v", took, soon)
			}
		})
	}
}
