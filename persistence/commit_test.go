package persistence

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/ratelimit"
)

// A server carries a commit out, dies without an answer and starts again. The commit may be
// done, so it is not refused, and go-redis does not send it again by itself.
func TestCommitIsSentOnceByEveryClient(t *testing.T) {
	eachClient(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		var sent atomic.Int32
		s.Mini.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
			switch {
			case !strings.EqualFold(cmd, "EVALSHA") || args[0] != records.Write.Hash():
				return false
			case sent.Add(1) == 1:
				p.Close()
			default:
				p.WriteError("LOADING Redis is loading the dataset in memory")
			}
			return true
		})
		wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Unknown, none)
		if n := sent.Load(); n != 1 || db.Away() {
			t.Errorf("the commit was sent %d times, away %v; want once, and a Redis that answers", n, db.Away())
		}
	})
}

// eachClient runs a test with a node whose Redis is one server, and with a cluster of one.
func eachClient(t *testing.T, test func(*testing.T, *redistest.Server, *DB)) {
	for name, more := range map[string]string{"single": "", "cluster": "?addr="} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Mini(t)
			test(t, s, node(t, s, func(c *Config) {
				if more != "" {
					c.URL = s.URL() + more + s.Addr()
				}
			}))
		})
	}
}

// eachServer calls do with the client of every server of a cluster.
func eachServer(db *DB, do func(*redis.Client)) {
	db.client.Redis.(*redis.ClusterClient).ForEachMaster(background, func(_ context.Context, c *redis.Client) error {
		do(c)
		return nil
	})
}

// runs reports whether a command runs a script.
func runs(cmd redis.Cmder, script *redis.Script) bool {
	if args := cmd.Args(); len(args) > 1 {
		hash, _ := args[1].(string)
		if shared, ok := args[1].(*string); ok {
			hash = *shared
		}
		return hash == script.Hash()
	}
	return false
}

// losing drops the first reply to a script.
func losing(script *redis.Script) redistest.Hook {
	var once sync.Once
	return func(cmd redis.Cmder, next func() error) error {
		err := next()
		if err == nil && runs(cmd, script) {
			once.Do(func() { err = io.EOF })
		}
		return err
	}
}

// A cluster's single command is not sent again either: a login would count twice.
func TestLoginWhoseAnswerIsLostIsCountedOnce(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.URL = s.URL() + "?addr=" + s.Addr() })
	theShop().save(t, db)
	var sent atomic.Int32
	eachServer(db, func(c *redis.Client) {
		c.AddHook(losing(ratelimit.BeginAttempt))
		c.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			if runs(cmd, ratelimit.BeginAttempt) {
				sent.Add(1)
			}
			return next()
		}))
	})
	if _, _, err := db.BeginLogin(shopID, "a@b", stranger, time.Now().Add(time.Second)); err == nil {
		t.Error("the attempt began without an answer")
	}
	if n := sent.Load(); n != 1 {
		t.Errorf("the attempt was sent %d times", n)
	}
	if n := s.Client().LLen(background, ratelimit.AttemptsKey(shopID.String(), "a@b", stranger.Addr)).Val(); n != 1 {
		t.Errorf("it counts %d times", n)
	}
}
