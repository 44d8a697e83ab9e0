package engine

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// watchStore is a Redis with the stamps of carts.
type watchStore struct {
	fakeStore
	mu     sync.Mutex
	stamps map[RecordKey]Stamp
	asked  [][]RecordKey
}

func (s *watchStore) CartStamps(keys []RecordKey, _ time.Time) map[RecordKey]Stamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, keys)
	found := map[RecordKey]Stamp{}
	for _, key := range keys {
		if stamp, known := s.stamps[key]; known {
			found[key] = stamp
		}
	}
	return found
}

func (s *watchStore) Refresh(store uuid.UUID, r *Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fakeStore.Refresh(store, r)
}

func (s *watchStore) set(key RecordKey, stamp Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stamps[key] = stamp
}

// watchCarts finds every cart, with the stamp 1.
type watchCarts struct {
	Carts
	stamp Stamp
	err   error
}

func (c *watchCarts) Read(r *Request) (Reply, error) {
	return Reply{Cart: commerce.NewCart(r.CartID, time.Now()), Stamp: c.stamp}, c.err
}

func (c *watchCarts) Load(r *Request) (Reply, error) { return c.Read(r) }

// watchNode is a node whose store has a limit of requests. ask is a read of a store's cart.
func watchNode() (*Engine, *watchStore, *watchCarts) {
	store := &watchStore{stamps: map[RecordKey]Stamp{}}
	carts := &watchCarts{stamp: Stamp{Counter: 1}}
	return New(store, carts, nil, nil, nil, nil, nil), store, carts
}

func watchOf(store, cart, limit int) *Request {
	r := &Request{CartID: uuid.UUID{14: byte(cart >> 8), 15: byte(cart)}}
	r.Store = &commerce.Store{ID: uuid.UUID{15: byte(store)}, RateLimit: limit}
	return r
}

func mustWatch(t *testing.T, e *Engine, r *Request, changed func()) *Watch {
	t.Helper()
	w, _, err := e.WatchCart(r, changed)
	if err != nil || w == nil {
		t.Fatalf("watch of %v: %v, %v", r.CartID, w, err)
	}
	return w
}

func nothing() {}

// watching runs a test whose watches are closed at its end. The comparisons end with the last watch,
// or the test does not end.
func watching(t *testing.T, test func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(2 * watchInterval)
	})
}

