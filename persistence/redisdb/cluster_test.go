package redisdb

import (
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"cartd/internal/outage"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// shards are servers that answer as a cluster, with a table of slots that the test changes.
type shards struct {
	t       *testing.T
	servers []*redistest.Server
	mu      sync.Mutex
	ends    []int          // the last slot of each server, -1 for one without slots
	moved   map[string]int // the keys that the first server does not have, and whose they are
}

// The slots of two keys: low is in the first half, high in the second.
const (
	low  = "b" // 3300
	high = "a" // 15495
)

func newShards(t *testing.T, ends ...int) *shards {
	c := &shards{t: t, ends: ends, moved: map[string]int{}}
	for range ends {
		c.servers = append(c.servers, redistest.Mini(t))
	}
	for i := range ends {
		c.join(i)
	}
	return c
}

// join makes a server answer as one of the cluster, also after a restart.
func (c *shards) join(i int) {
	c.servers[i].Mini.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case strings.EqualFold(cmd, "CLUSTER"):
			p.Block(c.writeSlots)
			return true
		case i == 0 && len(args) > 0:
			if to, moved := c.moved[args[0]]; moved {
				p.WriteError("MOVED 15495 " + c.servers[to].Addr())
				return true
			}
		}
		return false
	})
}

func (c *shards) writeSlots(w *server.Writer) {
	with := 0
	for _, end := range c.ends {
		with += min(1, end+1)
	}
	w.WriteLen(with)
	first := 0
	for i, end := range c.ends {
		if end < 0 {
			continue
		}
		host, port, _ := net.SplitHostPort(c.servers[i].Addr())
		n, _ := strconv.Atoi(port)
		w.WriteLen(3)
		w.WriteInt(first)
		w.WriteInt(end)
		w.WriteLen(2)
		w.WriteBulk(host)
		w.WriteInt(n)
		first = end + 1
	}
}

// move gives slots to other servers. told are the keys that the first server redirects.
func (c *shards) move(ends []int, told map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends, c.moved = ends, told
}

func (c *shards) open(edits ...func(*Config)) *Client {
	url := c.servers[0].URL() + "?addr=" + c.servers[1].Addr()
	return open(c.t, c.servers[0], append(edits, func(c *Config) { c.URL = url })...)
}

// A command on a slot that has moved is sent to its new master, once; the others of its pipeline are answered by theirs.
func TestMovedSlotIsFollowed(t *testing.T) {
	t.Parallel()
	shards := newShards(t, 16383, -1)
	var mu sync.Mutex
	var kinds []TripKind
	c := shards.open(func(c *Config) {
		c.OnTrip = func(trip Trip) {
			mu.Lock()
			defer mu.Unlock()
			kinds = append(kinds, trip.Kind)
		}
	})
	if !c.Cluster() || c.ClusterServers() != 1 {
		t.Errorf("a cluster: %v, of %d", c.Cluster(), c.ClusterServers())
	}
	shards.move([]int{16383, -1}, map[string]int{high: 1})
	replies := c.RunAll(shoptest.Soonest(), []*Call{KeyCall("INCR", low), KeyCall("INCR", high)})
	for _, r := range replies {
		if r.Value != int64(1) || r.Err != nil {
			t.Errorf("got %v", replies)
		}
	}
	if text, _ := shards.servers[1].Mini.Get(high); text != "1" || shards.servers[0].Mini.Exists(high) {
		t.Errorf("the new master has %q", text)
	}
	if text, _ := shards.servers[0].Mini.Get(low); text != "1" {
		t.Errorf("the old one has %q", text)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(kinds, []TripKind{TripRead, TripRedirect}) {
		t.Errorf("the trips were %v", kinds)
	}
}

// A write that replicas must acknowledge is not redirected, since only its own connection can wait for them. It is refused, and the
// next one goes to the new master, which has taken over.
func TestMovedWriteThatWaitsForReplicasIsRefused(t *testing.T) {
	t.Parallel()
	shards := newShards(t, 16383, -1)
	c := shards.open(func(c *Config) { c.Replicas = 1 })
	write := func() error {
		call := KeyCall("INCR", high)
		call.Writes = true
		_, err := c.Run(shoptest.Soonest(), call)
		return err
	}
	shards.move([]int{16383, -1}, map[string]int{high: 1})
	if err := write(); err == nil || !isRedirection(err) || OrUnavailable(err) != outage.ErrUnavailable {
		t.Errorf("the write: %v, want it refused", err)
	}
	if shards.servers[1].Mini.Exists(high) {
		t.Error("the write was redirected")
	}
	shards.move([]int{8191, 16383}, map[string]int{high: 1})
	shoptest.Eventually(t, "a write at the new master", patience, func() bool { return write() == ErrTooFewReplicas })
	if n := c.Failovers(); n != 1 {
		t.Errorf("%d masters took over, want 1", n)
	}
}

// A server of a cluster that makes no connection is waited for once. The stores of the others go on, and the probe finds it again.
func TestSilentServerOfACluster(t *testing.T) {
	t.Parallel()
	shards := newShards(t, 8191, 16383)
	var log shoptest.Log
	c := shards.open(func(c *Config) { c.Logger = log.Logger() })
	ask := func(key string) error { _, err := c.Run(shoptest.Soonest(), KeyCall("INCR", key)); return err }
	for _, key := range []string{low, high} {
		if err := ask(key); err != nil {
			t.Fatal(err)
		}
	}
	away := shards.servers[1]
	away.Kill()
	shoptest.Eventually(t, "its silence", patience, func() bool { return ask(high) != nil && len(c.SilentServers()) > 0 })
	if err := ask(high); !errors.Is(err, ErrDial) || OrUnavailable(err) != outage.ErrUnavailable {
		t.Errorf("a call to the silent server: %v", err)
	}
	if err := ask(low); err != nil || c.Unreachable() || !slices.Equal(c.SilentServers(), []string{away.Addr()}) {
		t.Errorf("a call to the other: %v; unreachable %v, silent %v", err, c.Unreachable(), c.SilentServers())
	}
	away.Restart()
	shards.join(1)
	shoptest.Eventually(t, "its return", patience, func() bool { return len(c.SilentServers()) == 0 && log.Count("is back") > 0 })
	if err := ask(high); err != nil {
		t.Errorf("a call to the server that is back: %v", err)
	}
	if log.Count("is silent") != 1 || log.Count("is back") != 1 || log.Count("unreachable") != 0 {
		t.Errorf("logged:\n%s", log.String())
	}
}

// A cluster of which no server answers is unreachable until one does.
func TestClusterWithoutServersIsUnreachable(t *testing.T) {
	t.Parallel()
	shards := newShards(t, 8191, 16383)
	c := shards.open(func(c *Config) { c.Timeout = time.Second })
	for _, s := range shards.servers {
		s.Kill()
	}
	shoptest.Eventually(t, "nothing", patience, func() bool {
		c.RunAll(shoptest.Soonest(), []*Call{KeyCall("GET", low), KeyCall("GET", high)})
		return c.Unreachable()
	})
	if _, err := c.Run(shoptest.Soonest(), KeyCall("GET", low)); err != errNotSent {
		t.Errorf("a call: %v, want nothing sent", err)
	}
	shards.servers[0].Restart()
	shards.join(0)
	shoptest.Eventually(t, "one server", patience, func() bool { return !c.Unreachable() })
	shoptest.Eventually(t, "its answer", patience, func() bool {
		_, err := c.Run(shoptest.Soonest(), KeyCall("GET", low))
		return err == nil
	})
}
