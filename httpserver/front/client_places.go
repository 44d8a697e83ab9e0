package front

import (
	"net/netip"
	"sync"
	"time"
)

// clientPlaces bounds the unfinished bodies of each client, so that one client cannot take a store's
// memory for bodies. The zero value is ready.
type clientPlaces struct {
	mu sync.Mutex
	of map[netip.Prefix]*clientPlace
}

// clientPlace has an entry in taken for each unfinished body. users also counts those that wait.
type clientPlace struct {
	taken chan struct{}
	users int
}

// enter takes one of a client's places, and waits for it until a time. It returns false if none became
// free.
func (p *clientPlaces) enter(client netip.Prefix, places int, until time.Time) bool {
	p.mu.Lock()
	own := p.of[client]
	if own == nil {
		if p.of == nil {
			p.of = map[netip.Prefix]*clientPlace{}
		}
		own = &clientPlace{taken: make(chan struct{}, places)}
		p.of[client] = own
	}
	own.users++
	p.mu.Unlock()
	select {
	case own.taken <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case own.taken <- struct{}{}:
		return true
	case <-timer.C:
		p.forget(client)
		return false
	}
}

// leave frees a place.
func (p *clientPlaces) leave(client netip.Prefix) {
	p.mu.Lock()
	own := p.of[client]
	p.mu.Unlock()
	<-own.taken
	p.forget(client)
}

func (p *clientPlaces) forget(client netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own := p.of[client]; own.users > 1 {
		own.users--
		return
	}
	delete(p.of, client)
}
