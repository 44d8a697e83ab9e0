package operator

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// index is a sorted set of a store with entries of records of a kind, which can be made of the records anew.
type index struct {
	key  func(store uuid.UUID) string
	kind persistence.AnyKind
	// leaves means that such records expire, and that their entries go when they are read.
	leaves bool
	// rewrite writes a record as it is, beside a change of its index that is needed as long as needs says so.
	rewrite func(ctx context.Context, w *rewriter, id uuid.UUID, needs func([]records.IndexEntry) bool, beside func(*records.Plan)) (bool, error)
}

// indexes are all of them.
var indexes = []index{
	indexOf(persistence.Contacts, accounts.NamesKey, false), indexOf(persistence.Contacts, accounts.AwaitingKey, false),
	indexOf(persistence.Quotes, records.WaitingQuotesKey, true), indexOf(persistence.Quotes, records.OfferedQuotesKey, true),
}

func indexOf[S any](k *persistence.Kind[S], key func(uuid.UUID) string, leaves bool) index {
	return index{key: key, kind: k, leaves: leaves, rewrite: func(ctx context.Context, w *rewriter, id uuid.UUID,
		needs func([]records.IndexEntry) bool, beside func(*records.Plan)) (bool, error) {
		return rewriteRecord(ctx, w, k, id, func(state S) (S, bool) {
			return state, needs(k.Entries(engine.RecordKey{Store: w.store, ID: id}, state))
		}, func(_ engine.RecordKey, plan *records.Plan) error { beside(plan); return nil })
	}}
}

// foundEntry is an entry of an index and the record that it names; there is false if there is none.
type foundEntry struct {
	*index
	records.IndexEntry
	record engine.RecordKey
	there  bool
}

// entriesAtOnce is the number of entries whose records are read together: quotes are large.
const entriesAtOnce = 100

// eachStray calls each for the entries of an index that their records do not have.
func (o Operator) eachStray(ctx context.Context, i *index, store uuid.UUID, each func(*foundEntry) error) error {
	key := i.key(store)
	for cursor := uint64(0); ; {
		pairs, next, err := o.Redis().Redis.ZScan(ctx, key, cursor, "", entriesAtOnce).Result()
		if err != nil {
			return err
		}
		for some := range slices.Chunk(pairs, 2*entriesAtOnce) {
			if err := o.strays(ctx, i, key, store, some, each); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// strays does so for some entries, each a member and its score.
func (o Operator) strays(ctx context.Context, i *index, key string, store uuid.UUID, pairs []string, each func(*foundEntry) error) error {
	found := make([]foundEntry, len(pairs)/2)
	reads := make([]*redis.StringCmd, len(found))
	pipe := o.Redis().Redis.Pipeline()
	for n := range found {
		member := pairs[2*n]
		record := recordKeyOf(records.KeyPrefix(store, "") + member[strings.LastIndexByte(member, '\n')+1:])
		found[n] = foundEntry{i, records.IndexEntry{Key: key, Member: member, Score: pairs[2*n+1]}, record, false}
		reads[n] = pipe.Get(ctx, i.recordKey(record))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) && !redis.HasErrorPrefix(err, "WRONGTYPE") {
		return err
	}
	for n := range found {
		f := &found[n]
		text, err := reads[n].Result()
		if f.there = !errors.Is(err, redis.Nil); f.there {
			entries, err := i.kind.Check(f.record, text)
			if err != nil || slices.ContainsFunc(entries, f.Names) { // a record that cannot be read is another fault
				continue
			}
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

// recordKey is the key in Redis of a record that an index names.
func (i *index) recordKey(record engine.RecordKey) string {
	kind, _ := i.kind.Names()
	return records.KeyPrefix(record.Store, kind) + record.ID.String()
}

// eachAbsent calls each for the entries of records that their indexes lack.
func (o Operator) eachAbsent(ctx context.Context, all []foundEntry, each func(*foundEntry) error) error {
	scores := make([]*redis.FloatCmd, len(all))
	pipe := o.Redis().Redis.Pipeline()
	for n := range all {
		scores[n] = pipe.ZScore(ctx, all[n].Key, all[n].Member)
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	for n := range all {
		if errors.Is(scores[n].Err(), redis.Nil) {
			if err := each(&all[n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// foundEntries are the entries that a record has.
func foundEntries(kind persistence.AnyKind, record engine.RecordKey, entries []records.IndexEntry) (all []foundEntry) {
	for _, entry := range entries {
		for n := range indexes {
			if i := &indexes[n]; i.kind == kind && i.key(record.Store) == entry.Key {
				all = append(all, foundEntry{i, entry, record, true})
			}
		}
	}
	return all
}

// wrong reports whether an entry is still in its index without its record, or with it and not in the index: both are read at once.
func (o Operator) wrong(ctx context.Context, f *foundEntry) (bool, error) {
	pipe := o.Redis().Redis.TxPipeline()
	read, score := pipe.Get(ctx, f.recordKey(f.record)), pipe.ZScore(ctx, f.Key, f.Member)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) && !redis.HasErrorPrefix(err, "WRONGTYPE") {
		return false, err
	}
	has, listed := false, score.Err() == nil
	if text, err := read.Result(); !errors.Is(err, redis.Nil) {
		entries, err := f.kind.Check(f.record, text)
		if err != nil {
			return false, nil
		}
		has = slices.ContainsFunc(entries, f.Names)
	} else if f.leaves {
		return false, nil
	}
	return has != listed, nil
}

// IndexFault is an entry that is wrong: it is in an index and its record does not have it, or the other way round.
type IndexFault struct {
	Store         uuid.UUID
	Index, Record string
	// Lacking means that the index lacks it.
	Lacking bool
}

// fault passes an entry that is wrong to a function.
func (o Operator) fault(ctx context.Context, lacking bool, fault func(IndexFault)) func(*foundEntry) error {
	return func(f *foundEntry) error {
		wrong, err := o.wrong(ctx, f)
		if wrong {
			fault(IndexFault{Store: f.record.Store, Index: f.Key, Record: f.recordKey(f.record), Lacking: lacking})
		}
		return err
	}
}

// CheckIndexes finds the entries of a store's indexes that name no record, or one that does not have them.
func (o Operator) CheckIndexes(ctx context.Context, store uuid.UUID, fault func(IndexFault)) error {
	for n := range indexes {
		if err := o.eachStray(ctx, &indexes[n], store, o.fault(ctx, false, fault)); err != nil {
			return err
		}
	}
	return nil
}

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
