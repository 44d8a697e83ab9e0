package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// readRecords reads records in one trip, in the order of their keys; nil for one that does not exist. Errors:
// ErrUnavailable.
func readRecords[S any](d *DB, k *records.Codec[S], keys []engine.RecordKey, deadline time.Time) ([]*engine.Record[S], error) {
	texts, err := readTexts(d, k, keys, deadline)
	if err != nil {
		return nil, err
	}
	return decodeRecords(d, k, keys, texts)
}

// readTexts reads the texts of records, which decodeRecords decodes. Errors: ErrUnavailable.
func readTexts[S any](d *DB, k *records.Codec[S], keys []engine.RecordKey, deadline time.Time) ([]any, error) {
	calls := make([]*redisdb.Call, len(keys))
	for i, key := range keys {
		calls[i] = redisdb.KeyCall("GET", k.Key(key))
	}
	return d.client.ReadAll(calls, deadline)
}

// decodeRecords decodes what was read of records.
func decodeRecords[S any](d *DB, k *records.Codec[S], keys []engine.RecordKey, texts []any) ([]*engine.Record[S], error) {
	found := make([]*engine.Record[S], len(keys))
	for i, value := range texts {
		text, there := value.(string)
		if !there {
			continue
		}
		record, err := k.Decode(keys[i], text)
		if err != nil {
			return nil, d.client.Unreadable(err, k.Key(keys[i]))
		}
		found[i] = &record
	}
	return found, nil
}

// readInTurns reads the lengths of records, then a few of them at a time: together at most
// engine.MaxOrdersRead bytes, unless one has more. each gets those that exist. Errors: ErrUnavailable, those
// of room and each.
func readInTurns[S any](d *DB, k *records.Codec[S], keys []engine.RecordKey, room func(bytes int) error, deadline time.Time,
	each func(*engine.Record[S]) error) error {
	lengths, err := readLengths(d, k, keys, deadline)
	for err == nil && len(keys) > 0 {
		n, bytes := readAtOnce(lengths, engine.MaxOrdersRead)
		if err = room(bytes); err != nil {
			return err
		}
		var found []*engine.Record[S]
		found, err = readRecords(d, k, keys[:n], deadline)
		for i := 0; i < len(found) && err == nil; i++ {
			if found[i] != nil {
				err = each(found[i])
			}
		}
		room(-bytes)
		keys, lengths = keys[n:], lengths[n:]
	}
	return err
}

// readLengths reads the lengths of records, in the order of their keys.
func readLengths[S any](d *DB, k *records.Codec[S], keys []engine.RecordKey, deadline time.Time) ([]int, error) {
	calls := make([]*redisdb.Call, len(keys))
	for i, key := range keys {
		calls[i] = redisdb.KeyCall("STRLEN", k.Key(key))
	}
	values, err := d.client.ReadAll(calls, deadline)
	lengths := make([]int, len(keys))
	for i := range values {
		n, _ := values[i].(int64)
		lengths[i] = int(n)
	}
	return lengths, err
}

// readAtOnce is the number of the first records that are read together, and their bytes: at most most, but one record.
func readAtOnce(lengths []int, most int) (n, bytes int) {
	for n < len(lengths) && (n == 0 || bytes+lengths[n] <= most) {
		n, bytes = n+1, bytes+lengths[n]
	}
	return n, bytes
}

// newest reads a page of a customer's index by time, newest first, in two steps: the number of members, their
// ids. Errors: ErrUnavailable.
func (d *DB) newest(index string, customer engine.RecordKey, page func(total int) (first, end int), deadline time.Time) (
	total int, keys []engine.RecordKey, err error) {
	count, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZCARD", index)}, deadline)
	if err != nil {
		return 0, nil, err
	}
	n, _ := count[0].(int64)
	total = int(n)
	first, end := page(total)
	if first >= end {
		return total, nil, nil
	}
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZREVRANGE", index, first, end-1)}, deadline)
	if err == nil {
		keys, err = d.recordKeys(index, customer.Store, redisdb.Texts(found[0]))
	}
	return total, keys, err
}

// recordKeys parses the members of an index of a store's records. Errors: ErrUnavailable.
func (d *DB) recordKeys(index string, store uuid.UUID, members []string) ([]engine.RecordKey, error) {
	keys := make([]engine.RecordKey, len(members))
	for i, text := range members {
		id, ok := commerce.ParseID(text)
		if !ok {
			return nil, d.client.Unreadable(redisdb.ErrCorrupt, index)
		}
		keys[i] = engine.RecordKey{Store: store, ID: id}
	}
	return keys, nil
}
