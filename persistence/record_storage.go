package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// RecordStorage reads and writes one kind of record (actors.Storage).
type RecordStorage[S any] struct {
	*DB
	kind *Kind[S]
}

// Kind is how the records are judged, and held in memory.
func (s RecordStorage[S]) Kind() *engine.Kind[S] { return s.kind.judged }

// Send sends a visit once.
func (s RecordStorage[S]) Send(v *engine.Visit[S]) { s.send(v, nil, v.Done) }

// send sends a visit once. ready is what was written ahead of it, nil for all but change sets.
func (s RecordStorage[S]) send(v *engine.Visit[S], ready *stores.SetsReady, done func(engine.Outcome[S])) {
	d, k := s.DB, s.kind
	w := k.encodeVisit(d, v, ready)
	var grown *ratelimit.Growing
	if w.growth > 0 {
		grown = d.growing(v.Requests, w.growth, w.sale != nil && w.sale.Order != nil && w.sale.Signature == "")
	}
	if !v.Resent && !d.grows(grown) {
		go done(engine.Outcome[S]{Ending: engine.Ending{Kind: engine.TooLarge}}) // on another goroutine: the sender is at work
		return
	}
	w.done = func(r *records.Result) {
		if w.events && (r.Kind == engine.Done || r.Kind == engine.Unknown) {
			d.outbox.Announce(v.Key.Store)
		}
		if grown != nil && r.Kind != engine.Done && r.Kind != engine.Unknown {
			d.growth.Return(grown)
		}
		o := engine.Outcome[S]{Ending: r.Ending}
		if err := k.found(d, v, w, r, &o); err != nil {
			d.client.Unreadable(err, w.Key)
			o.Kind = engine.Broken
			if r.Kind == engine.Done {
				o.Kind = engine.Unknown
			}
		}
		done(o)
	}
	d.send(w)
}

// Load reads a record.
func (s RecordStorage[S]) Load(key engine.RecordKey, done func(engine.Record[S], error)) {
	if s.Away() {
		done(engine.Record[S]{}, engine.ErrUnavailable)
		return
	}
	go func() {
		name := s.kind.Key(key)
		text, err := s.client.ReadKey(background, name)
		var record engine.Record[S]
		if err == nil && text != "" {
			record, err = s.kind.Decode(key, text)
			err = s.client.Unreadable(err, name)
		}
		done(record, err)
	}()
}

// Pack appends an idle record's bytes; nothing if it must not be packed.
func (s RecordStorage[S]) Pack(dst []byte, r *engine.Record[S]) []byte {
	if s.kind.pack == nil {
		return dst
	}
	return s.kind.pack(dst, r)
}

// Unpack decodes the bytes of Pack.
func (s RecordStorage[S]) Unpack(key engine.RecordKey, packed string) (engine.Record[S], bool) {
	r, err := s.kind.Decode(key, packed)
	return r, err == nil
}

// Commit sends visits that no request asked for: those of an operator's command, and of the end of
// unpaid orders. All were judged at one time under one version of the store, and count no request. It
// carries out as many as one call of the script may have, at least one, and returns their results. beside
// (nil for none) adds further writes to a visit's plan. Each visit is a compare-and-set of its record, so
// one that is sent twice is done once. A visit that gives back a discount's last use moves the head, and
// the version then has the new one. Errors: those of a call; with the results, ErrOutdated if the store has
// other settings.
func (s RecordStorage[S]) Commit(version *engine.StoreVersion, visits []*engine.Visit[S],
	beside func(engine.RecordKey, *records.Plan) error) ([]records.Result, error) {
	call := &records.Call{Head: version.Head, Judged: visits[0].Judged, Tolerance: visits[0].Tolerance}
	var sendings []*sending
	asks, events := 0, false
	for _, v := range visits[:min(len(visits), maxVisits)] {
		w, err := s.kind.encodeBeside(s.DB, v, nil, beside)
		if err != nil {
			return nil, err
		}
		if asks += w.Plan.Asks(); asks > maxAsks && len(sendings) > 0 {
			break
		}
		sendings, call.Visits = append(sendings, w), append(call.Visits, &w.Visit)
		events = events || w.events
	}
	results, err := s.CarryOut(version.Store, s.client.Soon(), call)
	if events {
		s.outbox.Announce(version.Store)
	}
	if err != nil {
		return nil, err
	}
	for i := range results {
		sendings[i].logBeyond(&results[i])
	}
	if head := results[0].Head; head != version.Head {
		err = s.follow(version, head)
	}
	return results, err
}

// follow replaces a version's head by another one of the same settings. Errors: ErrOutdated if there are
// other settings.
func (d *DB) follow(version *engine.StoreVersion, text string) error {
	old, err := stores.ParseHead(version.Head)
	next, err2 := stores.ParseHead(text)
	if err != nil || err2 != nil || old.Stamp != next.Stamp {
		return engine.ErrOutdated
	}
	version.Head = text
	d.Stores.Entry(version.Store).Moved.Store(true)
	return nil
}

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
