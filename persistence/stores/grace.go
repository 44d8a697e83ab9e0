package stores

import "time"

const (
	// A node may serve old settings for LargeGrace if the new ones have more than LargeStore
	// bytes packed, else for Grace.
	LargeStore = 1 << 20
	Grace      = time.Second
	LargeGrace = 5 * time.Second
)

// Grace is the time for which a node may serve older settings than this head's.
func (h *Head) Grace() time.Duration {
	if h.Size > LargeStore {
		return LargeGrace
	}
	return Grace
}

// lags reports whether the settings are older than the head's grace allows.
func (l *Loaded) lags(now time.Time) bool {
	return l.revision != l.Head.Revision && now.Sub(l.Head.Moved) > l.Head.Grace()
}
