package persistence

import (
	"time"

	"github.com/alicebob/miniredis/v2"
)

// Embedded is a Redis inside the process, for trying cartd out: nothing in it
// survives the process.
type Embedded struct {
	server *miniredis.Miniredis
	stop   chan struct{}
}

// ttlTick is how often embedded keys grow older: miniredis does not do it by itself.
const ttlTick = 250 * time.Millisecond

// StartEmbedded starts it on a free loopback port.
func StartEmbedded() (*Embedded, error) {
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		return nil, err
	}
	e := &Embedded{server: server, stop: make(chan struct{})}
	go e.age()
	return e, nil
}

// URL is where it listens.
func (e *Embedded) URL() string { return "redis://" + e.server.Addr() }

// Close ends it.
func (e *Embedded) Close() {
	close(e.stop)
	e.server.Close()
}

func (e *Embedded) age() {
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
