package operator

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

// CheckedStore is what this program reads of a store.
type CheckedStore struct {
	ID   uuid.UUID
	Name string
	// Products is the number of products. Fault is the error of a store that cannot be read, else nil.
	Products int
	Fault    error
	// Broken are the limits of an import that its document breaks; nil if there are none.
	Broken *storefile.Faults
	// BrokenKeys are the names of API keys that an import refuses.
	BrokenKeys []string
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
		if checked.Broken, checked.Fault = o.BrokenLimits(ctx, l); checked.Fault == nil {
			checked.BrokenKeys, checked.Fault = o.brokenKeys(ctx, id)
		}
		each(checked)
	}
	return nil
}

func (o Operator) brokenKeys(ctx context.Context, store uuid.UUID) (names []string, err error) {
	keys, err := o.ListKeys(ctx, store)
	for i := range keys {
		if name := keys[i].Name; !commerce.IsLine(name) || utf8.RuneCountInString(name) > commerce.MaxName {
			names = append(names, keys[i].Name)
		}
	}
	return names, err
}

// checkedKind is a kind of record with the first part of its keys after the store, and its reader.
type checkedKind struct {
	prefix, name string
	// read returns also the bounds that the record breaks, nil if there are none.
	read func(engine.RecordKey, string) (*commerce.Refusal, error)
}

func reads[S interface{ BrokenBounds() *commerce.Refusal }](k *records.Codec[S]) func(engine.RecordKey, string) (*commerce.Refusal, error) {
	return func(key engine.RecordKey, text string) (*commerce.Refusal, error) {
		record, err := k.Decode(key, text)
		if err != nil {
			return nil, err
		}
		return record.State.BrokenBounds(), nil
	}
}

// checkedKinds are the records that outlive an upgrade and have a format.
var checkedKinds = []checkedKind{
	{"cart", "carts", reads(records.Carts)},
	{"contact", "customers", reads(records.Contacts)},
	{"order", "orders", reads(records.Orders)},
	{"quote", "quotes", reads(records.Quotes)},
	{"once", "idempotency entries", func(_ engine.RecordKey, text string) (*commerce.Refusal, error) {
		_, err := records.ParseEntry(text)
		return nil, err
	}},
}

// CheckedRecords is the number of records of a kind that were read.
type CheckedRecords struct {
	Name string
	Read int
}

// RecordReport gets what a check finds.
type RecordReport struct {
	// Fault gets each record that this program cannot read, Broken each one that breaks bounds of today.
	Fault  func(key string, err error)
	Broken func(key string, bounds *commerce.Refusal)
}

// CheckRecords reads all records in Redis.
func (o Operator) CheckRecords(ctx context.Context, report RecordReport) ([]CheckedRecords, error) {
	counts := make([]CheckedRecords, len(checkedKinds))
	for i := range checkedKinds {
		counts[i].Name = checkedKinds[i].name
	}
	return counts, o.ScanAll(ctx, func(keys []string) error {
		return o.checkPage(ctx, keys, counts, &report)
	})
}

// checkPage reads the records of one page of keys.
func (o Operator) checkPage(ctx context.Context, keys []string, counts []CheckedRecords, report *RecordReport) error {
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
	for i, answer := range answers {
		text, err := answer.(*redis.StringCmd).Result()
		if errors.Is(err, redis.Nil) {
			continue // expired meanwhile
		}
		if redis.HasErrorPrefix(err, "WRONGTYPE") {
			report.Fault(wanted[i], err)
			continue
		}
		if err != nil {
			return err
		}
		counts[kinds[i]].Read++
		broken, err := checkedKinds[kinds[i]].read(recordKeyOf(wanted[i]), text)
		switch {
		case err != nil:
			report.Fault(wanted[i], err)
		case broken != nil:
			report.Broken(wanted[i], broken)
		}
	}
	if len(answers) == 0 && len(wanted) > 0 {
		return err
	}
	return nil
}

// kindOf returns the index in checkedKinds of a key {store}:kind:…; -1 if the key is of no record.
func kindOf(key string) int {
	_, rest, _ := strings.Cut(key, "}:")
	prefix, id, found := strings.Cut(rest, ":")
	for i := range checkedKinds {
		if found && checkedKinds[i].prefix == prefix && id != "" {
			return i
		}
	}
	return -1
}

// recordKeyOf returns the ids in the key of a record; zero ones if it has others.
func recordKeyOf(key string) (k engine.RecordKey) {
	store, rest, _ := strings.Cut(strings.TrimPrefix(key, "{"), "}:")
	k.Store, _ = commerce.ParseID(store)
	k.ID, _ = commerce.ParseID(rest[strings.LastIndexByte(rest, ':')+1:])
	return k
}
