package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/ratelimit"
)

// RecordStorage reads and writes one kind of record (actors.Storage).
type RecordStorage[S any] struct {
	*DB
	visits *visitCodec[S]
}

// Carts is the storage of carts.
func (d *DB) Carts() RecordStorage[*commerce.Cart] {
	return RecordStorage[*commerce.Cart]{d, cartVisits}
}

// Contacts is the storage of contacts.
func (d *DB) Contacts() RecordStorage[*commerce.Contact] {
	return RecordStorage[*commerce.Contact]{d, contactVisits}
}

// Quotes is the storage of quotes.
func (d *DB) Quotes() RecordStorage[*commerce.Quote] {
	return RecordStorage[*commerce.Quote]{d, quoteVisits}
}

// OrderRecords is the storage of orders.
func (d *DB) OrderRecords() RecordStorage[*commerce.Order] {
	return RecordStorage[*commerce.Order]{d, orderVisits}
}

// Send sends a visit once.
func (s RecordStorage[S]) Send(v *engine.Visit[S]) {
	d, k := s.DB, s.visits
	w := k.encodeVisit(d, v)
	var grown *ratelimit.Growing
	if w.growth > 0 {
		grown = d.growing(v.Requests, w.growth, w.sale != nil && w.sale.Order != nil && w.sale.Signature == "")
	}
	if !v.Resent && !d.grows(grown) {
		go v.Done(engine.Outcome[S]{Ending: engine.Ending{Kind: engine.TooLarge}}) // on another goroutine: the sender is at work
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
		v.Done(o)
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
		name := s.visits.Key(key)
		text, err := s.client.ReadKey(background, name)
		var record engine.Record[S]
		if err == nil && text != "" {
			record, err = s.visits.Decode(key, text)
			err = s.client.Unreadable(err, name)
		}
		done(record, err)
	}()
}

// Pack appends an idle record's bytes; nothing if it must not be packed.
func (s RecordStorage[S]) Pack(dst []byte, r *engine.Record[S]) []byte {
	if s.visits.pack == nil {
		return dst
	}
	return s.visits.pack(dst, r)
}

// Unpack decodes the bytes of Pack.
func (s RecordStorage[S]) Unpack(key engine.RecordKey, packed string) (engine.Record[S], bool) {
	r, err := s.visits.Decode(key, packed)
	return r, err == nil
}
