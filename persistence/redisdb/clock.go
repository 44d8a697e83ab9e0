package redisdb

import (
	"context"
	"embed"
	"sync"
	"time"
)

// differenceKept is how long a difference of the clocks is shown, at least, unless a larger one follows: a
// reading of metrics that comes some seconds after a short jump sees it, too.
const differenceKept = time.Minute

// masterClock compares the clocks of the masters with that of the node.
type masterClock struct {
	mu sync.Mutex
	// ahead is the largest difference lately; at is when it was heard.
	ahead time.Duration
	at    time.Time
}

// hear takes the time that a master has told between two moments. The way takes up to the whole time
// between them, so the difference is known to half of that; it counts as small as it may be.
func (m *masterClock) hear(told, sent, received time.Time) {
	way := received.Sub(sent)
	ahead := told.Sub(sent.Round(0).Add(way / 2)) // Round: by the wall clock
	switch {
	case ahead > way/2:
		ahead -= way / 2
	case ahead < -way/2:
		ahead += way / 2
	default:
		ahead = 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if ahead.Abs() >= m.ahead.Abs() || received.Sub(m.at) > differenceKept {
		m.ahead, m.at = ahead, received
	}
}

// ClockAhead is how far the clock of a master is ahead of the node's, or behind it (negative): the largest
// difference of the last minute.
func (c *Client) ClockAhead() time.Duration {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return c.clock.ahead
}

//go:embed now.lua
var scriptFiles embed.FS

var nowScript = NewScript(scriptFiles, "now")

// Now returns the time of a key's Redis, and the key's value. Errors: ErrCorrupt, or the error
// of the call.
func (c *Client) Now(ctx context.Context, key string) (now time.Time, value string, err error) {
	reply, err := nowScript.Run(ctx, c.Redis, []string{key}).Slice()
	if err != nil {
		return now, "", err
	}
	if len(reply) != 2 {
		return now, "", ErrCorrupt
	}
	micros, ok := reply[0].(int64)
	value, alsoOK := reply[1].(string)
	if !ok || !alsoOK {
		return now, "", ErrCorrupt
	}
	return time.UnixMicro(micros).UTC(), value, nil
}

// NowCall reads the time of a key's Redis as a call that costs a trip and changes nothing.
func NowCall(key string) Call { return Call{Script: nowScript, Keys: []string{key}} }
