package stock

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Stock is kept in three hashes and a sorted set. A cart's hold, its part of the sums and its
// expiry are always written together.

// OnHandKey is the key of the stock on hand: {<store>}:onhand, item → millionths.
func OnHandKey(store uuid.UUID) string { return records.SingleKey(store, "onhand") }

// HeldKey is the key of the sums of all holds: {<store>}:held, item → millionths.
func HeldKey(store uuid.UUID) string { return records.SingleKey(store, "held") }

// CartKey is the key of one cart's hold: {<store>}:hold:<cart id>, item → millionths.
func CartKey(store, cart uuid.UUID) string { return cartHoldPrefix(store) + cart.String() }

func cartHoldPrefix(store uuid.UUID) string { return records.KeyPrefix(store, "hold") }

// HoldsKey is the key of the expiries of carts' holds: {<store>}:holds, cart id → Unix
// milliseconds.
func HoldsKey(store uuid.UUID) string { return records.SingleKey(store, "holds") }

// Change is the change that a visit makes to its cart's hold. It is the whole hold if the
// stored one may be released ahead of the visit: it expires, or a clock that was ahead wrote it.
// All sendings of a visit have the same change.
func Change(v *engine.Visit[*commerce.Cart]) *commerce.HoldChange {
	last := v.Judged.Add(max(v.Tolerance, v.Deadline.Sub(v.SentAt)))
	gone := false
	if v.Before != nil && !v.Before.Hold.Until.IsZero() {
		until := v.Before.Hold.Until
		gone = !until.After(last) || until.After(v.Judged.Add(maxHold))
	}
	return commerce.ChangeHold(v.Before, v.Next.State, gone)
}

// KeysOf are the stock keys that a cart's hold needs.
func KeysOf(store, cart uuid.UUID) records.StockKeys {
	return records.StockKeys{OnHand: OnHandKey(store), Held: HeldKey(store), Own: CartKey(store, cart)}
}

const (
	// cartsEach is the max number of carts whose holds one script releases.
	cartsEach = 50
	// itemsEach is the number of items after which a script begins no further cart. It releases
	// the items of one cart together, also thousands.
	itemsEach = 1000
	// expireEvery is the pause until a node releases expired holds again.
	expireEvery = time.Second
	// ExpireFor bounds the release of a store's holds if no request waits for it.
	ExpireFor = 10 * time.Second
	// maxHold is the longest possible hold: the life of a cart, and the time between a
	// request's admission and its commit.
	maxHold = commerce.CartLifetime + time.Minute
)

// Watch releases expired holds in the stores that the node has loaded, until stop is closed.
// All nodes do that.
func (s *Stock) Watch(holding func() []*engine.StoreVersion, stop <-chan struct{}) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for watch := (holdWatch{}); ; {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			if !s.client.Unreachable() {
				s.expireDue(&watch, holding(), now)
			}
		}
	}
}

// expireAll releases the expired holds of some stores, a bounded number each. The next round,
// or a visit that is short of stock, releases the rest.
func (s *Stock) expireAll(stores []uuid.UUID) {
	calls := make([]*redisdb.Call, len(stores))
	for i, store := range stores {
		calls[i] = &redisdb.Call{Script: expireHoldsScript, Keys: expireKeys(store), Args: expireArgs(store, "")}
	}
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		list, _ := reply.Value.([]any)
		if more, cleared, _ := s.parseExpired(list); more {
			s.expireUntil(stores[i], cleared, time.Now().Add(ExpireFor))
		}
	}
}

func expireKeys(store uuid.UUID) []string { return []string{HoldsKey(store), HeldKey(store)} }

func expireArgs(store uuid.UUID, until string) []any {
	return []any{cartsEach, cartHoldPrefix(store), until, itemsEach, maxHold.Milliseconds()}
}

// ExpireHolds releases all expired holds of a store, until a deadline. It returns the time, by
// Redis's clock, until which they were released, in Unix milliseconds.
func (s *Stock) ExpireHolds(store uuid.UUID, deadline time.Time) (string, error) {
	return s.expireUntil(store, "", deadline)
}

// expireUntil is ExpireHolds for the holds that expired until a moment; empty for now.
func (s *Stock) expireUntil(store uuid.UUID, until string, deadline time.Time) (string, error) {
	for {
		reply, err := s.client.RunScript(deadline, expireHoldsScript, expireKeys(store), expireArgs(store, until)...)
		if err != nil {
			return "", err
		}
		more, cleared, err := s.parseExpired(reply)
		if err != nil {
			return "", err
		}
		if !more {
			return cleared, nil
		}
		until = cleared
	}
}

// parseExpired reads a reply and counts the carts whose holds the script released.
func (s *Stock) parseExpired(reply []any) (more bool, cleared string, err error) {
	if len(reply) == 3 {
		n, isNumber := reply[0].(int64)
		cleared, isText := reply[1].(string)
		released, isCount := reply[2].(int64)
		if isNumber && isText && isCount {
			s.expired.Add(uint64(released))
			return n == 1, cleared, nil
		}
	}
	return false, "", redisdb.ErrReply
}

// holdWatch knows when to search each store for expired holds. One goroutine uses it.
//
// One plain read shows whether a store has holds, and when the first one expires. A hold lasts
// at least a minute, so none expires between two such reads unseen.
type holdWatch struct {
	next map[uuid.UUID]time.Time // the next search of a store; absent: at once
}

// watchEvery is the longest pause between two searches of a store.
const watchEvery = 10 * time.Second

// due returns the loaded stores to be searched now.
func (w *holdWatch) due(loaded []*engine.StoreVersion, now time.Time) (due []*engine.StoreVersion) {
	next := make(map[uuid.UUID]time.Time, len(loaded)) // without the stores that were evicted
	for _, version := range loaded {
		next[version.Store] = w.next[version.Store]
		if !next[version.Store].After(now) {
			due = append(due, version)
			next[version.Store] = now.Add(watchEvery)
		}
	}
	w.next = next
	return due
}

// expireDue releases expired holds in the stores that are due and have holds.
func (s *Stock) expireDue(w *holdWatch, loaded []*engine.StoreVersion, now time.Time) {
	due := w.due(loaded, now)
	calls := make([]*redisdb.Call, len(due))
	for i, version := range due {
		key := HoldsKey(version.Store)
		calls[i] = redisdb.KeyCall("ZRANGE", key, 0, 0, "WITHSCORES")
	}
	var withHolds []uuid.UUID
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		first, some := firstExpiry(reply.Value)
		if !some {
			continue
		}
		version, wait := due[i], expireEvery
		if clock, ok := version.Clock.Now(); ok {
			wait = min(max(wait, first.Sub(clock)), watchEvery)
		}
		w.next[version.Store] = now.Add(wait)
		withHolds = append(withHolds, version.Store)
	}
	s.expireAll(withHolds)
}

// firstExpiry is the first expiry of a store's holds. It returns false if there is none, or no
// answer.
func firstExpiry(reply any) (time.Time, bool) {
	list, _ := reply.([]any)
	if len(list) != 2 {
		return time.Time{}, false
	}
	text, _ := list[1].(string)
	score, err := strconv.ParseFloat(text, 64)
	return time.UnixMilli(int64(score)), err == nil
}
