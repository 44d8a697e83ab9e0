package configurator

import "cartd/commerce"

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
