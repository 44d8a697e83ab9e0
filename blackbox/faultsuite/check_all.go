package faultsuite

import (
	"sync"
	"time"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

const (
	// lastDeadline is the time after which a node has given up every request (nodeFlags), with a
	// margin for a busy machine.
	lastDeadline = 2000 * ms
	// readers is the number of goroutines that read the records at the end.
	readers = 16
	// window is that of the request limit. Spec: Limits.
	window = time.Minute
)

// checkAll waits until no request is under way, reads every record from every node and checks the
// histories.
func (s *Storm) checkAll() {
	s.judgeResendings()
	if s.tally.unknown() > 0 {
		s.pause(lastDeadline)
	}
	if s.Growth {
		s.checkFootprints()
	}
	s.readAll()
	s.checkAccounts()
	s.checkStock()
	s.checkMade()
	s.checkDocument()
	found := history.Check(s.histories(), s.restores)
	s.violate(found.Violations...)
	s.violate(found.Undecided...)
	s.violate(history.Budget(s.limit.accepted, model.NarrowLimit, window, s.restores)...)
	if s.Growth {
		s.checkGoroutines()
	}
}

func (s *Storm) histories() []*history.Record {
	all := make([]*history.Record, len(s.records))
	for i, r := range s.records {
		all[i] = &r.Record
	}
	return all
}

// readAll reads every record from every node. All have to show the same. The reads end the record's
// history.
func (s *Storm) readAll() {
	var all sync.WaitGroup
	next := make(chan *record)
	for range readers {
		all.Go(func() {
			for r := range next {
				s.readEverywhere(r)
			}
		})
	}
	for _, r := range s.records {
		next <- r
	}
	close(next)
	all.Wait()
}

func (s *Storm) readEverywhere(r *record) {
	ops := make([]history.Op, len(s.lines))
	for i := range s.lines {
		ops[i] = s.readFrom(i, r)
	}
	r.note(ops...)
	s.violate(history.Agree(r.ID, ops)...)
}

// readFrom reads a record from one idle node. A reason for an error has to pass soon.
func (s *Storm) readFrom(node int, r *record) history.Op {
	request, _ := r.Kind.Read.Make(nil, r.last()) // a read makes no random choice
	request = r.as(request)
	o := history.Op{Command: r.Kind.Read, Request: request, Node: node}
	for until := s.now() + answerWithin; ; s.pause(retryPause) {
		o.Attempts++
		o.Call = s.now()
		a := s.lines[node].send(model.StoreKey, r.path, request, "")
		s.tally.count(a)
		o.Last, o.Return, o.Status, o.Version = o.Call, s.now(), a.status, a.version
		switch o.Outcome = s.classify(r.Kind.Read, a); {
		case o.Outcome == history.Done:
			_, o.Seen = s.parse(r.Kind, &o, a)
			return o
		case o.Outcome == history.Refused:
			return o
		case s.now() > until:
			s.violate(history.Violation{Check: "recovery", Record: r.ID, Text: "cannot be read after the faults:", Ops: []history.Op{o}})
			return o
		}
	}
}
