package ratelimit

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
