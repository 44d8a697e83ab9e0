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
	"cartd/persistence/redisdb"
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

const (
	// pagesAtOnce is the number of a document's pages up to which a request waits until they are read.
	pagesAtOnce = 64
	// grace is how long requests may be served with older settings, from the last admission at which the node had
	// those in force.
	grace = 5 * time.Second
	// inForceEvery is the least time between two updates of the time of that admission.
	inForceEvery = 100 * time.Millisecond
	// lookEvery is the least time between two readings of the head in the background.
	lookEvery = 500 * time.Millisecond
)

// Follow returns the store under Redis's present head. New keys and usage counts are read at
// once, and so are the settings if they have few pages. More are read in the background within the grace; after it
// the caller waits for them. A store that Redis does not have any more serves no request. Errors:
// ErrUnavailable.
func (s *Stores) Follow(ctx context.Context, entry *StoreEntry, headText string) (*Loaded, error) {
	if entry.lost.Swap(headText == "") != (headText == "") && headText == "" {
		s.log.Error("the store is not in Redis any more: import it again", "store", entry.ID.String())
	}
	if headText == "" {
		return nil, engine.ErrUnavailable
	}
	l := entry.Current.Load()
	if headText != l.Head.Text {
		var err error
		if _, err = ParseHead(headText); err == nil {
			l, err = s.readKeysAndUsage(ctx, entry, headText)
		}
		if errors.Is(err, redisdb.ErrCorrupt) {
			return nil, s.client.Unreadable(err, HeadKey(entry.ID))
		}
		if err != nil {
			return nil, s.Unavailable(entry, err)
		}
	}
	switch {
	case !l.lags():
		return l, nil
	case len(l.paged.Lacks(&l.state().Table)) > s.pagesAtOnce && redisdb.SinceStart(time.Now())-entry.inForce.Load() < int64(grace):
		s.LoadInBackground(entry, l.Head.Text, func() {})
		return l, nil
	}
	l, err := s.LoadUnder(ctx, entry, l.Head.Text)
	if err != nil {
		return nil, s.Unavailable(entry, err)
	}
	return l, nil
}

// FollowInBackground reads the head of a store whose requests the node answers from its memory, at most twice
// a second, so that they too are soon judged by an import or an operator's act.
func (s *Stores) FollowInBackground(entry *StoreEntry) {
	now, last := redisdb.SinceStart(time.Now()), entry.looked.Load()
	if now-last < int64(lookEvery) || !entry.looked.CompareAndSwap(last, now) {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
		defer cancel()
		if _, err := s.refresh(ctx, entry); err != nil {
			s.Unavailable(entry, err)
		}
	}()
}
