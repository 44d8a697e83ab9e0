package cluster

import (
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Proxy stands between one node and Redis and fails as it is told to.
type Proxy struct {
	listener net.Listener
	target   string

	mu      sync.Mutex
	dice    *rand.Rand
	weather Weather
	healed  chan struct{} // closed when the weather ends
	links   map[*link]struct{}
}

// Weather is how a proxy fails. The zero Weather does not.
type Weather struct {
	// Cut closes every connection, and new ones at once.
	Cut bool
	// Hole swallows what either side sends; connections that lost something are
	// closed when the weather ends.
	Hole bool
	// Hold keeps back what either side sends until the weather ends, then delivers
	// it, also for a side that has hung up since.
	Hold bool
	// Delay holds every piece back for up to this long.
	Delay time.Duration
	// Drop is the part of Redis's replies that never arrive: what they answer went
	// through, and the connection closes instead.
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

// end lets go of what the weather held back. The lock is held.
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

// fate is what happens to one piece.
type fate struct {
	swallowed bool // and the connection stays
	broken    bool // and the connection closes
	wait      time.Duration
	until     <-chan struct{}
}

// fate decides on a piece that has just been read.
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
