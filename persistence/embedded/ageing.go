package embedded

import "time"

// ttlTick is the pause between two steps of embedded keys' ageing. miniredis does not age keys
// by itself.
const ttlTick = 250 * time.Millisecond

// age expires keys until the server is closed.
func (e *Server) age() {
	tick := time.NewTicker(ttlTick)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-e.stop:
			return
		case now := <-tick.C:
			e.server.FastForward(now.Sub(last))
			last = now
		}
	}
}
