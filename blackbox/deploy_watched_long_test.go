//go:build long

package blackbox_test

import (
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// rulesAsShipped are the alerts with their own waits.
func rulesAsShipped(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("../deploy/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// awaitWithin is await with a limit of its own: for alerts whose fault takes its time.
func (p *prometheus) awaitWithin(t *testing.T, within time.Duration, pressed func(), name string) {
	t.Helper()
	if !pollFor(within, func() bool {
		pressed()
		return p.firing(t)[name]
	}) {
		t.Fatalf("%s does not fire; there are %v", name, p.firing(t))
	}
}

// A replica that hangs is told twice, with the waits as they are shipped: as late before Redis drops it after a
// minute, and as lost after that.
func TestLongAHangingReplicaIsTold(t *testing.T) {
	t.Parallel()
	master := redistest.Real(t, "--appendonly", "yes")
	host, port, _ := net.SplitHostPort(master.Addr())
	replica := redistest.Real(t, "--replicaof", host+" "+port)
	poll(t, "replica", func() bool {
		return redistest.InfoField(replica.Client().Info(t.Context(), "replication").Val(), "master_link_status") == "up"
	})
	n := watchedNode(t, options{redis: master.URL(), stores: storeFiles(t, keyShop)})
	p := watchMore(t, rulesAsShipped(t), exporters(t, master), n)
	poll(t, "the replica in its series", func() bool {
		return len(p.span(t, "sum(redis_connected_slaves) == 1", time.Now().Add(-time.Second))) == 1
	})
	replica.Pause()
	defer replica.Resume()
	stopped, waits := time.Now(), func() { time.Sleep(time.Second) }
	p.awaitWithin(t, 2*time.Minute, waits, "RedisReplicaLags")
	t.Logf("late after %v", time.Since(stopped).Round(time.Second))
	p.awaitWithin(t, 4*time.Minute, waits, "RedisReplicaLost")
	t.Logf("lost after %v", time.Since(stopped).Round(time.Second))
}

// A snapshot that gets old, and files of a node_exporter without one, are told.
func TestLongAMissingBackupIsTold(t *testing.T) {
	t.Parallel()
	redis, texts := redistest.Real(t, "--appendonly", "yes"), t.TempDir()
	writeBackup(t, texts, time.Now())
	p := watchMore(t, hastyRules(t), exportersWith(t, redis, texts), watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop)}))
	writeBackup(t, texts, time.Now().Add(-91*time.Minute))
	p.await(t, nil, "BackupMissing")
	writeBackup(t, texts, time.Now().Add(-80*time.Minute))
	poll(t, "the end of BackupMissing", func() bool { return !p.firing(t)["BackupMissing"] })
}

// A jump of Redis's clock is told although it lasts shorter than a reading of the metrics.
func TestLongAJumpOfRedissClockIsTold(t *testing.T) {
	t.Parallel()
	redis := redistest.Mini(t)
	n := watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop)})
	p := watch(t, hastyRules(t), n)
	redis.Mini.SetTime(time.Now().Add(31 * 24 * time.Hour))
	poll(t, "the jump", func() bool {
		_, page := fetch(t, opsOf(n)+"/metrics")
		return regexp.MustCompile(`(?m)^cartd_redis_clock_difference_seconds 2\.6\d+e\+06$`).MatchString(page)
	})
	redis.Mini.SetTime(time.Time{})
	p.await(t, nil, "CartdRedisClock")
}

// One store of many that is refused altogether is told, with its name where the stores are counted.
func TestLongAStoreThatIsRefusedIsTold(t *testing.T) {
	t.Parallel()
	redis := redistest.Mini(t)
	n := watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop, keyTight), flags: []string{"--metrics-stores"}})
	quiet := watchedNode(t, options{redis: redis.URL()})
	p := watch(t, hastyRules(t), n, quiet)
	refused := func() {
		for range 5 {
			n.client(t).withKey(keyTight).get("me")
			quiet.client(t).withKey(keyTight).get("me")
		}
		n.client(t).withKey(keyShop).get("me").wantStatus(http.StatusOK)
		time.Sleep(time.Second)
	}
	p.awaitWithin(t, 4*time.Minute, refused, "CartdStoreLimited")
	for _, named := range []string{`cartd_stores_limited{name!="",store!=""} == 1`, `cartd_stores_limited{name="",store=""} == 1`} {
		poll(t, named, func() bool { refused(); return len(p.span(t, named, time.Now().Add(-time.Second))) == 1 })
	}
}

// A node that runs out of memory is told, and one whose log has no reader.
func TestLongANodeInNeedIsTold(t *testing.T) {
	t.Parallel()
	redis := redistest.Mini(t)
	n := watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop), env: []string{"GOMEMLIMIT=8MiB"}})
	unread := startUnread(t, options{redis: redis.URL(), flags: []string{"--access-log", "--ops-listen", "127.0.0.1:0"}})
	p := watch(t, hastyRules(t), unread) // the other one has too little memory from its start on
	p.await(t, func() {
		for range 200 {
			unread.client(t).withKey(keyShop).get("me")
		}
	}, "CartdLogLost")
	watchAnyway(t, hastyRules(t), "", n).await(t, nil, "CartdMemoryNearlyFull")
}
