package persistence

import (
	"context"
	"errors"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// ChangeCatalogue carries out a change set with the store's next import. Errors: as of
// engine.Engine.ChangeCatalogue.
func (d *DB) ChangeCatalogue(r *engine.Request, set *storefile.ChangeSet) (engine.CatalogueChanged, error) {
	change := &stores.Change{Set: set, By: "key " + r.Key.Name}
	if r.Idempotency != nil {
		change.EntryKey = records.IdempotencyKey(r.Store.ID, r.Idempotency.Name)
		change.Entry = func(stamp engine.Stamp) []byte {
			return records.MakeEntry(&engine.Effects{Idempotency: r.Idempotency}, stamp)
		}
		if done, err := d.changedEarlier(r, change.EntryKey); err != nil || done.Replayed {
			return done, err
		}
	}
	if r.Fault != nil {
		return engine.CatalogueChanged{}, r.Fault
	}
	if err := set.Judge(r.Store); err != nil { // ahead of the queue, in which its merge would cost others time
		return engine.CatalogueChanged{}, err
	}
	changed, err := d.Change(r.Store.ID, change, r.Deadline)
	if errors.Is(err, stores.ErrCarriedOut) {
		return d.changedEarlier(r, change.EntryKey)
	}
	return changed, err
}

// changedEarlier answers a change set whose Idempotency-Key has an entry; zero if it has none.
func (d *DB) changedEarlier(r *engine.Request, key string) (engine.CatalogueChanged, error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	text, err := d.client.ReadKey(ctx, key)
	if err != nil {
		return engine.CatalogueChanged{}, engine.ErrUnavailable
	}
	if text == "" {
		return engine.CatalogueChanged{}, nil
	}
	entry, err := d.earlier(r, key, text)
	if err != nil {
		return engine.CatalogueChanged{}, err
	}
	return engine.CatalogueChanged{Revision: engine.RevisionOf(entry.Stamp), Replayed: true}, nil
}
