package embedded

import "time"

// ttlTick is how often embedded keys grow older: miniredis does not do it by itself.
const ttlTick = 250 * time.Millisecond

// age lets keys expire until the server is closed.
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
