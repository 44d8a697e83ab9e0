package configurator

import (
	"slices"

	"cartd/commerce"
)

// pick judges the choices and returns the places of those that there are, in the
// document's order, each once; a list that was none is not judged any further.
func (e *Engine) pick(s *commerce.Selection, found *faults) []int {
	if s.NoList {
		return nil
	}
	picked := make([]int, 0, len(s.Choices))
	for _, id := range s.Choices {
		if at, ok := e.choice[id]; ok {
			picked = append(picked, at)
		}
	}
	unknown := len(picked) < len(s.Choices)
	slices.Sort(picked)
	picked = slices.Compact(picked)
	if unknown || e.incomplete(picked) {
		e.judgeChoices(s.Choices, picked, found)
	}
	e.judgeGroups(picked, found)
	return picked
}

func holds(picked []int, place int) bool {
	_, ok := slices.BinarySearch(picked, place)
	return ok
}

func holdsAll(picked, places []int) bool {
	for _, place := range places {
		if !holds(picked, place) {
			return false
		}
	}
	return true
}

// incomplete reports whether a choice was picked without another that it requires.
func (e *Engine) incomplete(picked []int) bool {
	for _, at := range picked {
		if !holdsAll(picked, e.choices[at].requires) {
			return true
		}
	}
	return false
}

// judgeChoices reports what is wrong with single choices, in the order sent.
func (e *Engine) judgeChoices(sent []string, picked []int, found *faults) {
	for _, id := range distinct(sent) {
		at, ok := e.choice[id]
		if !ok {
			found.add("choices."+id, commerce.MsgChoiceUnavailable())
			continue
		}
		var messages []string
		for _, required := range e.choices[at].requires {
			if !holds(picked, required) {
				messages = append(messages, commerce.MsgChoiceRequires(e.choices[at].Label, e.choices[required].Label))
			}
		}
		if messages != nil {
			found.add("choices."+id, distinct(messages)...)
		}
	}
}

// judgeGroups reports the groups that hold too few or too many, in the document's
// order. What was picked stands in that order too.
func (e *Engine) judgeGroups(picked []int, found *faults) {
	var messages []string
	for i := range e.groups {
		g := &e.groups[i]
		taken := 0
		for taken < len(picked) && picked[taken] < g.end {
			taken++
		}
		picked = picked[taken:]
		switch {
		case taken == 0 && g.Required:
			messages = append(messages, commerce.MsgChooseOption(g.Label))
		case taken > 1 && !g.Multiple:
			messages = append(messages, commerce.MsgChooseOne(g.Label))
		}
	}
	if messages != nil {
		found.add("choices", distinct(messages)...)
	}
}
