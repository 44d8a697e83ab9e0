package configurator

import (
	"slices"

	"cartd/commerce"
)

// measure judges the dimensions and returns them in the document's order. If the request had no map
// of dimensions, measure judges nothing, and of a map in which more are unknown than the product has only
// that.
func (e *Engine) measure(s *commerce.Selection, found *faults) []int64 {
	if s.NoMap {
		return nil
	}
	all := e.offered.Dimensions
	sent := make([]*commerce.Measure, len(all))
	var unknown []string
	for i := range s.Dimensions {
		if at, ok := e.dimension[s.Dimensions[i].Key]; ok {
			sent[at] = &s.Dimensions[i]
		} else {
			unknown = append(unknown, s.Dimensions[i].Key)
		}
	}
	if unknown = distinct(unknown); len(unknown) > len(all) {
		found.add("dimensions", commerce.MsgMaxItems("dimensions", len(all)))
		return nil
	}
	sizes := make([]int64, len(all))
	for i := range all {
		if message, refused := judge(&all[i], sent[i]); refused {
			found.add("dimensions."+all[i].Key, message)
		} else {
			sizes[i] = sent[i].Value
		}
	}
	for _, key := range unknown {
		found.add("dimensions."+key, commerce.MsgDimensionUnknown())
	}
	return sizes
}

// judge returns the first error of a dimension; false if it has none. Steps are counted from the
// minimum, so only a value within the range is judged by its step.
func judge(d *commerce.Dimension, sent *commerce.Measure) (commerce.Message, bool) {
	switch {
	case sent == nil:
		return commerce.MsgDimensionRequired(d.Label), true
	case !sent.Whole:
		return commerce.MsgDimensionWhole(d.Label), true
	case sent.Value < d.Min:
		return commerce.MsgDimensionMin(d.Label, d.Min), true
	case sent.Value > d.Max:
		return commerce.MsgDimensionMax(d.Label, d.Max), true
	case (sent.Value-d.Min)%d.Step != 0:
		return commerce.MsgDimensionStep(d.Label, d.Step), true
	}
	return commerce.Message{}, false
}

// fewChoices is the number of unknown choices that are refused one by one for every product.
const fewChoices = 20

// pick judges the choices and returns the indexes of the known ones, sorted and without repeats. If
// the request had no list of choices, pick judges nothing, and of a list in which more are unknown than
// the product has only that.
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
		sent := distinct(s.Choices)
		if most := max(len(e.choices), fewChoices); len(sent)-len(picked) > most {
			found.add("choices", commerce.MsgMaxItems("choices", most))
			return picked
		}
		e.judgeChoices(sent, picked, found)
	}
	e.judgeGroups(picked, found)
	return picked
}

func contains(picked []int, index int) bool {
	_, ok := slices.BinarySearch(picked, index)
	return ok
}

func containsAll(picked, indexes []int) bool {
	for _, index := range indexes {
		if !contains(picked, index) {
			return false
		}
	}
	return true
}

// incomplete reports whether a picked choice requires one that was not picked.
func (e *Engine) incomplete(picked []int) bool {
	for _, at := range picked {
		if !containsAll(picked, e.choices[at].requires) {
			return true
		}
	}
	return false
}

// judgeChoices adds the errors of single choices, in the order sent, each once.
func (e *Engine) judgeChoices(sent []string, picked []int, found *faults) {
	for _, id := range sent {
		at, ok := e.choice[id]
		if !ok {
			found.add("choices."+id, commerce.MsgChoiceUnavailable())
			continue
		}
		var messages []commerce.Message
		for _, required := range e.choices[at].requires {
			if !contains(picked, required) {
				messages = append(messages, commerce.MsgChoiceRequires(e.choices[at].Label, e.choices[required].Label))
			}
		}
		if messages != nil {
			found.add("choices."+id, distinct(messages)...)
		}
	}
}

// judgeGroups adds the errors of groups with too few or too many choices, in the document's order.
// picked is in that order too.
func (e *Engine) judgeGroups(picked []int, found *faults) {
	var messages []commerce.Message
	for i := range e.groups {
		g := &e.groups[i]
		chosen := 0
		for chosen < len(picked) && picked[chosen] < g.end {
			chosen++
		}
		picked = picked[chosen:]
		switch {
		case chosen == 0 && g.Required:
			messages = append(messages, commerce.MsgChooseOption(g.Label))
		case chosen > 1 && !g.Multiple:
			messages = append(messages, commerce.MsgChooseOne(g.Label))
		}
	}
	if messages != nil {
		found.add("choices", distinct(messages)...)
	}
}
