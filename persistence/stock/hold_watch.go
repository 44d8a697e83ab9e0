package stock

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// HoldWatch says in which stores expired holds are looked for. One goroutine uses it.
//
// One plain read tells whether a store has holds at all, and when the first expires. A hold
// lasts a minute at least, so none expires before such a read has seen it.
type HoldWatch struct {
	Next map[uuid.UUID]time.Time // when a store is looked at again; absent: at once
}

// watchEvery is how often a store is looked at in which no hold expires before.
const watchEvery = 10 * time.Second

// due are the loaded stores that are to be looked at now.
func (w *HoldWatch) due(loaded []*engine.StoreVersion, now time.Time) (due []*engine.StoreVersion) {
	next := make(map[uuid.UUID]time.Time, len(loaded)) // without stores that have left memory
	for _, version := range loaded {
		next[version.Store] = w.Next[version.Store]
		if !next[version.Store].After(now) {
			due = append(due, version)
			next[version.Store] = now.Add(watchEvery)
		}
	}
	w.Next = next
	return due
}

// ExpireDue releases expired holds in the stores that are due and have some.
func (s *Stock) ExpireDue(w *HoldWatch, loaded []*engine.StoreVersion, now time.Time) {
	due := w.due(loaded, now)
	calls := make([]*redisdb.Call, len(due))
	for i, version := range due {
		key := HoldsKey(version.Store)
		calls[i] = &redisdb.Call{Keys: []string{key}, Args: []any{"ZRANGE", key, 0, 0, "WITHSCORES"}}
	}
	var having []uuid.UUID
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		first, some := firstExpiry(reply.Value)
		if !some {
			continue
		}
		version, wait := due[i], expireEvery
		if heard, ok := version.Clock.Now(); ok {
			wait = min(max(wait, first.Sub(heard)), watchEvery)
		}
		w.Next[version.Store] = now.Add(wait)
		having = append(having, version.Store)
	}
	s.ExpireAll(having)
}

// firstExpiry is when the first of a store's holds expires. False: it has none, or nothing
// was answered.
func firstExpiry(reply any) (time.Time, bool) {
	list, _ := reply.([]any)
	if len(list) != 2 {
		return time.Time{}, false
	}
	text, _ := list[1].(string)
	score, err := strconv.ParseFloat(text, 64)
	return time.UnixMilli(int64(score)), err == nil
}
