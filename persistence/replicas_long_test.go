//go:build long

package persistence

import (
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// An operation that waits for replicas waits until its deadline.
func TestLongReplicasAreAwaitedUntilTheDeadline(t *testing.T) {
	t.Parallel()
	s, replica, db := following(t)
	replica.Pause()
	s.Client().Set(background, "unrelated", "1", 0)
	const deadline = 6 * time.Second
	began, done := time.Now(), make(chan error, 1)
	go func() { done <- db.AwaitReplicas(shopID, began.Add(deadline)) }()
	time.Sleep(deadline * 3 / 4)
	replica.Resume()
	if err := <-done; err != nil {
		t.Errorf("%v, want the replica's answer, which came 1.5 s ahead of the deadline", err)
	}
}

// following returns a node that waits for one replica, and the replica.
func following(t *testing.T) (s, replica *redistest.Server, db *DB) {
	t.Helper()
	s = redistest.Real(t, "--repl-diskless-sync-delay", "0")
	host, port, err := net.SplitHostPort(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	replica = redistest.Real(t, "--replicaof", host, port)
	db = node(t, s, impatient, func(c *Config) { c.WaitReplicas = 1 })
	eventually(t, "the replica follows", patience, func() bool { return db.AwaitReplicas(shopID, time.Now().Add(time.Second)) == nil })
	return s, replica, db
}

// With --redis-wait a commit is done only once the replicas have it, however often it was sent.
func TestLongCommitThatReplicasLackIsUnknown(t *testing.T) {
	t.Parallel()
	s, replica, db := following(t)
	theShop().save(t, db)
	first, second := cartAt(1, ""), cartAt(2, "")
	create, replace := replacing(none.Stamp, first), replacing(first.Stamp, second)
	eventually(t, "the replica has the first one", patience, func() bool { return send(t, db, create).Kind == engine.Done })
	replica.Pause()
	for range 3 {
		wantOutcome(t, db, replace, engine.Unknown, none)
		// The next sending uses another connection, which has written nothing yet.
		conn := db.client.Redis.(*redis.Client).Conn()
		defer conn.Close()
		if err := conn.Ping(background).Err(); err != nil {
			t.Fatal(err)
		}
	}
	counted := counting(replacing(none.Stamp, newCart(testID(1))), 1)
	if o := send(t, db, counted); o.Kind != engine.Unknown {
		t.Errorf("a counted visit: %+v, want it unknown", o)
	}
	replica.Resume()
	eventually(t, "the replica has the counted one", patience, func() bool { return send(t, db, counted).Kind == engine.Done })
	wantCounted(t, s, 1)
	eventually(t, "the replica has it", patience, func() bool { return send(t, db, replace).Kind == engine.Done })
	wantLoaded(t, db, second)
	if got, err := replica.Client().Get(background, records.Carts.Key(keyOf(second))).Result(); err != nil || len(got) == 0 {
		t.Errorf("the replica has %q, %v", got, err)
	}
}

// A token that its first sending wrote is sent again while the replicas lack it.
func TestLongTokenThatReplicasLackIsUnknown(t *testing.T) {
	t.Parallel()
	_, replica, db := following(t)
	shopWith(theCustomer()).save(t, db)
	save := func(name string) error {
		return db.SaveSession(shopID, ada, newToken(name, 0), time.Now().Add(4*silence))
	}
	replica.Pause()
	if err := save("phone"); err != engine.ErrUnknownOutcome {
		t.Errorf("SaveSession = %v", err)
	}
	replica.Resume()
	eventually(t, "the replica has it", patience, func() bool { return save("phone") == nil })
	if n, err := replica.Client().Exists(background, accounts.TokenKey(shopID, *secret("phone"))).Result(); err != nil || n != 1 {
		t.Errorf("the replica has %d of it, %v", n, err)
	}
}

// An operator's command ends once the replicas have its writes, of which there may be some on each master
// of a cluster.
func TestLongWritesOfCommandsReachTheReplicas(t *testing.T) {
	t.Parallel()
	_, replica, db := following(t)
	if err := db.client.AwaitReplicas(1); err != nil {
		t.Errorf("with its replica: %v", err)
	}
	replica.Pause()
	if err := db.client.AwaitReplicas(1); err == nil {
		t.Error("the replica is silent, and counts")
	}
	replica.Resume()
	url, halves := cluster(t)
	of := node(t, halves[0], impatient, func(c *Config) { c.URL = url })
	if err := of.client.AwaitReplicas(0); err != nil {
		t.Errorf("in a cluster without replicas: %v", err)
	}
	for half, s := range halves {
		if redistest.InfoField(s.Client().Info(background, "commandstats").Val(), "cmdstat_wait") == "" {
			t.Errorf("master %d was not asked", half)
		}
	}
	if err := of.client.AwaitReplicas(1); err == nil {
		t.Error("a cluster without replicas has one")
	}
}
