package history

import (
	"fmt"
	"slices"
	"time"
)

// Span is one accepted request: from its call to its answer.
type Span struct{ Call, Return time.Duration }

// Budget checks that in no window of time more requests were accepted than the
// limit. A request counts in a window where all of it lies in the window. Redis's
// memory of what it accepted begins anew with a restore.
func Budget(accepted []Span, limit int, window time.Duration, restores []Restore) []Violation {
	slices.SortFunc(accepted, func(a, b Span) int { return int(a.Call - b.Call) })
	for i, first := range accepted {
		end := min(first.Call+window, memoryEnds(first.Call, restores))
		n := 0
		for _, s := range accepted[i:] {
			if s.Call > end {
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

// memoryEnds is when the Redis that counted a request is set back to a moment
// before it.
func memoryEnds(call time.Duration, restores []Restore) time.Duration {
	for _, r := range restores {
		if call < r.Up {
			if call >= r.From {
				return min(r.Down, Open)
			}
			return r.From // what came before the file's moment is remembered, not what came after it
		}
	}
	return Open
}
