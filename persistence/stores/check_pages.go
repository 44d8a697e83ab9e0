package stores

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/persistence/records"
)

// Two things hold at every moment: a page that a record names is there and has no expiry, and one that no record
// names expires.

var (
	errPageMissing = errors.New("is not there, and the store's record names it")
	errPageExpires = errors.New("expires, and the store's record names it")
	errPageStays   = errors.New("does not expire, and the store's record does not name it")
)

// CheckNamed passes to fault the keys of the pages that a store's record names and that are not there, or expire.
func (s *Stores) CheckNamed(ctx context.Context, store uuid.UUID, fault func(key string, err error)) error {
	return s.checkPages(ctx, store, func(named map[storefile.PageName]bool) (keys []string) {
		for name := range named {
			keys = append(keys, records.PageKey(store, name))
		}
		return keys
	}, fault)
}

// CheckUnnamed passes to fault those of a store's pages, by their keys, that its record does not name and that do not
// expire.
func (s *Stores) CheckUnnamed(ctx context.Context, store uuid.UUID, pages []string, fault func(key string, err error)) error {
	return s.checkPages(ctx, store, func(map[storefile.PageName]bool) []string { return pages }, fault)
}

// checkPages checks some pages of a store, and checks them again if the store changes meanwhile.
func (s *Stores) checkPages(ctx context.Context, store uuid.UUID, some func(map[storefile.PageName]bool) []string, fault func(key string, err error)) error {
	for range commitAttempts {
		seen, err := s.readAny(ctx, store)
		if err != nil {
			return err
		}
		named := seen.state().Named()
		faults, err := s.pageFaults(ctx, store, named, some(named))
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			present, err := s.readAny(ctx, store)
			if err != nil {
				return err
			}
			if present.record.Stamp != seen.record.Stamp {
				continue
			}
		}
		for key, err := range faults {
			fault(key, err)
		}
		return nil
	}
	return errBusy
}

// pageFaults are the faults of pages, by their keys.
func (s *Stores) pageFaults(ctx context.Context, store uuid.UUID, named map[storefile.PageName]bool, keys []string) (map[string]error, error) {
	isNamed := make(map[string]bool, len(named))
	for name := range named {
		isNamed[records.PageKey(store, name)] = true
	}
	pipe := s.client.Redis.Pipeline()
	lives := make([]*redis.DurationCmd, len(keys))
	for i, key := range keys {
		lives[i] = pipe.PTTL(ctx, key)
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	const forever, gone = time.Duration(-1), time.Duration(-2)
	faults := map[string]error{}
	for i, key := range keys {
		switch life := lives[i].Val(); {
		case isNamed[key] && life == gone:
			faults[key] = errPageMissing
		case isNamed[key] && life != forever:
			faults[key] = errPageExpires
		case !isNamed[key] && life == forever:
			faults[key] = errPageStays
		}
	}
	return faults, nil
}
