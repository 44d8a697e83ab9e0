package stores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/engine"
)

// droppedFor is how long head and record of a dropped store stay, without any API key. A node with
// the store in memory learns from it that no key resolves any more.
const droppedFor = time.Hour

// Drop deletes a store with all its data and returns the number of deleted keys. Its API keys
// end first, so that no request writes meanwhile. forget removes the store from the index of
// outboxes. Repeating Drop completes an interrupted one. Errors: ErrImportRunning, or the error
// of a command.
func (s *Stores) Drop(ctx context.Context, store uuid.UUID, forget func(redis.Pipeliner), progress func(deleted int)) (int, error) {
	seen, err := s.readAny(ctx, store)
	if err == nil && seen.head.Text == "" {
		err = fmt.Errorf("%w: %s", errNoStore, store)
	}
	if err != nil {
		return 0, err
	}
	lease, end, err := s.beginImport(ctx, store, seen.head)
	if err != nil {
		return 0, err
	}
	defer end()
	hints, err := s.keyHints(ctx, store, seen.state().Ring)
	if err != nil {
		return 0, err
	}
	c, err := s.beginCommit(ctx, store, seen, engine.StoreState{Dropped: true})
	if err != nil {
		return 0, err
	}
	lease.guard(c.plan)
	c.limit = seen.head.Limit
	c.write(nil, nil)
	var other *otherFacts
	if err := s.carryOut(ctx, c); errors.As(err, &other) {
		return 0, errLeaseLost
	} else if err != nil {
		return 0, err
	}
	pipe := s.client.Redis.Pipeline()
	for _, hint := range hints {
		pipe.Del(ctx, hint)
	}
	forget(pipe)
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, err
	}
	deleted, err := s.deleteKeys(ctx, lease, progress)
	if err != nil {
		return deleted, err
	}
	pipe.Expire(ctx, recordKey(store), droppedFor)
	pipe.Expire(ctx, HeadKey(store), droppedFor)
	pipe.SRem(ctx, StoresKey, store.String()) // last: a listed store can be dropped again
	_, err = pipe.Exec(ctx)
	return deleted, err
}

// keyHints lists the hints of the store's API keys that name it.
func (s *Stores) keyHints(ctx context.Context, store uuid.UUID, ring storefile.PageName) (hints []string, err error) {
	keys, _, err := s.loadKeys(ctx, store, ring)
	for hash := range keys {
		owner, err := s.client.Redis.Get(ctx, keyHint(hash)).Result()
		if id, _ := parseHint(owner); err == nil && id == store {
			hints = append(hints, keyHint(hash))
		}
	}
	return hints, err
}

// deleteKeys deletes the store's keys, except its head, its record and the lease. Errors
// also: errLeaseLost.
func (s *Stores) deleteKeys(ctx context.Context, lease *importLease, progress func(int)) (deleted int, err error) {
	kept := []string{HeadKey(lease.store), recordKey(lease.store), leaseKey(lease.store)}
	return deleted, s.ScanStore(ctx, lease.store, "", func(keys []string) error {
		keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(kept, key) })
		if err := lease.check(ctx); err != nil || len(keys) == 0 {
			return err
		}
		n, err := s.client.Redis.Unlink(ctx, keys...).Result()
		deleted += int(n)
		progress(deleted)
		return err
	})
}
