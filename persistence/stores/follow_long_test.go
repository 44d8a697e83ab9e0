//go:build long

package stores

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// Many requests wait for one reading. If Redis falls silent during it, they wait for one time-out
// together, not for one each.
func TestLongRequestsShareOneTimeOutOfASilentRedis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key string
		// news prepares what the next request of a node has to read first.
		news  func(t *testing.T, s *redistest.Server, db *Stores)
		reads func(redis.Cmder) bool
	}{
		{"the store", "key", func(t *testing.T, s *redistest.Server, _ *Stores) { theShop().save(t, node(t, s)) },
			func(cmd redis.Cmder) bool { return keyIn(cmd) == HeadKey(shopID) }},
		{"usage counts", "key", func(t *testing.T, s *redistest.Server, db *Stores) {
			discountShop("first", discount(1, 5, 3)).save(t, node(t, s))
			serve(t, db, "key")
			ordered(t, s, 1)
		}, func(cmd redis.Cmder) bool { return cmd.Name() == "hmget" }},
		{"keys", "both", func(t *testing.T, s *redistest.Server, db *Stores) {
			unchangedShop().save(t, node(t, s))
			serve(t, db, "both")
			changedShop().save(t, node(t, s))
		}, func(cmd redis.Cmder) bool { return strings.Contains(keyIn(cmd), ":page:") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Real(t)
			db := node(t, s, impatient)
			c.news(t, s, db)
			const requests = 20
			var once sync.Once
			var begun, all sync.WaitGroup
			begun.Add(requests)
			db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
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
			within(t, "the requests", soon, func() {
				for range requests {
					all.Go(func() {
						begun.Done()
						if _, err := tryServe(db, c.key, patience); err == nil {
							t.Error("a silent Redis answered a request")
						}
					})
				}
				all.Wait()
			})
		})
	}
}
