//go:build long

package scale

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// settings are those of every server. A killed server comes back with its file; a replica is
// synchronised at once.
var settings = []string{"--appendonly", "yes", "--repl-diskless-sync-delay", "0"}

// group is a master and its replicas. A failover changes which server is the master.
type group []*redistest.Server

// master returns the master and the replicas, as the servers themselves say.
func (g group) master(t *testing.T) (master *redistest.Server, replicas []*redistest.Server) {
	t.Helper()
	for _, s := range g {
		if role(s) == "master" {
			master = s
		} else {
			replicas = append(replicas, s)
		}
	}
	if master == nil || len(replicas) != len(g)-1 {
		t.Fatalf("%d servers, of them %d replicas", len(g), len(replicas))
	}
	return master, replicas
}

func role(s *redistest.Server) string {
	return redistest.InfoField(info(s), "role")
}

func info(s *redistest.Server) string {
	client := redis.NewClient(&redis.Options{Addr: s.Addr(), MaxRetries: -1})
	defer client.Close()
	return client.Info(context.Background(), "replication").Val()
}

// whole reports whether one server is the master and all others follow it and have its data.
func (g group) whole() bool {
	masters, following, addr := 0, 0, map[string]bool{}
	for _, s := range g {
		text := info(s)
		switch redistest.InfoField(text, "role") {
		case "master":
			masters++
			addr[s.Addr()] = true
			if redistest.InfoField(text, "connected_slaves") != strconv.Itoa(len(g)-1) {
				return false
			}
		case "slave":
			if redistest.InfoField(text, "master_link_status") == "up" {
				following++
			}
			addr[redistest.InfoField(text, "master_host")+":"+redistest.InfoField(text, "master_port")] = true
		}
	}
	return masters == 1 && following == len(g)-1 && len(addr) == 1
}

// watched is a master with two replicas and three sentinels.
type watched struct {
	group
	t         *testing.T
	sentinels []*redis.SentinelClient
	url       string
}

// sentinelName is the master's name at the sentinels.
const sentinelName = "carts"

func watch(t *testing.T) *watched {
	t.Helper()
	w := &watched{t: t}
	for range 3 {
		w.group = append(w.group, redistest.Real(t, settings...))
	}
	for _, replica := range w.group[1:] {
		follow(t, replica, w.group[0])
	}
	var addresses []string
	for range 3 {
		s := redistest.Sentinel(t, sentinelName, w.group[0])
		client := redis.NewSentinelClient(&redis.Options{Addr: s.Addr(), MaxRetries: -1})
		t.Cleanup(func() { _ = client.Close() })
		for name, value := range map[string]string{"quorum": "2", "down-after-milliseconds": "1000", "failover-timeout": "6000"} {
			if err := client.Set(t.Context(), sentinelName, name, value).Err(); err != nil {
				t.Fatal(err)
			}
		}
		w.sentinels, addresses = append(w.sentinels, client), append(addresses, s.Addr())
	}
	w.url = fmt.Sprintf("redis://%s/0?master_name=%s&addr=%s&addr=%s", addresses[0], sentinelName, addresses[1], addresses[2])
	return w
}

// follow makes a server the replica of another one.
func follow(t *testing.T, replica, master *redistest.Server) {
	t.Helper()
	host, port, _ := net.SplitHostPort(master.Addr())
	if err := replica.Client().Do(t.Context(), "REPLICAOF", host, port).Err(); err != nil {
		t.Fatal(err)
	}
}

// ready reports whether the group is whole, and every sentinel knows it and the other sentinels.
func (w *watched) ready() bool {
	for _, s := range w.sentinels {
		known := s.Master(context.Background(), sentinelName).Val()
		if known["num-other-sentinels"] != "2" || known["num-slaves"] != "2" || known["flags"] != "master" {
			return false
		}
		for _, server := range w.group {
			if role(server) == "master" && known["ip"]+":"+known["port"] != server.Addr() {
				return false
			}
		}
	}
	return w.whole()
}

