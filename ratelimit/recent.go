package ratelimit

import "container/list"

// recent keeps a value per key for as long as the key is in use, and never more
// than a given number of them. Times are microseconds. The zero value is empty.
type recent[K comparable, V any] struct {
	byKey map[K]*list.Element // of *usage[K, V]
	order list.List           // the least recently used first
}

type usage[K comparable, V any] struct {
	key   K
	seen  int64
	idle  int64 // unused for so long, it leaves
	value V
}

// use returns the key's value, the zero value for a new key. Nil: there are
// already limit others in use. The value may leave once it is unused for idle.
func (r *recent[K, V]) use(key K, now, idle int64, limit int) *V {
	r.forget(now)
	e, known := r.byKey[key]
	if !known && len(r.byKey) >= limit {
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

// forget lets the idle keys go, and those that a clock that was wrong has seen
// too far ahead.
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
