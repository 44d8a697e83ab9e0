package faultsuite

import (
	"fmt"
	"net/http"
	"sync"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// classify returns the outcome that an answer proves.
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

// parse reads the record of a success and notes its faults.
func (s *Storm) parse(k *model.Kind, o *history.Op, a answer) (id string, seen model.State) {
	id, seen, err := k.Parse(a.body)
	if err != nil {
		s.violate(history.Violation{Check: "totals and shape", Record: id, Text: err.Error(), Ops: []history.Op{*o}})
	}
	return id, seen
}

// resending is a repetition of an answered command that was not a replay.
type resending struct {
	record *record
	first  history.Op
	ops    []history.Op
}

// notReplayed keeps the resending until the end, when the restores are known.
func (s *Storm) notReplayed(r *record, first history.Op, ops []history.Op) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resendings = append(s.resendings, resending{r, first, ops})
}

// judgeResendings notes the effects of resendings. Unless a restore may have removed the first
// answer from Redis, a resending must be a replay without an effect.
func (s *Storm) judgeResendings() {
	for _, a := range s.resendings {
		if s.forgotten(a.first) {
			a.record.note(a.ops...)
			continue
		}
		if o := a.ops[0]; o.Outcome == history.Done || o.Outcome == history.Refused {
			s.violate(history.Violation{
				Check: "exactly once on retry", Record: a.record.ID, Text: "was answered, and its repetition was not replayed:",
				Ops: []history.Op{a.first, o},
			})
		}
	}
}

// forgotten reports whether a restore may have removed the answer of o from Redis.
func (s *Storm) forgotten(o history.Op) bool {
	for _, r := range s.restores {
		if o.Return >= r.From && o.Last < r.Up {
			return true
		}
	}
	return false
}

// tally counts the requests and the answers of clients.
type tally struct {
	mu       sync.Mutex
	requests int
	statuses map[int]int // 0 if no answer came
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

// unknown counts the requests with an unknown outcome.
func (t *tally) unknown() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.statuses[0] + t.statuses[http.StatusGatewayTimeout]
}