// failover asks a sentinel for another master, if wanted after the documented pause of the old one.
func (w *watched) failover(s *service, pause bool) {
	s.t.Helper()
	old, replicas := w.master(s.t)
	if pause {
		if err := old.Client().Do(s.t.Context(), "CLIENT", "PAUSE", 15000, "WRITE").Err(); err != nil {
			s.t.Fatal(err)
		}
		s.await("replica with all writes", func() bool {
			offset := redistest.InfoField(info(old), "master_repl_offset")
			for _, r := range replicas {
				if redistest.InfoField(info(r), "slave_repl_offset") != offset {
					return false
				}
			}
			return true
		})
	}
	s.await("failover", func() bool { return w.sentinels[0].Failover(s.t.Context(), sentinelName).Err() == nil })
	s.await("new master", func() bool { return w.promoted(old) })
	// Nodes may write to the old master until a sentinel makes it a replica. These writes are lost.
	s.await("replica in place of the old master", func() bool { return role(old) == "slave" })
}

// promoted reports whether another server is the master for a majority of the sentinels.
func (w *watched) promoted(old *redistest.Server) bool {
	agreed := 0
	for _, s := range w.sentinels {
		addr := strings.Join(s.GetMasterAddrByName(context.Background(), sentinelName).Val(), ":")
		for _, server := range w.group {
			if server != old && server.Addr() == addr && role(server) == "master" {
				agreed++
			}
		}
	}
	return agreed > len(w.sentinels)/2
}

// kill kills the master, waits for the failover and starts the server again, as a replica: the
// sentinels would make it one some seconds later.
func (w *watched) kill(s *service) {
	s.t.Helper()
	old, _ := w.master(s.t)
	old.Kill()
	s.await("new master", func() bool { return w.promoted(old) })
	old.Restart()
	for _, server := range w.group {
		if server != old && role(server) == "master" {
			follow(s.t, old, server)
		}
	}
}

// cluster is a Redis Cluster of three masters, each with a replica.
type cluster struct {
	t      *testing.T
	groups []group
	url    string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	args := append([]string{"--cluster-node-timeout", "2000"}, settings...)
	url, masters := redistest.Cluster(t, redistest.Thirds, args...)
	c := &cluster{t: t, url: url}
	for _, m := range masters {
		c.groups = append(c.groups, group{m, redistest.ClusterReplica(t, masters, m, args...)})
	}
	return c
}

func (c *cluster) ready() bool {
	for _, g := range c.groups {
		if !g.whole() {
			return false
		}
	}
	return true
}

// moved is the number of slots that a reshard moves: the first ones of a master.
const moved = 200

// ids are the ids of a store on each master. The first one is in a slot that a reshard moves.
func (c *cluster) ids() (ids [stores]string) {
	c.t.Helper()
	client := c.groups[0][0].Client()
	for i := range ids {
		first, last := redistest.Thirds[i][0], redistest.Thirds[i][1]
		if i == 0 {
			last = first + moved - 1
		}
		for n := 0; ids[i] == ""; n++ {
			id := fmt.Sprintf("%08x-0000-4000-8000-00000000000%d", n, i)
			if slot := int(client.ClusterKeySlot(c.t.Context(), "{"+id+"}").Val()); first <= slot && slot <= last {
				ids[i] = id
			}
		}
	}
	return ids
}

// failover promotes the replica of a group.
func (c *cluster) failover(s *service, of int, options ...any) {
	s.t.Helper()
	_, replicas := c.groups[of].master(s.t)
	const givenUpAfter = 6 * time.Second // the masters may refuse their votes so soon after another failover
	var asked time.Time
	s.await("promoted replica", func() bool {
		if role(replicas[0]) == "master" {
			return true
		}
		if time.Since(asked) > givenUpAfter {
			asked = time.Now()
			if err := replicas[0].Client().Do(s.t.Context(), append([]any{"CLUSTER", "FAILOVER"}, options...)...).Err(); err != nil {
				s.t.Fatal(err)
			}
		}
		return false
	})
}

// kill kills the master of a group, waits until its replica is promoted and starts it again.
func (c *cluster) kill(s *service, of int) {
	s.t.Helper()
	master, replicas := c.groups[of].master(s.t)
	master.Kill()
	s.await("promoted replica", func() bool { return role(replicas[0]) == "master" })
	master.Restart()
}

// reshard moves slots of the first master to the second.
func (c *cluster) reshard(s *service) {
	s.t.Helper()
	from, _ := c.groups[0].master(s.t)
	to, _ := c.groups[1].master(s.t)
	move := exec.Command("redis-cli", "--cluster", "reshard", from.Addr(), "--cluster-from", from.ClusterID(), "--cluster-to", to.ClusterID(),
		"--cluster-slots", strconv.Itoa(moved), "--cluster-yes")
	if output, err := move.CombinedOutput(); err != nil {
		s.t.Errorf("%v: %v\n%s", move.Args, err, output)
	}
}
