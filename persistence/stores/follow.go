package stores

import (
	"context"
	"errors"
	"time"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// Follow returns the store under Redis's present head. New keys and usage counts are read at
// once. New settings are read in the background within their grace; after it the caller waits
// for them. A store that Redis does not have any more serves no request. Errors:
// ErrUnavailable.
func (s *Stores) Follow(ctx context.Context, entry *StoreEntry, headText string, now time.Time) (*Loaded, error) {
	if entry.lost.Swap(headText == "") != (headText == "") && headText == "" {
		s.log.Error("the store is not in Redis any more: import it again", "store", entry.ID.String())
	}
	if headText == "" {
		return nil, engine.ErrUnavailable
	}
	l := entry.Current.Load()
	if headText != l.Head.Text {
		h, err := ParseHead(headText)
		if err == nil {
			l, err = s.readKeysAndUsage(ctx, entry, h)
		}
		if errors.Is(err, redisdb.ErrCorrupt) {
			return nil, s.client.Unreadable(err, HeadKey(entry.ID))
		}
		if err != nil {
			return nil, s.Unavailable(entry, err)
		}
	}
	switch {
	case l.revision == l.Head.Revision:
		return l, nil
	case !l.lags(now):
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
	if now-last < int64(grace/2) || !entry.looked.CompareAndSwap(last, now) {
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
