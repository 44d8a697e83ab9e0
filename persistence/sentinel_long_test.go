//go:build long

package persistence

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
)

// withSentinels opens a node that asks sentinels for its Redis.
func withSentinels(t *testing.T, s *redistest.Server, sentinels ...*redistest.Server) *DB {
	t.Helper()
	url := "redis://" + sentinels[0].Addr() + "/0?master_name=shops"
	for _, further := range sentinels[1:] {
		url += "&addr=" + further.Addr()
	}
	return node(t, s, func(c *Config) { c.URL, c.Timeout = url, time.Second })
}

// The node uses the master that the sentinel names, at its start and after a failover.
func TestLongNodeFollowsASentinel(t *testing.T) {
	shoptest.Alone(t)
	t.Parallel()
	master := redistest.Real(t, "--repl-diskless-sync-delay", "0")
	replica := redistest.Real(t, append([]string{"--repl-diskless-sync-delay", "0", "--replicaof"}, strings.Split(master.Addr(), ":")...)...)
	eventually(t, "the replica follows its master", patience, func() bool {
		return strings.Contains(replica.Client().Info(background, "replication").Val(), "master_link_status:up")
	})
	sentinel := redistest.Sentinel(t, "shops", master)
	db := withSentinels(t, master, sentinel)
	theShop().save(t, db)
	first := cartAt(1, "")
	wantOutcome(t, db, replacing(none.Stamp, first), engine.Done, none)
	holds := func(c *engine.CartRecord) bool {
		return replica.Client().Get(background, records.Carts.Key(keyOf(*c))).Val() == string(records.Carts.Encode(nil, c, nil))
	}
	eventually(t, "the replica holds the first commit", patience, func() bool { return holds(&first) })
	asked := redis.NewSentinelClient(&redis.Options{Addr: sentinel.Addr()})
	defer asked.Close()
	eventually(t, "a fail-over", patience, func() bool { return asked.Failover(background, "shops").Err() == nil })
	second := cartAt(2, "")
	commit := replacing(first.Stamp, second)
	eventually(t, "a commit on the new master", patience, func() bool {
		return send(t, db, commit).Kind == engine.Done && strings.Join(asked.GetMasterAddrByName(background, "shops").Val(), ":") == replica.Addr() && holds(&second)
	})
	wantLoaded(t, db, second)
}

// A node starts although one sentinel is silent, if others answer.
func TestLongNodeStartsWithASilentSentinel(t *testing.T) {
	shoptest.Alone(t)
	t.Parallel()
	master := redistest.Real(t)
	sentinels := make([]*redistest.Server, 3)
	for i := range sentinels {
		sentinels[i] = redistest.Sentinel(t, "shops", master)
	}
	for _, silent := range sentinels {
		silent.Pause()
		theShop().save(t, withSentinels(t, master, sentinels...))
		silent.Resume()
	}
}
