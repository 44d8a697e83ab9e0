package stores

import (
	"context"
	"errors"
	"maps"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
)

// importTimes are the times of a store's last import.
type importTimes struct {
	next time.Time     // the earliest begin of the next import of change sets
	took time.Duration // of its merging and packing; 0 if it is not known
	// leased means that an import is running.
	leased bool
}

// judge refuses a change whose import would be too long, or too late for its deadline.
func (t importTimes) judge(deadline time.Time) error {
	switch {
	case t.took > maxChangeTime:
		return commerce.StoreTooLarge
	case t.next.Add(t.took).After(deadline):
		return &engine.Busy{After: time.Until(t.next)}
	}
	return nil
}

// importTimes reads when a store's next import of change sets may begin.
func (s *Stores) importTimes(ctx context.Context, store uuid.UUID) (importTimes, error) {
	pipe := s.client.Redis.Pipeline()
	values, tookText, leased := pipe.MGet(ctx, HeadKey(store), recordKey(store)), pipe.HGet(ctx, importsKey(store), "took"), pipe.Exists(ctx, leaseKey(store))
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return importTimes{}, err
	}
	p, err := presentOf(store, values.Val())
	if err != nil {
		return importTimes{}, err
	}
	t := importTimes{leased: leased.Val() > 0}
	if ms, err := strconv.ParseInt(tookText.Val(), 10, 64); err == nil {
		t.took = time.Duration(min(ms, math.MaxInt32)) * time.Millisecond
	}
	now, known := s.Entry(store).Clock.Now()
	if !known {
		now = time.Now()
	}
	if now.Sub(p.state().At) > tookKept {
		t.took = 0
	}
	t.next = time.Now().Add(p.state().At.Add(changePause(t.took)).Sub(now))
	if rest := s.changes.restOf(store); rest.After(t.next) {
		t.next = rest
	}
	return t, nil
}

// restOf returns the time until which a store's sets rest on this node; zero if they do not.
func (q *changeQueue) restOf(store uuid.UUID) time.Time {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rests[store]
}

// rest lets a store's sets wait until a time. It drops the times that have passed.
func (q *changeQueue) rest(store uuid.UUID, until time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.rests, func(_ uuid.UUID, passed time.Time) bool { return time.Now().After(passed) })
	q.rests[store] = until
}
