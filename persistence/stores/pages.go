package stores

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

const (
	// leftFor is how long a page stays that no record names any more, in milliseconds, for nodes that read it.
	leftFor = "60000"
	// aheadFor is how long a page stays that is written ahead of its visit, markFor how long its mark does.
	aheadFor = 10 * time.Minute
	markFor  = 9 * time.Minute
	// tripPages and tripBytes bound the pages of one trip, and those that a visit writes itself.
	tripPages  = 64
	tripBytes  = 1 << 20
	visitBytes = 512 << 10
)

// readPages reads the texts of pages, tripPages a trip, and calls keep, if it is not nil, with each packed page. The error of a
// page that is not there is redis.Nil.
func (s *Stores) readPages(
	ctx context.Context, store uuid.UUID, names []storefile.PageName, keep func(storefile.PageName, []byte),
) (map[storefile.PageName][]byte, error) {
	texts := make(map[storefile.PageName][]byte, len(names))
	err := s.eachPacked(ctx, store, names, func(name storefile.PageName, packed []byte) (err error) {
		if texts[name], err = storefile.Unpack(name, packed); err != nil {
			return formatError{err}
		}
		if keep != nil {
			keep(name, packed)
		}
		return nil
	})
	return texts, err
}

// readPacked is readPages of packed pages, each of which can be unpacked.
func (s *Stores) readPacked(ctx context.Context, store uuid.UUID, names []storefile.PageName) (map[storefile.PageName][]byte, error) {
	pages := make(map[storefile.PageName][]byte, len(names))
	err := s.eachPacked(ctx, store, names, func(name storefile.PageName, packed []byte) error {
		if _, err := storefile.Unpack(name, packed); err != nil {
			return formatError{err}
		}
		pages[name] = packed
		return nil
	})
	return pages, err
}

// eachPacked reads pages and calls do for each.
func (s *Stores) eachPacked(ctx context.Context, store uuid.UUID, names []storefile.PageName, do func(storefile.PageName, []byte) error) error {
	for some := range slices.Chunk(names, tripPages) {
		pipe := s.client.Redis.Pipeline()
		replies := make([]*redis.StringCmd, len(some))
		for i, name := range some {
			replies[i] = pipe.Get(ctx, records.PageKey(store, name))
		}
		if err := readAll(ctx, pipe); err != nil {
			return err
		}
		for i, name := range some {
			packed, err := replies[i].Bytes()
			if err == nil {
				err = do(name, packed)
			}
			if err != nil {
				return fmt.Errorf("page %s of store %s: %w", name, store, err)
			}
		}
	}
	return nil
}

// readPage reads the text of a page; nil if it has no name.
func (s *Stores) readPage(ctx context.Context, store uuid.UUID, name storefile.PageName) ([]byte, error) {
	if name == (storefile.PageName{}) {
		return nil, nil
	}
	texts, err := s.readPages(ctx, store, []storefile.PageName{name}, nil)
	return texts[name], err
}

// batchedDiscounts are the discounts with batches of codes of a record's document. They stand in its first pages.
func (s *Stores) batchedDiscounts(ctx context.Context, store uuid.UUID, state *engine.StoreState) (all []uuid.UUID, err error) {
	for _, name := range state.Pages {
		text, err := s.readPage(ctx, store, name)
		if err != nil {
			return nil, err
		}
		ids, err := storefile.BatchedDiscounts(text)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
		entries, err := storefile.Entries(text)
		if err != nil {
			return nil, err
		}
		if n := len(entries); n > 0 && entries[n-1].List > "discounts" {
			break
		}
	}
	return all, nil
}

// aheadPages are pages that one writer has written ahead of its visit. While the mark is there, they are there: it is
// written last, and expires first.
type aheadPages struct {
	mark  string // its key
	names map[storefile.PageName]bool
	bytes int
	// revised is the commit of the document under which they were written.
	revised engine.Stamp
}

// aheadKey is the key of a mark: {<store>}:ahead:<16 hex>.
func aheadKey(store uuid.UUID) string { return records.KeyPrefix(store, "ahead") + NewRevision() }

// marked is the value of a mark.
const marked = "1"

// writeAhead writes the pages that a commit brings into the store, if they are too many for its visit; else it returns nil.
// A page that is there already keeps its expiry, or stays without one. proceed is called ahead of each trip.
func (s *Stores) writeAhead(ctx context.Context, store uuid.UUID, seen, next *engine.StoreState, pages newPages, proceed func() error) (*aheadPages, error) {
	was := seen.Named()
	entering := maps.Clone(next.Named())
	size := 0
	maps.DeleteFunc(entering, func(name storefile.PageName, _ bool) bool { return was[name] })
	for name := range entering {
		size += len(pages[name])
	}
	if len(entering) <= tripPages && size <= visitBytes {
		return nil, nil
	}
	trip, waits, pending := s.client.Redis.Pipeline(), 0, 0
	send := func() error {
		err := proceed()
		if err == nil {
			_, err = trip.Exec(ctx)
		}
		if errors.Is(err, redis.Nil) { // a page was there already
			err = nil
		}
		waits, pending = 0, 0
		return err
	}
	for name := range entering {
		key := records.PageKey(store, name)
		trip.SetNX(ctx, key, pages[name], aheadFor)
		trip.Do(ctx, "PEXPIRE", key, aheadFor.Milliseconds(), "GT")
		waits, pending = waits+1, pending+len(pages[name])
		if waits == tripPages || pending >= tripBytes {
			if err := send(); err != nil {
				return nil, err
			}
		}
	}
	if waits > 0 {
		if err := send(); err != nil {
			return nil, err
		}
	}
	a := &aheadPages{mark: aheadKey(store), names: entering, bytes: size, revised: seen.Revised}
	return a, s.client.Redis.Set(ctx, a.mark, marked, markFor).Err()
}

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
