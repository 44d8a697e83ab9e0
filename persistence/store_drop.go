package persistence

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// droppedFor is how long the head of a dropped store stays, without any API key: a node
// that has the store in memory learns from it that no key resolves any more.
const droppedFor = time.Hour

// DropStore deletes a store with all its data and returns how many keys that were. Its API
// keys cease to resolve first, so that no request writes meanwhile. Repeating it finishes
// one that broke off. Errors: ErrImportRunning, or what went wrong.
func (d *DB) DropStore(ctx context.Context, store uuid.UUID, progress func(deleted int)) (int, error) {
	seen, err := d.readHead(ctx, store)
	if err != nil {
		return 0, err
	}
	lease, end, err := d.beginImport(ctx, store, seen)
	if err != nil {
		return 0, err
	}
	defer end()
	hints, err := d.keyHints(ctx, store, seen)
	if err != nil {
		return 0, err
	}
	next := seen
	next.keys, next.hash = newRevision(), strings.Repeat("0", len(seen.hash)) // of no document
	if err := d.saveRing(ctx, store, next.keys, &keyRing{}); err != nil {
		return 0, err
	}
	moved, err := d.moveHead(ctx, store, move{seen: seen, next: next, keysOnly: true})
	if err != nil {
		return 0, err
	}
	if !moved {
		return 0, errHeadMoved
	}
	pipe := d.main.Redis.Pipeline()
	for _, hint := range hints {
		pipe.Del(ctx, hint)
	}
	pipe.ZRem(ctx, outboxesKey, store.String())
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, err
	}
	deleted, err := d.deleteKeys(ctx, lease, next, progress)
	if err != nil {
		return deleted, err
	}
	pipe.Expire(ctx, keysKey(store, next.keys), droppedFor)
	pipe.Expire(ctx, headKey(store), droppedFor)
	pipe.SRem(ctx, storesKey, store.String()) // what is listed can be dropped again
	_, err = pipe.Exec(ctx)
	return deleted, err
}

// keyHints are the keys that lead from the store's API keys to it.
func (d *DB) keyHints(ctx context.Context, store uuid.UUID, h head) (hints []string, err error) {
	keys, err := d.loadKeys(ctx, store, h.keys)
	for hash := range keys {
		owner, err := d.main.Redis.Get(ctx, keyHint(hash)).Result()
		if id, _ := parseHint(owner); err == nil && id == store {
			hints = append(hints, keyHint(hash))
		}
	}
	return hints, err
}

// deleteKeys deletes what the store has, but for its head, the keys under it and the lease.
// Errors also: errLeaseLost.
func (d *DB) deleteKeys(ctx context.Context, lease *importLease, h head, progress func(int)) (deleted int, err error) {
	kept := []string{headKey(lease.store), keysKey(lease.store, h.keys), leaseKey(lease.store)}
	return deleted, d.scanStore(ctx, lease.store, "", func(keys []string) error {
		keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(kept, key) })
		if err := lease.check(ctx); err != nil || len(keys) == 0 {
			return err
		}
		n, err := d.main.Redis.Unlink(ctx, keys...).Result()
		deleted += int(n)
		progress(deleted)
		return err
	})
}
