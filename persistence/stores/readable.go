package stores

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"cartd/persistence/redisdb"
)

// formatError is the error of a store whose settings this program cannot decode.
type formatError struct{ error }

func (e formatError) Unwrap() error { return e.error }

// IsFormat reports whether a store cannot be read because of what Redis has, and not because Redis
// does not answer.
func IsFormat(err error) bool {
	var format formatError
	return errors.As(err, &format) || errors.Is(err, redisdb.ErrCorrupt)
}

// maxTried is the number of stores that CheckReadable reads at most.
const maxTried = 20

// CheckReadable returns the error of a store if the program can read none of the first 20 stores for
// their format. Errors also: that of Redis.
func (s *Stores) CheckReadable(ctx context.Context) error {
	ids, err := s.StoreIDs(ctx)
	if err != nil {
		return err
	}
	var fault error
	for _, id := range s.smallestFirst(ctx, ids[:min(len(ids), maxTried)]) {
		if _, err := s.LoadStore(ctx, id); !IsFormat(err) {
			return nil
		} else if fault == nil {
			fault = err
		}
	}
	return fault
}

// smallestFirst sorts stores by the number of their pages, so that the first one that can be read
// costs little.
func (s *Stores) smallestFirst(ctx context.Context, ids []uuid.UUID) []uuid.UUID {
	sizes := make(map[uuid.UUID]int, len(ids))
	for _, id := range ids {
		if p, err := s.readPresent(ctx, id); err == nil {
			sizes[id] = len(p.state().Pages)
		}
	}
	slices.SortStableFunc(ids, func(a, b uuid.UUID) int { return sizes[a] - sizes[b] })
	return ids
}
