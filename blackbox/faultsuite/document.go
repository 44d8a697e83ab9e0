package faultsuite

import (
	"fmt"
	"regexp"
	"strconv"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// checkDocument checks the document that change sets have made: what its export shows is one more read of each listing,
// its pages are sound, and its history counts every set once.
func (s *Storm) checkDocument() {
	listings := s.listings()
	if len(listings) == 0 {
		return
	}
	exported, err := s.cluster.Command("export", "--store", model.StoreID)
	if err != nil {
		s.violate(history.Violation{Check: "recovery", Text: "the store cannot be exported: " + err.Error()})
		return
	}
	all, err := model.ParseExport(exported)
	if err != nil {
		s.violate(history.Violation{Check: "totals and shape", Text: "the export: " + err.Error()})
		return
	}
	now := s.now()
	for _, r := range listings {
		r.note(history.Op{Command: r.Kind.Read, Request: model.Request{Body: "(the export)"}, Node: len(s.lines), Attempts: 1,
			Call: now, Last: now, Return: s.now(), Outcome: history.Done, Seen: all[r.ID]})
	}
	if out, err := s.cluster.Command("check"); err != nil {
		s.violate(history.Violation{Check: "sound pages", Text: fmt.Sprintf("%v\n%s", err, out)})
	}
	s.checkSets(listings)
}

func (s *Storm) listings() (all []*record) {
	for _, r := range s.records {
		if r.Kind == model.Listings {
			all = append(all, r)
		}
	}
	return all
}

// ofSets is a line of the history of a store that counts change sets.
var ofSets = regexp.MustCompile(`(?m)  key suite(?:, (\d+) changes)?$`)

// checkSets compares the number of sets in the store's history with the answers. A restore may have removed some.
func (s *Storm) checkSets(listings []*record) {
	told, err := s.cluster.Command("history", "--store", model.StoreID)
	if err != nil {
		s.violate(history.Violation{Check: "recovery", Text: "the history cannot be read: " + err.Error()})
		return
	}
	counted := 0
	for _, line := range ofSets.FindAllStringSubmatch(string(told), -1) {
		n, err := strconv.Atoi(line[1])
		if err != nil { // one set has no number
			n = 1
		}
		counted += n
	}
	atLeast, atMost := 0, 0
	for _, r := range listings {
		for _, o := range r.Ops {
			switch {
			case o.Command.Reads || o.Command == r.Kind.Create:
			case o.Outcome == history.Unknown:
				atMost++
			case o.Outcome == history.Done:
				atMost++
				if !s.forgotten(o) {
					atLeast++
				}
			}
		}
	}
	s.sets = counted
	if counted < atLeast || counted > atMost {
		s.violate(history.Violation{Check: "every set in the history", Text: fmt.Sprintf(
			"%d sets are counted, %d were answered and not lost with Redis's tail, %d were sent:\n%s", counted, atLeast, atMost, told)})
	}
}
