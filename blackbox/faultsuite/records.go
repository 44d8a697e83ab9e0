package faultsuite

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// record is one record in use: its history, and the clients' knowledge of it.
type record struct {
	history.Record
	path  string
	token string // of every request on it; empty if it has none

	mu      sync.Mutex
	seen    model.State // in the latest answer
	asked   int
	unknown int
	over    bool
}

// maxUnknown is the number of unknown outcomes after which clients leave a record alone: each
// doubles the number of orders that may explain the answers.
const maxUnknown = 5

// note adds an operation to the record's history.
func (r *record) note(ops ...history.Op) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range ops {
		r.Ops = append(r.Ops, o)
		switch o.Outcome {
		case history.Unknown:
			r.unknown++
		case history.Refused: // only a record that is gone refuses a read
			r.over = r.over || o.Command.Reads
		case history.Nothing:
			continue
		}
		r.asked++
		if o.Seen != nil {
			r.seen = o.Seen
		}
	}
	r.over = r.over || r.asked >= r.Kind.MaxCommands || r.unknown >= maxUnknown
}

// as is the request with the record's own token.
func (r *record) as(request model.Request) model.Request {
	request.Token = r.token
	return request
}

func (r *record) last() model.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

func (r *record) usedUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// slot holds the record that gets a share of the commands. The client that finds it used up
// replaces it.
type slot struct {
	kind   *model.Kind
	record atomic.Pointer[record]
	making atomic.Bool
}

// newSlots shares n slots among the kinds by weight, with at least one for each.
func newSlots(kinds []*model.Kind, n int) []*slot {
	total := 0
	for _, k := range kinds {
		total += k.Weight
	}
	var slots []*slot
	for _, k := range kinds {
		for range max(1, n*k.Weight/total) {
			slots = append(slots, &slot{kind: k})
		}
	}
	return slots
}

// pick chooses a slot. If its record is nil, the caller has to make one and put it in with fill.
// The slot is nil if other clients are making all missing records.
func pick(slots []*slot, dice *rand.Rand) (*slot, *record) {
	for range slots {
		s := slots[dice.IntN(len(slots))]
		if r := s.record.Load(); r != nil && !r.usedUp() {
			return s, r
		}
		if s.making.CompareAndSwap(false, true) {
			return s, nil
		}
	}
	return nil, nil
}

// fill ends the making of a record; nil if it failed.
func (s *slot) fill(r *record) {
	if r != nil {
		s.record.Store(r)
	}
	s.making.Store(false)
}
