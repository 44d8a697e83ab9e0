package faultsuite

import (
	"fmt"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/history"
)

// Fault is one row: a failure under load. It is over when Run returns.
type Fault struct {
	Name string
	// Weight is its frequency relative to the other faults.
	Weight int
	// Early: only in the first half of a run, so that the second half shows the growth of a node
	// that was not restarted.
	Early bool
	Run   func(s *Storm)
}

const ms = time.Millisecond

// Faults are all faults of the suite.
var Faults = []Fault{
	{Name: "node killed", Weight: 3, Run: func(s *Storm) {
		n := s.killable()
		n.Kill()
		s.wait(0, 300*ms)
		n.Start()
	}},
	{Name: "node stopped", Weight: 3, Run: func(s *Storm) {
		n := s.anyNode()
		n.Pause()
		s.wait(100*ms, 1500*ms)
		n.Resume()
	}},
	{Name: "Redis killed", Weight: 3, Run: func(s *Storm) {
		s.cluster.Redis.Kill()
		s.wait(0, 300*ms)
		s.cluster.Redis.Restart()
	}},
	{Name: "Redis stopped", Weight: 2, Run: func(s *Storm) {
		s.cluster.Redis.Pause()
		s.wait(100*ms, 900*ms)
		s.cluster.Redis.Resume()
	}},
	{Name: "node and Redis killed", Weight: 1, Run: func(s *Storm) {
		n := s.killable()
		s.cluster.Redis.Kill()
		n.Kill()
		s.cluster.Redis.Restart()
		n.Start()
	}},
	{Name: "connections cut", Weight: 3, Run: weather(50*ms, 400*ms, cluster.Weather{Cut: true})},
	{Name: "bytes swallowed", Weight: 2, Run: weather(200*ms, 900*ms, cluster.Weather{Hole: true})},
	{Name: "bytes held back", Weight: 3, Run: weather(200*ms, 900*ms, cluster.Weather{Hold: true})},
	{Name: "bytes delayed", Weight: 2, Run: weather(300*ms, 900*ms, cluster.Weather{Delay: 60 * ms})},
	{Name: "replies dropped", Weight: 4, Run: weather(300*ms, 900*ms, cluster.Weather{Drop: 0.15})},
	{Name: "tail lost", Weight: 2, Run: loseTail},
	{Name: "rolling restart", Weight: 1, Early: true, Run: rollingRestart},
}

// weather makes the connections of one node or of all nodes to Redis fail for a while.
func weather(shortest, longest time.Duration, w cluster.Weather) func(*Storm) {
	return func(s *Storm) {
		hit := s.cluster.Nodes
		if s.dice.IntN(2) == 0 {
			hit = []*cluster.Node{s.anyNode()}
		}
		for _, n := range hit {
			n.Proxy.Set(w)
		}
		s.wait(shortest, longest)
		for _, n := range hit {
			n.Proxy.Heal()
		}
	}
}

// loseTail sets Redis back to an older copy of its files.
func loseTail(s *Storm) {
	r := history.Restore{From: s.now()}
	backup := s.cluster.Redis.Backup()
	r.To = s.now()
	s.wait(200*ms, 800*ms)
	r.Down = s.now()
	s.cluster.Redis.Restore(backup)
	r.Up = s.now()
	s.restores = append(s.restores, r)
}

// rollingRestart restarts one node after another, as a deployment does.
func rollingRestart(s *Storm) {
	for _, n := range s.cluster.Nodes {
		if code, took := n.Terminate(); code != 0 {
			s.violate(history.Violation{
				Check: "graceful stop", Text: fmt.Sprintf("node %d: exit status %d, %v after SIGTERM", n.Index, code, took),
			})
		}
		n.Start()
	}
}

// anyNode picks a node.
func (s *Storm) anyNode() *cluster.Node { return s.cluster.Nodes[s.dice.IntN(len(s.cluster.Nodes))] }

// killable picks a node that may be killed: any but the first, whose growth is measured at the end.
func (s *Storm) killable() *cluster.Node {
	return s.cluster.Nodes[1+s.dice.IntN(len(s.cluster.Nodes)-1)]
}

// wait waits for a random time.
func (s *Storm) wait(shortest, longest time.Duration) {
	s.pause(shortest + time.Duration(s.dice.Int64N(int64(longest-shortest))))
}
