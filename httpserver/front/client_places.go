package front

import (
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// clientPlaces bounds the unfinished bodies of each client in bytes, so that one client cannot take a store's
// memory for bodies. A client that has a body in the memory waits with those that do not fit beside it.
type clientPlaces struct {
	// share is the maximum of a client's bytes, unless it has one body only.
	share int

	mu sync.Mutex
	of map[netip.Prefix]*clientBytes
}

// clientBytes are the bytes of a client's bodies, and the bodies that wait, in the order of their arrival.
type clientBytes struct {
	taken   int
	waiting []*waitingBody
}

// waitingBody is a body that waits until it is let in.
type waitingBody struct {
	bytes int
	in    chan struct{}
}

// fits reports whether a body of this size is let in now.
func (c *clientBytes) fits(bytes, share int) bool { return c.taken == 0 || c.taken+bytes <= share }

// enter takes bytes of a client's share, and waits for them until a time. It returns false if they did not
// become free.
func (p *clientPlaces) enter(client netip.Prefix, bytes int, until time.Time) bool {
	w := p.join(client, bytes)
	if w == nil {
		return true
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-w.in:
		return true
	case <-timer.C:
		return p.giveUp(client, w)
	}
}

// join lets a body in, or returns it as waiting.
func (p *clientPlaces) join(client netip.Prefix, bytes int) *waitingBody {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[client]
	if own == nil {
		if p.of == nil {
			p.of = map[netip.Prefix]*clientBytes{}
		}
		own = &clientBytes{}
		p.of[client] = own
	}
	if len(own.waiting) == 0 && own.fits(bytes, p.share) {
		own.taken += bytes
		return nil
	}
	w := &waitingBody{bytes, make(chan struct{})}
	own.waiting = append(own.waiting, w)
	return w
}

// giveUp ends the wait of a body. It returns true if the body has been let in meanwhile.
func (p *clientPlaces) giveUp(client netip.Prefix, w *waitingBody) (in bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[client]
	at := slices.Index(own.waiting, w)
	if at < 0 {
		return true
	}
	own.waiting = slices.Delete(own.waiting, at, at+1)
	p.next(client, own) // those behind it may fit
	return false
}

// leave frees bytes of a client.
func (p *clientPlaces) leave(client netip.Prefix, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[client]
	own.taken -= bytes
	p.next(client, own)
}

// next lets waiting bodies in. The lock is held.
func (p *clientPlaces) next(client netip.Prefix, own *clientBytes) {
	for len(own.waiting) > 0 && own.fits(own.waiting[0].bytes, p.share) {
		w := own.waiting[0]
		own.waiting = own.waiting[1:]
		own.taken += w.bytes
		close(w.in)
	}
	if own.taken == 0 && len(own.waiting) == 0 {
		delete(p.of, client)
	}
}

// ClientLeft reports whether the client of a request has closed its side of the connection: then it does
// not wait for the answer.
func ClientLeft(ctx *fasthttp.RequestCtx) bool {
	c, is := ctx.Conn().(*Conn)
	if !is {
		return false
	}
	socket, is := c.Conn.(syscall.Conn)
	if !is {
		return false
	}
	raw, err := socket.SyscallConn()
	return err == nil && hasLeft(raw)
}