// At most 5 watches of a cart, 200 of a store and 1,000 in all are open.
func TestWatchesAreBounded(t *testing.T) {
	const many = 100_000
	watching(t, func(t *testing.T) {
		e, _, _ := watchNode()
		var open []*Watch
		add := func(store, cart int) error {
			w, _, err := e.WatchCart(watchOf(store, cart, many), nothing)
			if err == nil {
				open = append(open, w)
			}
			return err
		}
		for range MaxCartWatches {
			if err := add(1, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(1, 1); err != WatchesFull {
			t.Errorf("watch %d of a cart: %v, want WatchesFull", MaxCartWatches+1, err)
		}
		for cart := 2; len(open) < MaxStoreWatches; cart++ {
			if err := add(1, cart); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(1, many/100); err != WatchesFull {
			t.Errorf("watch %d of a store: %v, want WatchesFull", MaxStoreWatches+1, err)
		}
		for n := MaxStoreWatches; n < MaxWatches; n++ {
			if err := add(2+n/MaxStoreWatches, n); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(100, 1); err != WatchesFull {
			t.Errorf("watch %d of a node: %v, want WatchesFull", MaxWatches+1, err)
		}
		open[0].Close()
		open[0].Close() // has no effect
		if err := add(1, 1); err != nil {
			t.Errorf("a watch in the place of a closed one: %v", err)
		}
		if err := add(1, 1); err != WatchesFull {
			t.Errorf("two watches in the place of one: %v, want WatchesFull", err)
		}
		for _, w := range open {
			w.Close()
		}
	})
}

// A store opens at most a quarter of its request limit as watches in a minute, at least one.
func TestWatchesTakeAShareOfTheLimit(t *testing.T) {
	for _, c := range []struct{ limit, share int }{{120, 30}, {7, 1}, {1, 1}, {400, 100}} {
		watching(t, func(t *testing.T) {
			e, _, _ := watchNode()
			opened := func() (n int) {
				for cart := range 150 {
					w, _, err := e.WatchCart(watchOf(1, cart, c.limit), nothing)
					if err != nil {
						continue
					}
					n++
					w.Close()
				}
				return n
			}
			if n := opened(); n != c.share {
				t.Errorf("limit %d: %d watches, want %d", c.limit, n, c.share)
			}
			time.Sleep(commerce.RateWindow - time.Second)
			if n := opened(); n != 0 {
				t.Errorf("limit %d: %d watches within the minute, want 0", c.limit, n)
			}
			time.Sleep(2 * time.Second)
			if n := opened(); n != c.share {
				t.Errorf("limit %d: %d watches in the next minute, want %d", c.limit, n, c.share)
			}
		})
	}
}

// A change by this node is noticed at once. A change by another node is noticed by the next
// comparison, after 900 ms. A state that was seen is no change.
func TestWatchesNoticeChanges(t *testing.T) {
	watching(t, func(t *testing.T) {
		e, store, _ := watchNode()
		r := watchOf(1, 1, 120)
		key := RecordKey{Store: r.Store.ID, ID: r.CartID}
		store.set(key, Stamp{Counter: 1})
		changes := 0
		w := mustWatch(t, e, r, func() { changes++ })
		want := func(what string, n int) {
			t.Helper()
			if synctest.Wait(); changes != n {
				t.Errorf("%s: %d changes, want %d", what, changes, n)
			}
		}
		time.Sleep(2 * time.Second)
		want("no change", 0)
		e.CartChanged(key, Stamp{Counter: 2})
		want("a change by this node", 1)
		e.CartChanged(key, Stamp{Counter: 2})
		e.CartChanged(RecordKey{Store: r.Store.ID}, Stamp{Counter: 9})
		want("the same state, and another cart", 1)
		store.set(key, Stamp{Counter: 2})
		time.Sleep(2 * time.Second)
		want("the comparison of that state", 1)
		store.set(key, Stamp{Counter: 3})
		time.Sleep(watchInterval)
		want("a change by another node", 2)
		store.set(key, Stamp{})
		time.Sleep(watchInterval)
		want("the end of the cart", 3)
		if _, err := w.Read(time.Now().Add(time.Second)); err == nil || err.Error() != CartKind.missing(r).Error() {
			t.Errorf("a read of the cart that is gone: %v, want its 404", err)
		}
		w.Close()
		e.CartChanged(key, Stamp{Counter: 4})
		want("a change after the end of the watch", 3)
	})
}

// A change between the read that opens a watch and the first comparison is noticed.
func TestWatchNoticesAnEarlyChange(t *testing.T) {
	watching(t, func(t *testing.T) {
		e, store, carts := watchNode()
		r := watchOf(1, 1, 120)
		key := RecordKey{Store: r.Store.ID, ID: r.CartID}
		store.set(key, Stamp{Counter: 2})
		first, second := 0, 0
		defer mustWatch(t, e, r, func() { first++ }).Close()
		carts.stamp = Stamp{Counter: 2}
		defer mustWatch(t, e, r, func() { second++ }).Close()
		time.Sleep(watchInterval)
		if synctest.Wait(); first != 1 || second != 1 {
			t.Errorf("%d and %d changes, want 1 and 1", first, second)
		}
	})
}

// A change that could not be read is shown by the next comparison.
func TestWatchReadsAgainAfterAnOutage(t *testing.T) {
	watching(t, func(t *testing.T) {
		e, store, _ := watchNode()
		r := watchOf(1, 1, 120)
		key := RecordKey{Store: r.Store.ID, ID: r.CartID}
		store.set(key, Stamp{Counter: 2})
		changes := 0
		w := mustWatch(t, e, r, func() { changes++ })
		defer w.Close()
		time.Sleep(watchInterval)
		synctest.Wait()
		store.err = ErrUnavailable
		if _, err := w.Read(time.Now()); err != ErrUnavailable {
			t.Errorf("Read = %v, want ErrUnavailable", err)
		}
		store.err = nil
		time.Sleep(watchInterval)
		if synctest.Wait(); changes != 2 {
			t.Errorf("%d changes, want 2", changes)
		}
		if reply, err := w.Read(time.Now()); err != nil || reply.Facts == nil || reply.Cart.ID != r.CartID {
			t.Errorf("Read = %+v, %v; want the cart with its facts", reply, err)
		}
	})
}

// All watched carts are compared together, each once, and nothing is compared without a watch.
func TestComparisonsOfWatchedCarts(t *testing.T) {
	watching(t, func(t *testing.T) {
		e, store, _ := watchNode()
		var open []*Watch
		for _, cart := range []int{1, 1, 2, 3} {
			open = append(open, mustWatch(t, e, watchOf(1, cart, 120), nothing))
		}
		time.Sleep(9*watchInterval + watchInterval/2)
		for _, w := range open {
			w.Close()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(store.asked) != 9 {
			t.Errorf("%d comparisons, want 9", len(store.asked))
		}
		for _, keys := range store.asked {
			slices.SortFunc(keys, func(a, b RecordKey) int { return int(a.ID[15]) - int(b.ID[15]) })
			if len(keys) != 3 || keys[0].ID[15] != 1 || keys[1].ID[15] != 2 || keys[2].ID[15] != 3 {
				t.Errorf("compared %v, want each of the three carts once", keys)
			}
		}
	})
}

// A cart that is not active is read and not watched.
func TestNoWatchOfAClosedCart(t *testing.T) {
	e, _, carts := watchNode()
	e.carts = closedCarts{carts}
	w, reply, err := e.WatchCart(watchOf(1, 1, 120), nothing)
	if w != nil || err != nil || reply.Cart.Status != commerce.CartConverted {
		t.Errorf("WatchCart = %v, %v, %v; want the cart without a watch", w, reply.Cart, err)
	}
	carts.err = commerce.CartOwned
	if w, _, err := e.WatchCart(watchOf(1, 1, 120), nothing); w != nil || err != commerce.CartOwned {
		t.Errorf("WatchCart = %v, %v; want the refusal", w, err)
	}
}

type closedCarts struct{ *watchCarts }

func (c closedCarts) Read(r *Request) (Reply, error) {
	reply, err := c.watchCarts.Read(r)
	reply.Cart.Status = commerce.CartConverted
	return reply, err
}

// Watches that open, change and close at once leave nothing behind.
func TestWatchesAtOnce(t *testing.T) {
	e, store, _ := watchNode()
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 200 {
				r := watchOf(n%3, i%4, 1<<20)
				r.Key, r.Caller.Addr = &commerce.APIKey{}, netip.AddrFrom4([4]byte{byte(n)})
				key := RecordKey{Store: r.Store.ID, ID: r.CartID}
				store.set(key, Stamp{Counter: uint64(i)})
				w, _, err := e.WatchCart(r, nothing)
				e.CartChanged(key, Stamp{Counter: uint64(i)})
				if err == nil {
					w.Read(time.Now())
					w.Close()
				}
			}
		})
	}
	all.Wait()
	ws := &e.watches
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if n := ws.open.Load(); n != 0 || len(ws.carts) != 0 || len(ws.stores) != 0 || len(ws.clients) != 0 {
		t.Errorf("%d watches, %d carts, %d stores, %d clients are left", n, len(ws.carts), len(ws.stores), len(ws.clients))
	}
}

// At most 50 watches of a client and store are open, if its address is a visitor's own: a trusted proxy
// named it, or the key may stand in a browser. So five keys do not hold all watches of a node.
func TestWatchesOfAClientAreBounded(t *testing.T) {
	browser, server := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead,
		commerce.CommerceWrite)}, &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead, commerce.CatalogWrite)}
	merchant := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead, commerce.OrdersRead)}
	for _, c := range []struct {
		name      string
		key       *commerce.APIKey
		forwarded bool
		addresses []string
		want      int
	}{
		{"a browser", browser, false, []string{"192.0.2.1"}, 50},
		{"a browser behind a trusted proxy", browser, true, []string{"192.0.2.1"}, 50},
		{"a server that names its visitors", server, true, []string{"192.0.2.1"}, 50},
		{"a server", server, false, []string{"192.0.2.1"}, 200},
		{"a merchant's server", merchant, false, []string{"192.0.2.1"}, 200},
		{"two browsers", browser, false, []string{"192.0.2.1", "192.0.2.2"}, 100},
		{"one network of IPv6", browser, false, []string{"2001:db8::1", "2001:db8::2"}, 50},
		{"two networks of IPv6", browser, true, []string{"2001:db8::1", "2001:db8:0:1::1"}, 100},
		{"five browsers", browser, false, []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"}, 200},
	} {
		watching(t, func(t *testing.T) {
			e, _, _ := watchNode()
			var open []*Watch
			add := func(store, cart int) error {
				r := watchOf(store, cart, 100_000)
				r.Key, r.Caller = c.key, Caller{Addr: netip.MustParseAddr(c.addresses[cart%len(c.addresses)]), Forwarded: c.forwarded}
				w, _, err := e.WatchCart(r, nothing)
				if err == nil {
					open = append(open, w)
				}
				return err
			}
			for cart := range 300 {
				if err := add(1, cart); err != nil && err != WatchesFull {
					t.Fatal(err)
				}
			}
			if len(open) != c.want {
				t.Errorf("%s: %d watches are open, want %d", c.name, len(open), c.want)
			}
			if err := add(2, 1); err != nil {
				t.Errorf("%s: a watch of another store: %v", c.name, err)
			}
			open[0].Close()
			if err := add(1, 0); err != nil {
				t.Errorf("%s: a watch in the place of a closed one: %v", c.name, err)
			}
			for _, w := range open {
				w.Close()
			}
			if n := len(e.watches.clients); n != 0 {
				t.Errorf("%s: %d clients are kept", c.name, n)
			}
		})
	}
}
