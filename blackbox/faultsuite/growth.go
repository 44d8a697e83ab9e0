package faultsuite

import (
	"fmt"
	"net/http"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// The maximum growth of a node in a storm, compared with a fresh node after a few requests.
const (
	// moreFiles is a full pool of connections to Redis, with a margin.
	moreFiles = 24
	// moreMemory is for buffers, pools and memory that the heap has not returned yet.
	moreMemory = 96 << 20
	// moreMemoryRecord is for each record of the run, because a node may have all of them in
	// memory.
	moreMemoryRecord = 4 << 10
	// calmWithin is the maximum time until closed connections are gone.
	calmWithin = 15 * time.Second
)

// checkFootprints compares memory and open files of every node with a fresh one's.
func (s *Storm) checkFootprints() {
	for _, l := range s.lines {
		l.close()
	}
	fresh := s.freshNode()
	base, err := fresh.Footprint()
	if err != nil {
		s.violate(history.Violation{Check: "growth", Text: err.Error()})
		return
	}
	memory := base.Resident + moreMemory + int64(len(s.records))*moreMemoryRecord
	for _, n := range s.cluster.Nodes {
		now, err := s.whenCalm(n, base.Files+moreFiles)
		if err != nil || now.Files > base.Files+moreFiles || now.Resident > memory {
			s.violate(history.Violation{Check: "growth", Text: fmt.Sprintf(
				"node %d has %d files open and %d MiB resident, a fresh one %d and %d (%v)",
				n.Index, now.Files, now.Resident>>20, base.Files, base.Resident>>20, err)})
		}
		s.footprints = append(s.footprints, now)
	}
	s.freshFootprint = base
}

// freshNode starts a node and sends it a few requests.
func (s *Storm) freshNode() *cluster.Node {
	n := s.cluster.Fresh()
	l := &line{where: n.Addr}
	defer l.close()
	for range 50 {
		l.send(model.StoreKey, model.Carts.Collection, model.Request{Method: http.MethodPost}, "")
	}
	s.fresh = n
	return n
}

// whenCalm reads a node's footprint until few enough files are open, for a limited time.
func (s *Storm) whenCalm(n *cluster.Node, files int) (cluster.Footprint, error) {
	for until := s.now() + calmWithin; ; s.pause(50 * ms) {
		now, err := n.Footprint()
		if err != nil || now.Files <= files || s.now() > until {
			return now, err
		}
	}
}

// checkGoroutines ends all nodes and compares their goroutines with those of a fresh node, function
// by function. A connection's goroutine may outlive the connection for a while, so one for each
// client is no growth.
func (s *Storm) checkGoroutines() {
	base, more := s.fresh.Goroutines(), s.Workers+probes
	for _, n := range s.cluster.Nodes {
		if grown := cluster.Outgrown(base, n.Goroutines(), more); grown != "" {
			s.violate(history.Violation{Check: "growth", Text: fmt.Sprintf("node %d has more goroutines: %s", n.Index, grown)})
		}
	}
}
