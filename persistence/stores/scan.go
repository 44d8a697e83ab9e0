package stores

import (
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
)

// scanPage is the number of keys that one step of a scan visits.
const scanPage = 1000

// ScanStore passes to page a store's keys of a kind ("": all kinds), page by page; a key may
// come twice. It visits every key of the store's Redis, or master of a cluster, so it is only
// for operators' commands.
func (s *Stores) ScanStore(ctx context.Context, store uuid.UUID, kind string, page func(keys []string) error) error {
	server, err := s.serverOf(ctx, store)
	if err != nil {
		return err
	}
	return scan(ctx, server, records.SingleKey(store, kind)+"*", page)
}

// scan passes to page the keys of a server that match a pattern, page by page.
func scan(ctx context.Context, server redis.Cmdable, pattern string, page func(keys []string) error) error {
	for cursor := uint64(0); ; {
		keys, next, err := server.Scan(ctx, cursor, pattern, scanPage).Result()
		if err == nil && len(keys) > 0 {
			err = page(keys)
		}
		if err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

const (
	// scanTurn is the number of keys that one command of a page of ScanSome looks at, scanTurns that of its commands.
	scanTurn  = 500
	scanTurns = 4
)

// ScanSome finds keys of a store's server that match a pattern, from a cursor on, and returns the next cursor; 0 at the end.
func (s *Stores) ScanSome(ctx context.Context, store uuid.UUID, pattern string, cursor uint64) (keys []string, next uint64, err error) {
	server, err := s.serverOf(ctx, store)
	for range scanTurns {
		var some []string
		if err == nil {
			some, cursor, err = server.Scan(ctx, cursor, pattern, scanTurn).Result()
		}
		if keys = append(keys, some...); err != nil || cursor == 0 {
			break
		}
	}
	return keys, cursor, err
}

// members reads a set page by page and sorts its members.
func (s *Stores) members(ctx context.Context, key string) (all []string, err error) {
	for cursor := uint64(0); ; {
		some, next, err := s.client.Redis.SScan(ctx, key, cursor, "", scanPage).Result()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if cursor = next; cursor == 0 {
			break
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil // a scan may return a member twice
}

// serverOf returns the server of a store: one of a cluster's, else the only one.
func (s *Stores) serverOf(ctx context.Context, store uuid.UUID) (redis.Cmdable, error) {
	if cluster, ok := s.client.Redis.(*redis.ClusterClient); ok {
		return cluster.MasterForKey(ctx, HeadKey(store))
	}
	return s.client.Redis, nil
}

// ScanAll passes to page the keys of all stores, page by page, of every master of a cluster; a key
// may come twice. It visits every key, so it is only for operators' commands.
func (s *Stores) ScanAll(ctx context.Context, page func(keys []string) error) error {
	const pattern = "{*}:*"
	if cluster, ok := s.client.Redis.(*redis.ClusterClient); ok {
		var one sync.Mutex // ForEachMaster scans them at the same time
		return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
			one.Lock()
			defer one.Unlock()
			return scan(ctx, master, pattern, page)
		})
	}
	return scan(ctx, s.client.Redis, pattern, page)
}
