package cluster

import (
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Proxy stands between one node and Redis. Its Weather makes it fail.
type Proxy struct {
	listener net.Listener
	target   string

	mu      sync.Mutex
	dice    *rand.Rand
	weather Weather
	healed  chan struct{} // closed when the weather ends
	links   map[*link]struct{}
}

// Weather is the way a proxy fails. With the zero Weather it does not fail.
type Weather struct {
	// Cut closes every connection, and new ones at once.
	Cut bool
	// Hole swallows the bytes of both sides. A connection that lost bytes is closed when the
	// weather ends.
	Hole bool
	// Hold keeps the bytes of both sides until the weather ends, then delivers them, even those of
	// a side that has hung up since.
	Hold bool
	// Delay is the maximum time for which each piece is held back.
	Delay time.Duration
	// Drop is the share of Redis's replies that never arrive. Redis has done their commands; the
	// connection closes instead.
	Drop float64
}

func newProxy(target string, seed uint64) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		listener: listener, target: target, dice: rand.New(rand.NewPCG(seed, 1)),
		healed: make(chan struct{}), links: map[*link]struct{}{},
	}
	close(p.healed)
	go p.accept()
	return p, nil
}

func (p *Proxy) url() string { return "redis://" + p.listener.Addr().String() + "/0" }

// Set changes the weather.
func (p *Proxy) Set(w Weather) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	p.weather = w
	if w == (Weather{}) {
		return
	}
	p.healed = make(chan struct{})
	if w.Cut {
		for l := range p.links {
			l.close()
		}
	}
}

// Heal ends the weather.
func (p *Proxy) Heal() { p.Set(Weather{}) }

// end releases the pieces that the weather held back. The caller holds the lock.
func (p *Proxy) end() {
	if p.weather != (Weather{}) {
		close(p.healed)
	}
	for l := range p.links {
		if l.lossy {
			l.close()
		}
	}
}

func (p *Proxy) close() {
	p.listener.Close()
	p.Set(Weather{Cut: true})
	p.Heal()
}

func (p *Proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.connect(near)
	}
}

func (p *Proxy) connect(near net.Conn) {
	far, err := net.Dial("tcp", p.target)
	if err != nil {
		near.Close()
		return
	}
	l := &link{proxy: p, near: near, far: far}
	p.mu.Lock()
	cut := p.weather.Cut
	if !cut {
		p.links[l] = struct{}{}
	}
	p.mu.Unlock()
	if cut {
		l.close()
		return
	}
	go l.requests()
	go l.replies()
}

// fate is the treatment of one piece.
type fate struct {
	swallowed bool // the connection stays open
	broken    bool // the connection closes
	wait      time.Duration
	until     <-chan struct{}
}

// fate decides on a piece that was just read.
func (p *Proxy) fate(l *link, reply bool) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.weather
	switch {
	case w.Hole:
		l.lossy = true
		return fate{swallowed: true}
	case w.Hold:
		return fate{until: p.healed}
	case w.Delay > 0:
		return fate{wait: time.Duration(p.dice.Int64N(int64(w.Delay)))}
	case reply && w.Drop > 0 && p.dice.Float64() < w.Drop:
		return fate{broken: true}
	}
	return fate{}
}
