package operator

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/records"
)

// Reindex makes the entries of a store's indexes right, and returns how many it has added and removed. Repeated after an interruption it
// goes on. It fails if the store does not exist.
func (o Operator) Reindex(ctx context.Context, store uuid.UUID) (added, removed int, err error) {
	if _, err := o.ReadHead(ctx, store); err != nil {
		return 0, 0, err
	}
	w := o.rewriter(store)
	for n := range indexes {
		if err := o.eachStray(ctx, &indexes[n], store, func(f *foundEntry) error {
			done, err := w.removeEntry(ctx, f)
			if done {
				removed++
			}
			return err
		}); err != nil {
			return added, removed, err
		}
	}
	if added, err = addEntries(ctx, w, persistence.Contacts); err == nil {
		var more int
		more, err = addEntries(ctx, w, persistence.Quotes)
		added += more
	}
	return added, removed, err
}

// removeEntry removes an entry that its record does not have.
func (w *rewriter) removeEntry(ctx context.Context, f *foundEntry) (bool, error) {
	if f.there {
		return f.rewrite(ctx, w, f.record.ID, func(has []records.IndexEntry) bool { return !slices.ContainsFunc(has, f.Names) }, f.Remove)
	}
	n, err := w.Redis().Redis.ZRem(ctx, f.Key, f.Member).Result() // if such a record comes meanwhile, addEntries finds it
	return n > 0, err
}

// addEntries adds the entries of records of a kind that their indexes lack.
func addEntries[S any](ctx context.Context, w *rewriter, k *persistence.Kind[S]) (added int, err error) {
	var some []foundEntry
	add := func() error {
		err := w.eachAbsent(ctx, some, func(f *foundEntry) error {
			done, err := f.rewrite(ctx, w, f.record.ID, func(has []records.IndexEntry) bool { return slices.ContainsFunc(has, f.Names) }, f.Add)
			if done {
				added++
			}
			return err
		})
		some = nil
		return err
	}
	err = eachRecord(ctx, w.Operator, k, w.store, func(id uuid.UUID, state S) error {
		key := engine.RecordKey{Store: w.store, ID: id}
		if some = append(some, foundEntries(k, key, k.Entries(key, state))...); len(some) < entriesAtOnce {
			return nil
		}
		return add()
	})
	if err == nil {
		err = add()
	}
	return added, err
}
