package stores

import (
	"context"
	"errors"
	"time"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

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
