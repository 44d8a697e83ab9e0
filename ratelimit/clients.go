package ratelimit

import (
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// maxClients is the number of addresses that have a budget of their own at a time.
	maxClients = 100_000
	// clientWindow is the time for which an address keeps its budget after its last request.
	clientWindow = time.Minute
	// otherClients stands for every address beyond maxClients.
	otherClients = "*"
)

// Clients names the logs of requests whose API key resolves to no store. Its memory is bounded.
// The zero value is ready and safe for concurrent use.
// Spec: Limits, unauthenticated requests … are keyed by client IP.
type Clients struct {
	mu   sync.Mutex
	live recent[netip.Prefix, string] // the client → its key
}

// Key returns the log in which a request from addr counts. An IPv4 address has a log of its
// own, and so has each IPv6 /64. Addresses beyond maxClients, and requests without an address,
// share one log.
func (c *Clients) Key(addr netip.Addr, now time.Time) string {
	client := Network(addr)
	if !client.IsValid() {
		return clientKey(otherClients)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.live.use(client, now.UnixMicro(), clientWindow.Microseconds(), maxClients)
	if key == nil {
		return clientKey(otherClients)
	}
	if *key == "" {
		*key = clientKey(clientText(client))
	}
	return *key
}

// Network is the network that shares a budget: an IPv4 address, or an IPv6 /64.
func Network(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap()
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	client, _ := addr.Prefix(bits) // fails for the zero address, with the zero prefix
	return client
}

func clientText(client netip.Prefix) string {
	if client.Addr().Is4() {
		return client.Addr().String()
	}
	return client.String()
}

const (
	// maxStoreClients is the number of clients of one store that are counted at a time; of all stores
	// together it is maxClients.
	maxStoreClients = 10_000
	// clientSteps is the number of whole seconds for which a request counts after its own.
	clientSteps = int32(clientWindow / time.Second)
)

// ClientCounts count the requests of each client of a store in this node's memory: any clientWindow has
// at most the limit. Times are rounded to seconds, so that a client may be refused up to a second too
// long. Its memory is bounded. The zero value is ready and safe for concurrent use.
type ClientCounts struct {
	mu sync.Mutex
	// start is the time of the first request; times are counted from it, by the monotonic clock.
	start   time.Time
	live    recent[storeClient, clientCount]
	byStore map[uuid.UUID]int // the number of its clients
}

// storeClient is a client of a store: an IPv4 address, or an IPv6 /64.
type storeClient struct {
	store  uuid.UUID
	client netip.Prefix
}

// clientCount has the requests of one client that count.
type clientCount struct {
	total   int
	seconds []secondCount // in order
}

// secondCount is the number of requests that were granted in one second after the start.
type secondCount struct {
	at int32
	n  uint32
}

// Decide counts a request that counts as n, all or none, of a client under its limit; now is a time of this
// node. The decision is zero if the client is not counted: it has no address, or the number of clients is
// reached. Remaining of a refusal is the number of requests that may follow.
func (c *ClientCounts) Decide(store uuid.UUID, addr netip.Addr, n, limit int, now time.Time) Decision {
	client := Network(addr)
	if !client.IsValid() {
		return Decision{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byStore == nil {
		c.start, c.byStore, c.live.forgotten = now, map[uuid.UUID]int{}, c.forgotten
	}
	since := now.Sub(c.start)
	counted := c.find(storeClient{store, client}, since.Microseconds())
	if counted == nil {
		return Decision{}
	}
	at := counted.advance(int32(since / time.Second))
	if counted.total+n <= limit {
		counted.add(at, n)
		return Decision{Granted: true, Limit: limit, Remaining: limit - counted.total}
	}
	wait := max(time.Duration(counted.roomAt(limit-n))*time.Second-since, time.Microsecond)
	return Decision{Limit: limit, Remaining: max(0, limit-counted.total), RetryAfter: wait, Reset: now.Add(wait).UTC()}
}

// find returns the count of a client, nil if there is no room for one more.
func (c *ClientCounts) find(key storeClient, now int64) *clientCount {
	c.live.forget(now)
	if c.byStore[key.store] >= maxStoreClients && !c.live.has(key) {
		return nil
	}
	before := len(c.live.byKey)
	counted := c.live.use(key, now, int64(clientSteps+1)*time.Second.Microseconds(), maxClients)
	if len(c.live.byKey) > before {
		c.byStore[key.store]++
	}
	return counted
}

// forgotten takes a client that has left off the number of its store.
func (c *ClientCounts) forgotten(key storeClient) {
	if c.byStore[key.store]--; c.byStore[key.store] == 0 {
		delete(c.byStore, key.store)
	}
}

// Counted is the number of clients that are counted now.
func (c *ClientCounts) Counted() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.live.byKey)
}

// advance drops the requests that no longer count at a second. It returns the second that a new request
// counts in: requests that come at the same time may arrive here in another order.
func (c *clientCount) advance(at int32) int32 {
	if last := len(c.seconds) - 1; last >= 0 {
		at = max(at, c.seconds[last].at)
	}
	gone := 0
	for gone < len(c.seconds) && at-c.seconds[gone].at > clientSteps {
		c.total -= int(c.seconds[gone].n)
		gone++
	}
	if gone > 0 {
		c.seconds = c.seconds[:copy(c.seconds, c.seconds[gone:])]
	}
	return at
}

// add counts n requests in a second, which is not before the last one.
func (c *clientCount) add(at int32, n int) {
	c.total += n
	if last := len(c.seconds) - 1; last >= 0 && c.seconds[last].at == at {
		c.seconds[last].n += uint32(n)
		return
	}
	c.seconds = append(c.seconds, secondCount{at, uint32(n)})
}

// roomAt is the second in which at most a number of requests count, or none if it is negative.
func (c *clientCount) roomAt(most int) int32 {
	left, at := c.total, int32(0)
	for _, s := range c.seconds {
		if left <= most {
			break
		}
		left, at = left-int(s.n), s.at+clientSteps+1
	}
	return at
}

// recent keeps one value for each key in use, up to a given number of keys. Times are
// microseconds. The zero value is empty.
type recent[K comparable, V any] struct {
	byKey map[K]*usage[K, V]
	// order is the ring of the keys by last use: its next is the oldest, its previous the newest one.
	order usage[K, V]
	// forgotten is called for each key that is removed; nil if nothing is to be done.
	forgotten func(K)
}

type usage[K comparable, V any] struct {
	previous, next *usage[K, V]

	key   K
	seen  int64
	idle  int64 // the entry is removed after this time without use
	value V
}

// use returns the key's value, a zero value for a new key, or nil if capacity other keys are in
// use. The value is removed after the time idle without use.
func (r *recent[K, V]) use(key K, now, idle int64, capacity int) *V {
	r.forget(now)
	u := r.byKey[key]
	switch {
	case u != nil:
		u.leave()
	case len(r.byKey) >= capacity:
		return nil
	default:
		u = &usage[K, V]{key: key}
		r.byKey[key] = u
	}
	u.seen, u.idle = now, idle
	u.enter(&r.order)
	return &u.value
}

// has reports whether the key is in use.
func (r *recent[K, V]) has(key K) bool { return r.byKey[key] != nil }

// forget removes the idle keys, and keys seen too far in the future by a clock that was wrong.
func (r *recent[K, V]) forget(now int64) {
	if r.byKey == nil {
		r.byKey = make(map[K]*usage[K, V])
		r.order.previous, r.order.next = &r.order, &r.order
	}
	for u := r.order.next; u != &r.order; u = r.order.next {
		if u.seen+u.idle > now && u.seen <= now+u.idle {
			return
		}
		delete(r.byKey, u.key)
		u.leave()
		if r.forgotten != nil {
			r.forgotten(u.key)
		}
	}
}

// enter makes the entry the newest of a ring, leave takes it out.
func (u *usage[K, V]) enter(order *usage[K, V]) {
	u.previous, u.next = order.previous, order
	u.previous.next, order.previous = u, u
}

func (u *usage[K, V]) leave() { u.previous.next, u.next.previous = u.next, u.previous }
