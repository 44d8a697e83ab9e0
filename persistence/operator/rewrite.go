package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// rewriter changes records of a store for one command.
type rewriter struct {
	Operator
	store  uuid.UUID
	writer *records.Writer
}

func (o Operator) rewriter(store uuid.UUID) *rewriter {
	return &rewriter{Operator: o, store: store, writer: records.MakeWriter()}
}

// rewriteTime bounds the time of a rewriting.
const rewriteTime = 10 * time.Second

// rewriteRecord changes one record. change returns false to leave it; beside (nil for none)
// adds further writes at each attempt. It returns false if the record was left or does not
// exist.
func rewriteRecord[S any](ctx context.Context, w *rewriter, k *persistence.Kind[S], id uuid.UUID, change func(S) (S, bool),
	beside func(engine.RecordKey, *records.Plan) error) (bool, error) {
	key := engine.RecordKey{Store: w.store, ID: id}
	for range stores.SaveAttempts {
		old, _, err := readRecord(ctx, w.Operator, k.Codec, key)
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		next, changed := change(old.State)
		if !changed {
			return false, nil
		}
		result, err := attemptRewrite(ctx, w, k, key, &old, next, beside)
		switch {
		case err != nil:
			return false, err
		case result.Kind == engine.Done:
			return true, nil
		case result.Kind == engine.Broken:
			return false, fmt.Errorf("%s: %w", result.Key, redisdb.ErrCorrupt)
		case result.Kind == engine.Short:
			if _, err := w.ExpireHolds(w.store, time.Now().Add(rewriteTime)); err != nil {
				return false, err
			}
		}
	}
	return false, fmt.Errorf("%s is being changed all the time: try again", k.Key(key))
}

func attemptRewrite[S any](ctx context.Context, w *rewriter, k *persistence.Kind[S], key engine.RecordKey, old *engine.Record[S], next S,
	beside func(engine.RecordKey, *records.Plan) error) (records.Result, error) {
	headKey := stores.HeadKey(w.store)
	now, head, err := w.Redis().Now(ctx, headKey)
	if err != nil {
		return records.Result{}, err
	}
	version := &engine.StoreVersion{Store: w.store, Head: head, HeadKey: headKey}
	results, err := k.In(w.DB).Commit(version, []*engine.Visit[S]{{
		Key: key, Seen: old.Stamp, Before: old.State, Writes: true, Judged: now, Tolerance: rewriteTime, Version: version,
		Next: records.Next(w.writer, old, next, now),
	}}, beside)
	if len(results) == 0 {
		return records.Result{}, err
	}
	return results[0], nil // under another head it is judged again
}

// rewriteAll changes the records of a kind, as rewriteRecord does, and returns the number of changed ones.
func rewriteAll[S any](ctx context.Context, w *rewriter, k *persistence.Kind[S], change func(engine.RecordKey, S) (S, bool),
	beside func(engine.RecordKey, *records.Plan) error) (changed int, err error) {
	err = eachRecord(ctx, w.Operator, k, w.store, func(id uuid.UUID, state S) error {
		own := func(state S) (S, bool) { return change(engine.RecordKey{Store: w.store, ID: id}, state) }
		if _, wanted := own(state); !wanted {
			return nil
		}
		done, err := rewriteRecord(ctx, w, k, id, own, beside)
		if done {
			changed++
		}
		return err
	})
	return changed, err
}
