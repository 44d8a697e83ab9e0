package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// rewriter changes records for an operator's command, each by the compare-and-set of every
// other write. Its writer id is its own, because a record's actor is another writer.
type rewriter struct {
	db       *DB
	store    uuid.UUID
	writer   uint64
	sequence uint64
}

func (d *DB) rewriter(store uuid.UUID) *rewriter {
	return &rewriter{db: d, store: store, writer: records.NewWriter()}
}

// rewriteTime bounds the time of a rewriting.
const rewriteTime = 10 * time.Second

// rewriteRecord changes one record. change returns false to leave it; beside (nil for none)
// adds further writes at each attempt. It returns false if the record was left or does not
// exist.
func rewriteRecord[S any](ctx context.Context, w *rewriter, k *visitCodec[S], id uuid.UUID, change func(S) (S, bool), beside func(engine.RecordKey, *records.Plan) error) (bool, error) {
	key := engine.RecordKey{Store: w.store, ID: id}
	for range stores.SaveAttempts {
		old, _, err := readRecord(ctx, w.db, k.Codec, key)
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
		outcome, err := attemptRewrite(ctx, w, k, key, &old, next, beside)
		switch {
		case err != nil:
			return false, err
		case outcome == engine.Done:
			return true, nil
		case outcome == engine.Short:
			if _, err := w.db.ExpireHolds(w.store, time.Now().Add(rewriteTime)); err != nil {
				return false, err
			}
		}
	}
	return false, fmt.Errorf("%s is being changed all the time: try again", k.Key(key))
}

func attemptRewrite[S any](ctx context.Context, w *rewriter, k *visitCodec[S], key engine.RecordKey, old *engine.Record[S], next S, beside func(engine.RecordKey, *records.Plan) error) (engine.OutcomeKind, error) {
	now, head, err := w.db.client.Now(ctx, stores.HeadKey(w.store))
	if err != nil {
		return 0, err
	}
	w.sequence++
	visit := k.encodeVisit(w.db, &engine.Visit[S]{
		Key: key, Seen: old.Stamp, Before: old.State, Writes: true, Judged: now, Tolerance: rewriteTime,
		Next: engine.Record[S]{
			Stamp:   engine.Stamp{Counter: old.Stamp.Counter + 1, Writer: w.writer, Sequence: w.sequence},
			Writers: old.Remember(w.writer, now), State: next,
		},
	})
	if beside != nil {
		if err := beside(key, &visit.Plan); err != nil {
			return 0, err
		}
	}
	results, err := w.db.Commit(w.store, w.db.client.Soon(), &records.Call{
		Head: head, Judged: now, Tolerance: rewriteTime, Visits: []*records.Visit{&visit.Visit},
	})
	if err == nil && results[0].Kind == engine.Broken {
		err = fmt.Errorf("%s: %w", results[0].Key, redisdb.ErrCorrupt)
	}
	return results[0].Kind, err
}

// rewriteAll changes the records of a kind whose keys begin with a name, as rewriteRecord does,
// and returns the number of changed ones.
func rewriteAll[S any](ctx context.Context, w *rewriter, k *visitCodec[S], name string, change func(S) (S, bool), beside func(engine.RecordKey, *records.Plan) error) (changed int, err error) {
	return changed, eachRecord(ctx, w.db, k.Codec, w.store, name, func(id uuid.UUID, state S) error {
		if _, wanted := change(state); !wanted {
			return nil
		}
		done, err := rewriteRecord(ctx, w, k, id, change, beside)
		if done {
			changed++
		}
		return err
	})
}
