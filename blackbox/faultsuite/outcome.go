package faultsuite

import (
	"fmt"
	"net/http"
	"sync"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// classify says what a client knows after an answer.
func (s *Storm) classify(c *model.Command, a answer) history.Outcome {
	switch {
	case a.status == 0, a.status == http.StatusGatewayTimeout:
		return history.Unknown
	case a.status == c.Status:
		return history.Done
	case a.status == http.StatusServiceUnavailable, a.status == http.StatusTooManyRequests:
		return history.Nothing
	case a.status >= 400 && a.status < 500:
		return history.Refused
	}
	s.violate(history.Violation{Check: "statuses", Text: fmt.Sprintf("%s was answered %d: %s", c.Name, a.status, a.body)})
	return history.Unknown
}

// parse reads the record that a success shows, and notes what does not add up.
func (s *Storm) parse(k *model.Kind, o *history.Op, a answer) (id string, seen model.State) {
	id, seen, err := k.Parse(a.body)
	if err != nil {
		s.violate(history.Violation{Check: "totals and shape", Record: id, Text: err.Error(), Ops: []history.Op{*o}})
	}
	return id, seen
}

// again is a settled command that was sent once more and was not replayed.
type again struct {
	record *record
	first  history.Op
	ops    []history.Op
}

// notReplayed keeps a resent command for the end, when the restores are known.
func (s *Storm) notReplayed(r *record, first history.Op, ops []history.Op) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agains = append(s.agains, again{r, first, ops})
}

// judgeAgains notes what resent commands may have done. Where no restore can have
// taken their first answer away, they must not have done anything, and an answer
// has to be a replay.
func (s *Storm) judgeAgains() {
	for _, a := range s.agains {
		if s.forgotten(a.first) {
			a.record.note(a.ops...)
			continue
		}
		if o := a.ops[0]; o.Outcome == history.Done || o.Outcome == history.Refused {
			s.violate(history.Violation{
				Check: "exactly once on retry", Record: a.record.ID, Text: "was settled, and when it was sent again not replayed:",
				Ops: []history.Op{a.first, o},
			})
		}
	}
}

// forgotten reports whether a restore may have taken away that o was answered.
func (s *Storm) forgotten(o history.Op) bool {
	for _, r := range s.restores {
		if o.Return >= r.From && o.Last < r.Up {
			return true
		}
	}
	return false
}

// tally counts what clients sent and got.
type tally struct {
	mu       sync.Mutex
	requests int
	statuses map[int]int // 0: no answer
	replays  int
}

func (t *tally) count(a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	t.statuses[a.status]++
	if a.replayed {
		t.replays++
	}
}

func (t *tally) total() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// unknown counts the requests whose outcome their clients did not know.
func (t *tally) unknown() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.statuses[0] + t.statuses[http.StatusGatewayTimeout]
}
