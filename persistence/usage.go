package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
)

// usageKey counts the orders that used each discount: {<store>}:usage, a hash of
// discount id → count. A discount is entered when a document first brings it, with
// the document's count. The field usageChanges is raised with every count that an
// order raises, so that nodes see without reading all whether there is news.
func usageKey(store uuid.UUID) string { return singleKey(store, "usage") }

const usageChanges = "changes"

// usageChunk bounds the fields of one command.
const usageChunk = 1000

// usageGrace is how long a node goes on with the counts it has read.
const usageGrace = time.Second

// usage is what a node knows of a store's counts.
type usage struct {
	// at is Redis's time of the request that they were last compared for; zero: not yet.
	at      time.Time
	changes string
}

// saveUsage enters the document's discounts that have no count yet.
func (d *DB) saveUsage(ctx context.Context, doc *Document) error {
	if len(doc.Discounts) == 0 {
		return nil
	}
	pipe := d.main.Redis.Pipeline()
	for i := range doc.Discounts {
		discount := &doc.Discounts[i]
		pipe.HSetNX(ctx, usageKey(doc.Store), discount.ID.String(), discount.Used)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// loadUsage reads the counts of discounts, in one round trip, and how often they
// have changed. A discount that was never entered keeps the document's.
func (d *DB) loadUsage(ctx context.Context, store uuid.UUID, discounts []commerce.Discount) (map[uuid.UUID]int64, string, error) {
	key := usageKey(store)
	pipe := d.main.Redis.Pipeline()
	changes := pipe.HGet(ctx, key, usageChanges)
	var replies []*redis.SliceCmd
	fields := make([]string, len(discounts))
	for i := range discounts {
		fields[i] = discounts[i].ID.String()
	}
	for rest := fields; len(rest) > 0; {
		n := min(usageChunk, len(rest))
		replies = append(replies, pipe.HMGet(ctx, key, rest[:n]...))
		rest = rest[n:]
	}
	if _, err := pipe.Exec(ctx); err != nil && err != redis.Nil {
		return nil, "", err
	}
	for _, reply := range replies {
		if err := reply.Err(); err != nil {
			return nil, "", err
		}
	}
	used := make(map[uuid.UUID]int64, len(discounts))
	for i := range discounts {
		text, _ := replies[i/usageChunk].Val()[i%usageChunk].(string)
		if text == "" {
			used[discounts[i].ID] = discounts[i].Used
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, "", errCorrupt
		}
		used[discounts[i].ID] = n
	}
	return used, changes.Val(), nil
}

// limited are the discounts whose counts matter.
func limited(s *commerce.Store) (some []commerce.Discount) {
	for i := range s.Discounts {
		if s.Discounts[i].UsageLimit != nil {
			some = append(some, s.Discounts[i])
		}
	}
	return some
}

// withUsage puts the counts on record into a store that was just decoded.
func (d *DB) withUsage(ctx context.Context, l *loaded) error {
	if l.limited = limited(l.store); len(l.limited) == 0 {
		return nil
	}
	used, changes, err := d.loadUsage(ctx, l.store.ID, l.limited)
	if err != nil {
		return err
	}
	l.count(used, changes)
	return nil
}

// count replaces the counts of a loaded store that nobody else sees yet.
func (l *loaded) count(used map[uuid.UUID]int64, changes string) {
	l.usage.changes = changes
	l.store = l.store.WithUsage(func(d *commerce.Discount) int64 { return used[d.ID] })
}

// followUsage returns the store with counts that are at most usageGrace old for a
// request admitted at now. A store without usage limits costs nothing; any other one
// small read a second, for one request; the others of that moment wait for it, until
// their deadlines. Errors: ErrUnavailable.
func (s *stores) followUsage(deadline time.Time, slot *slot, l *loaded, now time.Time) (*loaded, error) {
	if l.counted(now) {
		return l, nil
	}
	ctx, cancel := context.WithDeadline(background, deadline)
	defer cancel()
	if !slot.counting.take(ctx) {
		return nil, engine.ErrUnavailable
	}
	defer slot.counting.end()
	if l = slot.current.Load(); l.counted(now) {
		return l, nil
	}
	if s.db.Away() { // as somebody before us has found
		return nil, engine.ErrUnavailable
	}
	patience, enough := context.WithTimeout(ctx, s.db.main.Timeout())
	defer enough()
	next, err := s.db.recounted(patience, l)
	if err != nil {
		if s.db.main.Unanswered(ctx, err) {
			err = engine.ErrUnavailable
		}
		return nil, s.unavailable(slot, err)
	}
	next.usage.at = now
	slot.current.CompareAndSwap(l, next) // else another store has come, with counts of its own
	return next, nil
}

// counted reports whether the counts are fresh enough at now, or do not matter.
func (l *loaded) counted(now time.Time) bool {
	age := now.Sub(l.usage.at)
	return len(l.limited) == 0 || age >= 0 && age < usageGrace
}

// recounted is a loaded store with the counts as they are now.
func (d *DB) recounted(ctx context.Context, l *loaded) (*loaded, error) {
	next := *l
	changes, err := d.main.Redis.HGet(ctx, usageKey(l.store.ID), usageChanges).Result()
	if err == redis.Nil {
		err = nil
	}
	if err != nil || changes == l.usage.changes {
		return &next, err
	}
	used, changes, err := d.loadUsage(ctx, l.store.ID, l.limited)
	if err == nil {
		next.count(used, changes)
	}
	return &next, err
}
