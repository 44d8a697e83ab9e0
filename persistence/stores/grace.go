package stores

import "time"

const (
	// A node may serve old settings for largeGrace if the new ones have more than largeStore
	// bytes packed, else for grace.
	largeStore = 1 << 20
	grace      = time.Second
	largeGrace = 5 * time.Second
)

// grace is the time for which a node may serve older settings than this head's.
func (h *Head) grace() time.Duration {
	if h.Size > largeStore {
		return largeGrace
	}
	return grace
}

// lags reports whether the settings are older than the head's grace allows.
func (l *Loaded) lags(now time.Time) bool {
	return l.revision != l.Head.Revision && now.Sub(l.Head.Moved) > l.Head.grace()
}
