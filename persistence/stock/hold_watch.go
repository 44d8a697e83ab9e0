package stock

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

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
