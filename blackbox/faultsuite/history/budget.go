package history

import (
	"fmt"
	"slices"
	"time"
)

// Span is one accepted request, from its call to its answer.
type Span struct{ Call, Return time.Duration }

// Budget checks that no window of time has more accepted requests than the limit. A request counts
// in a window only if all of it lies in the window. It never counts if a restore may have removed
// it from Redis. Spec: Limits, Request rate.
func Budget(accepted []Span, limit int, window time.Duration, restores []Restore) []Violation {
	remembered := slices.DeleteFunc(slices.Clone(accepted), func(s Span) bool {
		return slices.ContainsFunc(restores, func(r Restore) bool { return s.Return >= r.From && s.Call < r.Up })
	})
	slices.SortFunc(remembered, func(a, b Span) int { return int(a.Call - b.Call) })
	for i, first := range remembered {
		end, n := first.Call+window, 0
		for _, s := range remembered[i:] {
			if s.Call >= end {
				break
			}
			if s.Return < end {
				n++
			}
		}
		if n > limit {
			return []Violation{{
				Check: "the request limit",
				Text:  fmt.Sprintf("%d requests were accepted between %v and %v, the limit is %d", n, first.Call, end, limit),
			}}
		}
	}
	return nil
}
