package redistest

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"cartd/internal/process"
)

// joined bounds the wait until the servers of a cluster know each other.
const joined = 20 * time.Second

// Thirds are the ranges of slots of three masters.
var Thirds = [][2]int{{0, 5460}, {5461, 10922}, {10923, 16383}}

// Cluster starts a master for each range of slots, with these settings, and joins them.
func Cluster(t testing.TB, ranges [][2]int, args ...string) (url string, masters []*Server) {
	t.Helper()
	for i, slots := range ranges {
		s := clusterServer(t, args...)
		// Masters of one epoch renumber themselves while they answer. A replica that has not heard
		// of its master's new number gets no votes.
		s.do("CLUSTER", "SET-CONFIG-EPOCH", i+1)
		s.do("CLUSTER", "ADDSLOTSRANGE", slots[0], slots[1])
		for _, known := range masters {
			known.meet(s)
		}
		masters = append(masters, s)
	}
	for _, s := range masters {
		client := s.Client()
		s.await("all masters in CLUSTER INFO", func() bool {
			info := client.ClusterInfo(context.Background()).Val()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_slots_ok:16384")
		})
	}
	url = masters[0].URL()
	for i, s := range masters[1:] {
		url += string("?&"[min(i, 1)]) + "addr=" + s.Addr()
	}
	return url, masters
}

// ClusterReplica starts a replica of a master of a cluster. All masters know it at its return.
func ClusterReplica(t testing.TB, masters []*Server, of *Server, args ...string) *Server {
	t.Helper()
	replica := clusterServer(t, args...)
	of.meet(replica)
	id := of.ClusterID()
	client := replica.Client()
	replica.await("its master in CLUSTER NODES", func() bool {
		return client.Do(context.Background(), "CLUSTER", "REPLICATE", id).Err() == nil
	})
	for _, s := range masters { // they vote
		client := s.Client()
		s.await("the replica in CLUSTER NODES", func() bool {
			for line := range strings.Lines(client.ClusterNodes(context.Background()).Val()) {
				if strings.Contains(line, replica.Addr()+"@") && strings.Contains(line, "slave") && strings.Contains(line, " "+id+" ") {
					return true
				}
			}
			return false
		})
	}
	return replica
}

// ClusterID is the server's id in its cluster.
func (s *Server) ClusterID() string {
	s.t.Helper()
	return s.do("CLUSTER", "MYID").(string)
}

// BusPort finds a free port for the bus of a cluster. Redis's default, the server's port plus
// 10,000, may exceed the highest port.
func BusPort(t testing.TB) string {
	t.Helper()
	addr, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// clusterServer starts a server that is the only one of its cluster.
func clusterServer(t testing.TB, args ...string) *Server {
	t.Helper()
	return Real(t, append([]string{"--cluster-enabled", "yes", "--cluster-require-full-coverage", "no", "--cluster-port", BusPort(t)}, args...)...)
}

// meet begins to join two servers to one cluster.
func (s *Server) meet(added *Server) {
	s.t.Helper()
	host, port, _ := net.SplitHostPort(added.Addr())
	bus := added.Client().ConfigGet(context.Background(), "cluster-port").Val()["cluster-port"]
	s.do("CLUSTER", "MEET", host, port, bus)
}

// do sends one command and returns its reply.
func (s *Server) do(command ...any) any {
	s.t.Helper()
	reply, err := s.Client().Do(context.Background(), command...).Result()
	if err != nil {
		s.t.Fatalf("%v: %v", command, err)
	}
	return reply
}

// await waits for a condition of the server.
func (s *Server) await(what string, is func() bool) {
	s.t.Helper()
	for end := time.Now().Add(joined); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: no %s within %v", s.addr, what, joined)
		}
	}
}
