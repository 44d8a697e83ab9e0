package embedded

import (
	"time"

	"github.com/alicebob/miniredis/v2"
)

// Server is a Redis inside the process. Its data is lost when the process ends.
type Server struct {
	server *miniredis.Miniredis
	stop   chan struct{}
}

// Start starts a server on a free loopback port.
func Start() (*Server, error) {
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		return nil, err
	}
	e := &Server{server: server, stop: make(chan struct{})}
	go e.age()
	return e, nil
}

// URL is the server's address.
func (e *Server) URL() string { return "redis://" + e.server.Addr() }

// SetTime stops the server's clock at a time; the zero time lets it go with that of the machine.
func (e *Server) SetTime(now time.Time) { e.server.SetTime(now) }

// Close ends the server.
func (e *Server) Close() {
	close(e.stop)
	e.server.Close()
}

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
