//go:build long

package persistence

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/outbox"
)

// wantDue waits until a store's webhook has a delivery due. Other stores may be due, too.
func wantDue(t *testing.T, db *DB, s shop, beside ...shop) {
	t.Helper()
	eventually(t, "a delivery of the store", patience, func() bool {
		for _, marked := range append(beside, s) {
			db.outbox.Announce(marked.ID)
		}
		due, _ := db.Outbox().Due()
		return slices.ContainsFunc(due, func(r commerce.Receiver) bool { return r.Store == s.ID })
	})
}

// keepsAnswering sends requests of a store without a pause until stop. It fails if more than
// one request in ten is refused or late, or finds the node not ready. A busy machine is
// sometimes late.
func keepsAnswering(t *testing.T, db *DB, s shop) (stop func()) {
	t.Helper()
	ends, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		late := 0
		for sent := 1; ; sent++ {
			select {
			case <-ends:
				if late > sent/10 {
					t.Errorf("of a store of another master %d of %d requests were late", late, sent)
				}
				return
			case <-time.After(shoptest.PollEvery):
			}
			start := time.Now()
			_, err := tryAdmit(db, asks(s.ID.String()))
			if err != nil || time.Since(start) > time.Second/2 || db.Unready() != "" {
				late++
			}
		}
	}()
	stop = sync.OnceFunc(func() { close(ends); <-ended })
	t.Cleanup(stop)
	return stop
}

// hookedIn makes a store with a webhook and an event in a range of slots.
func hookedIn(t *testing.T, db *DB, on *redistest.Server, slots [2]int) shop {
	t.Helper()
	s := shopIn(t, on, slots)
	s.Webhooks = []object{{"url": "https://a/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": []string{anEvent}}}
	s.save(t, db)
	admit(t, db, asks(s.ID.String()))
	db.client.Redis.RPush(background, outbox.Key(s.ID), `{"id":"1","event":"`+anEvent+`","body":{}}`)
	wantDue(t, db, s)
	return s
}

// replicated returns the offset to which a master has written, or a replica read.
func replicated(s *redistest.Server) string {
	info := s.Client().Info(background, "replication").Val()
	if redistest.InfoField(info, "role") == "slave" {
		return redistest.InfoField(info, "slave_repl_offset")
	}
	return redistest.InfoField(info, "master_repl_offset")
}

// readSlots lets a node read the slot table of its cluster now.
func readSlots(t *testing.T, db *DB) {
	t.Helper()
	nothing := func(context.Context, *redis.Client) error { return nil }
	if err := db.client.Redis.(*redis.ClusterClient).ForEachMaster(background, nothing); err != nil { // it reads the table first
		t.Fatal(err)
	}
}

// afterPromotion is the time in which the stores of a dead master answer again, from its replica's
// promotion on.
const afterPromotion = 3 * time.Second

// The slots of the keys `stores` and `outboxes` lie in the second and the third of redistest.Thirds:
// these tests stop the first master.

// The node follows a failover within afterPromotion. The stores and the webhooks of other masters
// go on meanwhile, and the silent server is listed until it is back.
//
// The replica may not take over until the node has read the slot table: so the table ages beyond
// slotsKnown (5 s) only after the promised time.
func TestLongNodeFollowsAFailoverOfACluster(t *testing.T) {
	shoptest.Alone(t)
	t.Parallel()
	quick := []string{"--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"}
	url, masters := redistest.Cluster(t, redistest.Thirds, quick...)
	replica := redistest.ClusterReplica(t, masters, masters[0], append(quick, "--cluster-replica-no-failover", "yes")...)
	db := node(t, masters[0], func(c *Config) { c.URL, c.Timeout = url, time.Second })
	lost, other := hookedIn(t, db, masters[0], redistest.Thirds[0]), hookedIn(t, db, masters[0], redistest.Thirds[1])
	eventually(t, "the replica has what its master has", patience, func() bool {
		return replicated(masters[0]) == replicated(replica)
	})
	stop := keepsAnswering(t, db, other)
	masters[0].Kill()
	eventually(t, "the node names the silent server", patience, func() bool {
		_, err := tryAdmit(db, asks(lost.ID.String()))
		return err == engine.ErrUnavailable && slices.Equal(db.SilentServers(), []string{masters[0].Addr()})
	})
	for _, s := range masters[1:] { // they vote
		eventually(t, "every master knows the failure", patience, func() bool {
			return strings.Contains(s.Client().ClusterNodes(background).Val(), "master,fail ")
		})
	}
	readSlots(t, db)
	asked := replica.Client()
	asked.ConfigSet(background, "cluster-replica-no-failover", "no")
	eventually(t, "the replica is promoted", patience, func() bool {
		role, _ := asked.Do(background, "ROLE").Slice()
		return len(role) > 0 && role[0] == "master"
	})
	promoted := time.Now()
	eventually(t, "its stores answer", patience, func() bool {
		_, err := tryAdmit(db, asks(lost.ID.String()))
		return err == nil
	})
	if took := time.Since(promoted); took > afterPromotion {
		t.Errorf("the stores of the dead master answer %v after the promotion, want at most %v", took, afterPromotion)
	}
	wantDue(t, db, lost)
	stop()
	masters[0].Restart()
	eventually(t, "no server is silent", patience, func() bool { return len(db.SilentServers()) == 0 })
}

// A silent server stops only the webhooks of its own stores.
func TestLongSilentServerOfAClusterStopsOnlyItsOwnWebhooks(t *testing.T) {
	t.Parallel()
	url, masters := redistest.Cluster(t, redistest.Thirds, "--cluster-node-timeout", "60000")
	db := node(t, masters[1], func(c *Config) { c.URL = url })
	lost, other := hookedIn(t, db, masters[1], redistest.Thirds[0]), hookedIn(t, db, masters[1], redistest.Thirds[1])
	masters[0].Kill()
	wantDue(t, db, other, lost)
}

// With --redis-wait each master of a cluster waits for its own replicas: the outcome of a write
// is unknown if its master has none, and known on another master.
func TestLongReplicasOfAClusterAcknowledge(t *testing.T) {
	t.Parallel()
	url, masters := redistest.Cluster(t, redistest.Thirds, "--repl-diskless-sync-delay", "0")
	replica := redistest.ClusterReplica(t, masters, masters[0], "--repl-diskless-sync-delay", "0")
	careless := node(t, masters[0], func(c *Config) { c.URL = url })
	careful := node(t, masters[0], func(c *Config) { c.URL, c.Timeout, c.WaitReplicas = url, time.Second, 1 })
	for i, want := range []engine.OutcomeKind{engine.Done, engine.Unknown, engine.Unknown} {
		s := shopIn(t, masters[0], redistest.Thirds[i])
		s.save(t, careless)
		next := cartAt(1, "")
		commit := replacing(none.Stamp, next)
		commit.Key.Store = s.ID
		if want == engine.Done {
			eventually(t, "the replica acknowledges", patience, func() bool { return send(t, careful, commit).Kind == want })
			if err := careful.AwaitReplicas(s.ID, soonest()); err != nil {
				t.Errorf("AwaitReplicas = %v", err)
			}
		} else if o := send(t, careful, commit); o.Kind != want {
			t.Errorf("a write to master %d: %+v, want its outcome unknown", i, o)
		}
	}
	if n := len(replica.Client().Keys(background, "*:cart:*").Val()); n != 1 {
		t.Errorf("the replica has %d carts, want one", n)
	}
}
