package persistence

import (
	"cartd/engine"
	"cartd/persistence/records"
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
