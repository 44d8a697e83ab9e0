package engine

import (
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/ratelimit"
)

// The maximum numbers of watches on a node: of one cart, of one client of a store, of one store, and in
// all.
const (
	MaxCartWatches   = 5
	MaxClientWatches = 50
	MaxStoreWatches  = 200
	MaxWatches       = 1000
)

// WatchShare is the part of a store's request limit that may open watches on one node.
const WatchShare = 4

// watchInterval is the time between two comparisons of the watched carts' stamps. A change on
// another node is noticed within it.
const watchInterval = 900 * time.Millisecond

// Watch follows the changes of one cart for one visitor. It keeps no facts of the request that
// opened it, because they would keep the store's document of that time in memory.
type Watch struct {
	engine  *Engine
	key     RecordKey
	guards  *Guards
	keyHash commerce.KeyHash
	token   *commerce.KeyHash
	caller  Caller
	// client is counted; zero if the watch is not.
	client watchClient
	// changed is called for a state of the cart that was not seen yet. It must not block.
	changed func()
}

// WatchCart reads a cart as ReadCart does, and follows it until Close. It calls changed, on any
// goroutine, after each change: at once for a change by this node, within a second for another's.
// Changes in quick succession may share a call. The watch is nil if the cart is not active: then it
// has changed for the last time. Errors: those of ReadCart, WatchesFull.
func (e *Engine) WatchCart(r *Request, changed func()) (*Watch, Reply, error) {
	reply, err := e.ReadCart(r)
	if err != nil {
		return nil, reply, err
	}
	if reply.Cart.Status != commerce.CartActive {
		return nil, reply, nil
	}
	w := &Watch{
		engine: e, key: RecordKey{Store: r.Store.ID, ID: r.CartID},
		guards: r.Guards, keyHash: r.KeyHash, token: r.Token, caller: r.Caller, changed: changed,
	}
	if r.Caller.Forwarded || r.Key.InBrowser() { // the address is a visitor's, and not that of a server with many
		w.client = watchClient{r.Store.ID, r.Caller.Network()}
	}
	if err = e.watches.add(w, reply.Stamp, r.Store.RateLimit); err != nil {
		return nil, reply, err
	}
	return w, reply, nil
}

// Read reads the cart again, judged by the facts of now. It counts in no limit. After
// ErrUnavailable, changed is called again. Errors: those of ReadCart.
func (w *Watch) Read(deadline time.Time) (Reply, error) {
	r := &Request{
		Guards: w.guards, KeyHash: w.keyHash, Token: w.token, Caller: w.caller, CartID: w.key.ID, Began: time.Now(), Deadline: deadline,
	}
	if w.engine.watches.gone(w.key) {
		return Reply{Facts: &r.Facts}, CartKind.missing(r)
	}
	err := w.engine.storage.Refresh(w.key.Store, r)
	var reply Reply
	if err == nil {
		reply, err = w.engine.carts.Load(r)
	}
	if errors.Is(err, ErrUnavailable) {
		w.engine.watches.forget(w.key)
	}
	reply.Facts = &r.Facts
	return reply, err
}

// Close ends the watch.
func (w *Watch) Close() { w.engine.watches.remove(w) }

// CartChanged notes a state of a cart that this node has committed or read.
func (e *Engine) CartChanged(key RecordKey, stamp Stamp) { e.watches.note(key, stamp) }

// watches are the watched carts of a node.
type watches struct {
	storage Storage
	// open is the number of watches; most nodes have none.
	open atomic.Int64

	mu sync.Mutex
	// following is true while a goroutine compares stamps.
	following bool
	carts     map[RecordKey]*watchedCart
	// stores are the numbers of watches by store, clients those of clients whose address is known.
	stores  map[uuid.UUID]int
	clients map[watchClient]int
	// openings counts the watches that each store has opened lately.
	openings ratelimit.Windows
}

// watchClient is a client of a store.
type watchClient struct {
	store   uuid.UUID
	network netip.Prefix
}

