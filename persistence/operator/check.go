package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/records"
)

// CheckedStore is what this program reads of a store.
type CheckedStore struct {
	ID   uuid.UUID
	Name string
	// Products is the number of products. Fault is the error of a store that cannot be read, else nil.
	Products int
	Fault    error
}

// CheckStores reads all stores, one after another, in the order of their ids.
func (o Operator) CheckStores(ctx context.Context, each func(CheckedStore)) error {
	ids, err := o.StoreIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		l, err := o.LoadStore(ctx, id)
		if err != nil {
			each(CheckedStore{ID: id, Fault: err})
			continue
		}
		checked := CheckedStore{ID: id, Name: l.Store.Name, Products: len(l.Store.Products)}
		err = o.CheckNamed(ctx, id, func(key string, err error) { checked.Fault = cmp.Or(checked.Fault, fmt.Errorf("%s %w", key, err)) })
		checked.Fault = cmp.Or(checked.Fault, err)
		each(checked)
	}
	return nil
}

// checkedKinds are the records that outlive an upgrade and have a format.
var checkedKinds = append(slices.Clone(persistence.Kinds), idempotencyEntries{})

// idempotencyEntries are records, too, but of no kind with actors.
type idempotencyEntries struct{}

func (idempotencyEntries) Names() (name, plural string) { return "once", "idempotency entries" }

func (idempotencyEntries) Check(_ engine.RecordKey, text string) ([]records.IndexEntry, error) {
	_, err := records.ParseEntry(text)
	return nil, err
}

// CheckedRecords is the number of records of a kind that were read.
type CheckedRecords struct {
	Name string
	Read int
}

// CheckRecords reads all records in Redis. fault gets each one that this program cannot read, wrong each entry that an index lacks.
func (o Operator) CheckRecords(ctx context.Context, fault func(key string, err error), wrong func(IndexFault)) ([]CheckedRecords, error) {
	counts := make([]CheckedRecords, len(checkedKinds))
	for i, kind := range checkedKinds {
		_, counts[i].Name = kind.Names()
	}
	return counts, o.ScanAll(ctx, func(keys []string) error { return o.checkPage(ctx, keys, counts, fault, wrong) })
}

// checkPage reads the records of one page of keys.
func (o Operator) checkPage(ctx context.Context, keys []string, counts []CheckedRecords, fault func(key string, err error), wrong func(IndexFault)) error {
	if err := o.checkUnnamed(ctx, keys, fault); err != nil {
		return err
	}
	kinds, wanted := make([]int, 0, len(keys)), keys[:0]
	for _, key := range keys {
		if kind := kindOf(key); kind >= 0 {
			kinds, wanted = append(kinds, kind), append(wanted, key)
		}
	}
	pipe := o.Redis().Redis.Pipeline()
	for _, key := range wanted {
		pipe.Get(ctx, key)
	}
	answers, err := pipe.Exec(ctx)
	var all []foundEntry
	for i, answer := range answers {
		text, err := answer.(*redis.StringCmd).Result()
		if errors.Is(err, redis.Nil) {
			continue // expired meanwhile
		}
		if redis.HasErrorPrefix(err, "WRONGTYPE") {
			fault(wanted[i], err)
			continue
		}
		if err != nil {
			return err
		}
		counts[kinds[i]].Read++
		kind, record := checkedKinds[kinds[i]], recordKeyOf(wanted[i])
		entries, err := kind.Check(record, text)
		if err != nil {
			fault(wanted[i], err)
			continue
		}
		all = append(all, foundEntries(kind, record, entries)...)
	}
	if len(answers) == 0 && len(wanted) > 0 {
		return err
	}
	return o.eachAbsent(ctx, all, o.fault(ctx, true, wrong))
}

// checkUnnamed finds pages of documents that no record names and that do not expire.
func (o Operator) checkUnnamed(ctx context.Context, keys []string, fault func(key string, err error)) error {
	pages := map[uuid.UUID][]string{}
	for _, key := range keys {
		if store := recordKeyOf(key).Store; store != uuid.Nil && strings.HasPrefix(key, records.PagePrefix(store)) {
			pages[store] = append(pages[store], key)
		}
	}
	for store, some := range pages {
		if err := o.CheckUnnamed(ctx, store, some, fault); err != nil {
			return err
		}
	}
	return nil
}

// kindOf returns the index in checkedKinds of a key {store}:kind:…; -1 if the key is of no record.
func kindOf(key string) int {
	_, rest, _ := strings.Cut(key, "}:")
	prefix, id, found := strings.Cut(rest, ":")
	return slices.IndexFunc(checkedKinds, func(kind persistence.AnyKind) bool {
		name, _ := kind.Names()
		return found && name == prefix && id != ""
	})
}

// recordKeyOf returns the ids in the key of a record; zero ones if it has others.
func recordKeyOf(key string) (k engine.RecordKey) {
	store, rest, _ := strings.Cut(strings.TrimPrefix(key, "{"), "}:")
	k.Store, _ = commerce.ParseID(store)
	k.ID, _ = commerce.ParseID(rest[strings.LastIndexByte(rest, ':')+1:])
	return k
}
