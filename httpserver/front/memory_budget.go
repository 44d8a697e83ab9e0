package front

import (
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

const (
	// freeAnswer is the size up to which an answer is not counted, in bytes: the number of connections
	// bounds those.
	freeAnswer = 16 << 10
	// answerStep is the growth after which an answer that is being made is counted again.
	answerStep = 64 << 10
)

// Answers counts the answers that are being made or sent. An answer counts until its connection
// begins the next request, or closes.
type Answers struct {
	*Budget
	// sending are the connections with a counted answer.
	sending map[*Conn]Charge
}

func newAnswers(limit, parts int64, log *slog.Logger) *Answers {
	return &Answers{Budget: newBudget("answers", limit, parts, log), sending: map[*Conn]Charge{}}
}

// Charge is the counted size of one answer.
type Charge struct {
	store uuid.UUID
	bytes int
}

// crowded reports whether more than half of the budget is in use.
func (b *Answers) crowded() bool { return b.used.Load() > b.limit/2 }

// Charge counts an answer of a store that has grown to a size. must counts it also beyond the budget. It
// returns false, with nothing changed, if there is no room.
func (b *Answers) Charge(c *Charge, store uuid.UUID, size int, must bool) bool {
	more := size - freeAnswer - c.bytes
	if more <= 0 {
		return true
	}
	c.store = store
	if !b.Reserve(c.store, more) {
		if !must {
			return false
		}
		b.Release(c.store, -more)
	}
	c.bytes += more
	b.hurry(more)
	return true
}

// Lower counts an answer by its size if it was estimated to be larger.
func (b *Answers) Lower(c *Charge, size int) {
	if less := c.bytes - max(0, size-freeAnswer); less > 0 {
		b.Release(c.store, less)
		c.bytes -= less
	}
}

// hurry shortens the time of every answer that is being sent, if the last bytes have made the budget
// crowded.
func (b *Answers) hurry(last int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.crowded() || b.used.Load()-int64(last) > b.limit/2 {
		return
	}
	for c := range b.sending {
		c.Conn.SetWriteDeadline(time.Now().Add(crowdedWrite))
	}
}

// Full reports whether a store has no room for another answer.
func (b *Answers) Full(store uuid.UUID) bool {
	if b.used.Load() < b.limit/b.parts {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	full := b.used.Load() >= b.limit || b.stores[store] >= b.limit/b.parts
	if full {
		b.logFull(store, time.Now())
	}
	return full
}

// Grown reports whether an answer has grown so much since it was counted that it is counted again.
func (c *Charge) Grown(size int) bool {
	return size > freeAnswer && size-freeAnswer-c.bytes >= answerStep
}

// Sends passes an answer's charge on to the connection that sends it, and empties it.
func (b *Answers) Sends(ctx *fasthttp.RequestCtx, charge *Charge) {
	if charge.bytes == 0 {
		return
	}
	if c, is := ctx.Conn().(*Conn); is {
		b.sends(c, *charge)
		*charge = Charge{}
	} else {
		b.Drop(charge)
	}
}

// Drop ends the charge of an answer that is not sent.
func (b *Answers) Drop(charge *Charge) {
	b.Release(charge.store, charge.bytes)
	*charge = Charge{}
}

func (b *Answers) sends(c *Conn, charge Charge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sending[c] = charge
	c.owes.Store(true)
}

// sent ends the charge of a connection's last answer.
func (b *Answers) sent(c *Conn) {
	if !c.owes.CompareAndSwap(true, false) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(b.sending[c].store, -b.sending[c].bytes)
	delete(b.sending, c)
}

// writeDeadline is the deadline of a write that may take until a time.
func (b *Answers) writeDeadline(until time.Time) time.Time {
	if !b.crowded() {
		return until
	}
	if soon := time.Now().Add(crowdedWrite); soon.Before(until) {
		return soon
	}
	return until
}

// Budget counts the bytes of one kind (bodies, answers) over all requests. A store has only a
// share of them, so that its clients cannot take the memory of the other stores.
type Budget struct {
	kind string
	log  *slog.Logger
	// limit is that of all stores together; parts is the number of equal parts of it of which a store
	// has one.
	limit, parts int64

	// used is changed under the lock. Requests read it without one.
	used   atomic.Int64
	mu     sync.Mutex
	stores map[uuid.UUID]int64
	logged time.Time
}

// logEvery is the minimum time between two lines in the log about one full budget.
const logEvery = time.Minute

func newBudget(kind string, limit, parts int64, log *slog.Logger) *Budget {
	return &Budget{kind: kind, log: log, limit: limit, parts: parts, stores: map[uuid.UUID]int64{}}
}

// Reserve counts n more bytes of a store. If they exceed its share or the limit, it counts nothing,
// logs it and returns false.
func (b *Budget) Reserve(store uuid.UUID, n int) bool { return b.reserveBut(store, n, 0) }

// reserveBut is Reserve that leaves so many bytes of the store's share to others.
func (b *Budget) reserveBut(store uuid.UUID, n, left int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if all, own := b.used.Load()+int64(n), b.stores[store]+int64(n); all > b.limit || own > b.limit/b.parts-int64(left) {
		b.logFull(store, time.Now())
		return false
	}
	b.count(store, n)
	return true
}

// Release counts n bytes less.
func (b *Budget) Release(store uuid.UUID, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(store, -n)
}

// count changes the bytes of a store. The lock is held.
func (b *Budget) count(store uuid.UUID, n int) {
	b.used.Add(int64(n))
	if b.stores[store] += int64(n); b.stores[store] == 0 {
		delete(b.stores, store)
	}
}

// logFull logs that the budget is full, at most once a minute. The lock is held.
func (b *Budget) logFull(store uuid.UUID, now time.Time) {
	if now.Sub(b.logged) < logEvery {
		return
	}
	b.logged = now
	b.log.Warn("the memory for "+b.kind+" is used up: requests are refused",
		"store", store.String(), "store_bytes", b.stores[store], "bytes", b.used.Load(), "limit", b.limit)
}

// Figures returns the bytes in use and the limit.
func (b *Budget) Figures() (used, limit int64) { return b.used.Load(), b.limit }

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