// watchedCart is a cart with its watches. seen is the last stamp that was noted; zero if the cart is
// gone, unseen if the next comparison counts as a change.
type watchedCart struct {
	seen Stamp
	by   []*Watch
}

// unseen is the stamp of no record.
var unseen = Stamp{Sequence: ^uint64(0)}

func (ws *watches) add(w *Watch, stamp Stamp, limit int) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	cart := ws.carts[w.key]
	if ws.open.Load() >= MaxWatches || ws.stores[w.key.Store] >= MaxStoreWatches || cart != nil && len(cart.by) >= MaxCartWatches {
		return WatchesFull
	}
	counted := w.client != watchClient{}
	if counted && ws.clients[w.client] >= MaxClientWatches {
		return WatchesFull
	}
	if !ws.openings.Decide(w.key.Store.String(), ratelimit.Bound{Limit: max(1, limit/WatchShare)}, commerce.RateWindow, time.Now()).Granted {
		return WatchesFull
	}
	if ws.carts == nil {
		ws.carts, ws.stores, ws.clients = map[RecordKey]*watchedCart{}, map[uuid.UUID]int{}, map[watchClient]int{}
	}
	if cart == nil {
		cart = &watchedCart{seen: stamp}
		ws.carts[w.key] = cart
	}
	if cart.seen != stamp { // the next comparison shows which one is newer
		cart.seen = unseen
	}
	cart.by = append(cart.by, w)
	ws.stores[w.key.Store]++
	if counted {
		ws.clients[w.client]++
	}
	ws.open.Add(1)
	if !ws.following {
		ws.following = true
		go ws.follow()
	}
	return nil
}

func (ws *watches) remove(w *Watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	cart := ws.carts[w.key]
	if cart == nil {
		return
	}
	for i := range cart.by {
		if cart.by[i] != w {
			continue
		}
		cart.by[i] = cart.by[len(cart.by)-1]
		cart.by[len(cart.by)-1] = nil
		cart.by = cart.by[:len(cart.by)-1]
		if ws.stores[w.key.Store]--; ws.stores[w.key.Store] == 0 {
			delete(ws.stores, w.key.Store)
		}
		if ws.clients[w.client] > 1 {
			ws.clients[w.client]--
		} else {
			delete(ws.clients, w.client)
		}
		ws.open.Add(-1)
		break
	}
	if len(cart.by) == 0 {
		delete(ws.carts, w.key)
	}
}

// note calls the watches of a cart if the stamp is another one than the last. The stamp may be an
// older one than that: the watches read the cart again, and see that nothing has changed.
func (ws *watches) note(key RecordKey, stamp Stamp) {
	if ws.open.Load() == 0 {
		return
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	cart := ws.carts[key]
	if cart == nil || cart.seen == stamp {
		return
	}
	cart.seen = stamp
	for _, w := range cart.by {
		w.changed()
	}
}

// forget makes the next comparison a change.
func (ws *watches) forget(key RecordKey) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if cart := ws.carts[key]; cart != nil {
		cart.seen = unseen
	}
}

// gone reports whether the last comparison has not found the cart.
func (ws *watches) gone(key RecordKey) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	cart := ws.carts[key]
	return cart != nil && cart.seen.Zero()
}

// follow compares the stamps of all watched carts, until none is watched.
func (ws *watches) follow() {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for range tick.C {
		keys := ws.keys()
		if keys == nil {
			return
		}
		for key, stamp := range ws.storage.CartStamps(keys, time.Now().Add(watchInterval)) {
			ws.note(key, stamp)
		}
	}
}

// keys lists the watched carts. It returns nil, and the following ends, if there are none.
func (ws *watches) keys() []RecordKey {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if len(ws.carts) == 0 {
		ws.following = false
		return nil
	}
	keys := make([]RecordKey, 0, len(ws.carts))
	for key := range ws.carts {
		keys = append(keys, key)
	}
	return keys
}
