package ratelimit

import "container/list"

// recent keeps one value for each key in use, up to a given number of keys. Times are
// microseconds. The zero value is empty.
type recent[K comparable, V any] struct {
	byKey map[K]*list.Element // of *usage[K, V]
	order list.List           // by last use, the oldest first
}

type usage[K comparable, V any] struct {
	key   K
	seen  int64
	idle  int64 // the entry is removed after this time without use
	value V
}

// use returns the key's value, a zero value for a new key, or nil if capacity other keys are in
// use. The value is removed after the time idle without use.
func (r *recent[K, V]) use(key K, now, idle int64, capacity int) *V {
	r.forget(now)
	e, known := r.byKey[key]
	if !known && len(r.byKey) >= capacity {
		return nil
	}
	if !known {
		e = r.add(key)
	}
	u := e.Value.(*usage[K, V])
	u.seen, u.idle = now, idle
	r.order.MoveToBack(e)
	return &u.value
}

func (r *recent[K, V]) add(key K) *list.Element {
	if r.byKey == nil {
		r.byKey = make(map[K]*list.Element)
	}
	e := r.order.PushBack(&usage[K, V]{key: key})
	r.byKey[key] = e
	return e
}

// forget removes the idle keys, and keys seen too far in the future by a clock that was wrong.
func (r *recent[K, V]) forget(now int64) {
	for e := r.order.Front(); e != nil; e = r.order.Front() {
		u := e.Value.(*usage[K, V])
		if u.seen+u.idle > now && u.seen <= now+u.idle {
			return
		}
		delete(r.byKey, u.key)
		r.order.Remove(e)
	}
}
