package faultsuite

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// record is one record in use: its history, and what clients know of it.
type record struct {
	history.Record
	path  string
	token string // of every request on it; empty: none

	mu      sync.Mutex
	seen    model.State // in the answer that came last
	asked   int
	unknown int
	over    bool
}

// mostUnknown is after how many unknown outcomes a record is left alone: each
// doubles the orders that may explain its answers.
const mostUnknown = 5

// note adds an operation to the record's history.
func (r *record) note(ops ...history.Op) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range ops {
		r.Ops = append(r.Ops, o)
		switch o.Outcome {
		case history.Unknown:
			r.unknown++
		case history.Refused: // only a record that is gone refuses to be read
			r.over = r.over || o.Command.Reads
		case history.Nothing:
			continue
		}
		r.asked++
		if o.Seen != nil {
			r.seen = o.Seen
		}
	}
	r.over = r.over || r.asked >= r.Kind.MaxCommands || r.unknown >= mostUnknown
}

// as is a request with the record's own token.
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

// slot holds the record that a share of the commands goes to; a used-up one is
// replaced by whoever finds it so.
type slot struct {
	kind   *model.Kind
	record atomic.Pointer[record]
	making atomic.Bool
}

// newSlots shares n slots among the kinds by weight, at least one each.
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

// pick chooses a slot. Its record is nil where the caller has to make one, and to
// put it in with fill; the slot is nil where others are making all there is.
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

// fill ends the making of a record; nil: it came to nothing.
func (s *slot) fill(r *record) {
	if r != nil {
		s.record.Store(r)
	}
	s.making.Store(false)
}
