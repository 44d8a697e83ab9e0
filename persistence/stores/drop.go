package stores

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// droppedFor is how long the head of a dropped store stays, without any API key. A node with
// the store in memory learns from it that no key resolves any more.
const droppedFor = time.Hour

// Drop deletes a store with all its data and returns the number of deleted keys. Its API keys
// end first, so that no request writes meanwhile. forget removes the store from the index of
// outboxes. Repeating Drop completes an interrupted one. Errors: ErrImportRunning, or the error
// of a command.
func (s *Stores) Drop(ctx context.Context, store uuid.UUID, forget func(redis.Pipeliner), progress func(deleted int)) (int, error) {
	seen, err := s.readAnyHead(ctx, store)
	if err != nil {
		return 0, err
	}
	lease, end, err := s.beginImport(ctx, store, seen)
	if err != nil {
		return 0, err
	}
	defer end()
	hints, err := s.keyHints(ctx, store, seen)
	if err != nil {
		return 0, err
	}
	next := seen.asDropped()
	if err := s.saveRing(ctx, store, next.Keys, &keyRing{}); err != nil {
		return 0, err
	}
	moved, err := s.moveHead(ctx, store, move{seen: seen, next: next, keysOnly: true})
	if err != nil {
		return 0, err
	}
	if !moved {
		return 0, errHeadMoved
	}
	pipe := s.client.Redis.Pipeline()
	for _, hint := range hints {
		pipe.Del(ctx, hint)
	}
	forget(pipe)
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, err
	}
	deleted, err := s.deleteKeys(ctx, lease, next, progress)
	if err != nil {
		return deleted, err
	}
	pipe.Expire(ctx, keysKey(store, next.Keys), droppedFor)
	pipe.Expire(ctx, HeadKey(store), droppedFor)
	pipe.SRem(ctx, StoresKey, store.String()) // last: a listed store can be dropped again
	_, err = pipe.Exec(ctx)
	return deleted, err
}

// keyHints lists the hints of the store's API keys that name it.
func (s *Stores) keyHints(ctx context.Context, store uuid.UUID, h Head) (hints []string, err error) {
	keys, _, err := s.loadKeys(ctx, store, h.Keys)
	for hash := range keys {
		owner, err := s.client.Redis.Get(ctx, keyHint(hash)).Result()
		if id, _ := parseHint(owner); err == nil && id == store {
			hints = append(hints, keyHint(hash))
		}
	}
	return hints, err
}

// deleteKeys deletes the store's keys, except its head, its API keys and the lease. Errors
// also: errLeaseLost.
func (s *Stores) deleteKeys(ctx context.Context, lease *importLease, h Head, progress func(int)) (deleted int, err error) {
	kept := []string{HeadKey(lease.store), keysKey(lease.store, h.Keys), leaseKey(lease.store)}
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
