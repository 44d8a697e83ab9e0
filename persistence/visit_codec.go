package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// visitCodec is how the visits of one kind of record are made and read.
type visitCodec[S any] struct {
	*records.Codec[S]
	// ownHead: the record is the contact of its visitors' tokens.
	ownHead bool
	// hold is what a visit changes of the store's stock, granted completes its state with what the
	// script made of that; nil: such records hold nothing.
	hold    func(v *engine.Visit[S]) *commerce.HoldChange
	granted func(next S, planned []commerce.ItemChange, made string) (S, error)
	// index writes the index that such records are found by; nil if there is none.
	index func(*encodedVisit, *engine.Visit[S])
}

var (
	cartVisits    = &visitCodec[*commerce.Cart]{Codec: records.Carts, hold: stock.Change, granted: records.WithGrants, index: indexCart}
	contactVisits = &visitCodec[*commerce.Contact]{Codec: records.Contacts, ownHead: true}
	quoteVisits   = &visitCodec[*commerce.Quote]{Codec: records.Quotes}
)

// Send sends a cart's visit once.
func (d *DB) Send(v *engine.Visit[*commerce.Cart]) { sendRecord(d, cartVisits, v) }

// Fits refuses a cart whose record would be larger than maxCartSize, and than before.
func (d *DB) Fits(before, next *commerce.Cart) error {
	if records.CartFits(before, next) && len(next.Hold.Asks) <= commerce.MaxCartItems {
		return nil
	}
	return commerce.CartTooLarge
}

// CartRoom is how large a cart may become.
func (d *DB) CartRoom() commerce.Room { return records.CartRoom() }

// Load reads a cart's record.
func (d *DB) Load(key engine.RecordKey, done func(engine.CartRecord, error)) {
	loadRecord(d, records.Carts, key, done)
}

// Contacts is the same Redis, as the place where contacts are kept.
type Contacts struct{ *DB }

// Contacts returns the place where contacts are kept.
func (d *DB) Contacts() Contacts { return Contacts{d} }

// Send sends a contact's visit once.
func (c Contacts) Send(v *engine.Visit[*commerce.Contact]) { sendRecord(c.DB, contactVisits, v) }

// Fits refuses nothing: the parts of a contact are bounded.
func (c Contacts) Fits(_, _ *commerce.Contact) error { return nil }

// Load reads a contact's record.
func (c Contacts) Load(key engine.RecordKey, done func(engine.Record[*commerce.Contact], error)) {
	loadRecord(c.DB, records.Contacts, key, done)
}

// Quotes is the same Redis, as the place where quotes are kept.
type Quotes struct{ *DB }

// Quotes returns the place where quotes are kept.
func (d *DB) Quotes() Quotes { return Quotes{d} }

// Send sends a quote's visit once.
func (q Quotes) Send(v *engine.Visit[*commerce.Quote]) { sendRecord(q.DB, quoteVisits, v) }

// Fits refuses nothing: a quote is as large as its cart was.
func (q Quotes) Fits(_, _ *commerce.Quote) error { return nil }

// Load reads a quote's record.
func (q Quotes) Load(key engine.RecordKey, done func(engine.Record[*commerce.Quote], error)) {
	loadRecord(q.DB, records.Quotes, key, done)
}

func sendRecord[S any](d *DB, k *visitCodec[S], v *engine.Visit[S]) {
	w := k.encodeVisit(d, v)
	s := &sending{
		db: d, visit: w, version: v.Version, requests: len(v.Requests),
		judged: v.Judged, tolerance: v.Tolerance, claim: v.Claim, alone: v.Resent || v.Tolerance > engine.Drift || w.fold != nil,
	}
	s.done = func(r result) {
		if w.events && (r.kind == engine.Done || r.kind == engine.Unknown) {
			d.outbox.Announce(v.Key.Store)
		}
		o := engine.Outcome[S]{Kind: r.kind, Counted: r.counted, Budget: r.budget, Within: r.Left}
		if err := k.found(d, v, w, &r, &o); err != nil {
			d.client.BrokenBy(err, w.Key)
			o.Kind = engine.Broken
			if r.kind == engine.Done {
				o.Kind = engine.Unknown
			}
		}
		v.Done(o)
	}
	d.send(s)
}

// found takes over what a visit has found, or what the script made of it.
func (k *visitCodec[S]) found(d *DB, v *engine.Visit[S], w *encodedVisit, r *result, o *engine.Outcome[S]) (err error) {
	switch r.kind {
	case engine.Done:
		if r.Made != "" {
			o.Current = v.Next
			if k.granted != nil {
				o.Current.State, err = k.granted(v.Next.State, w.planned, r.Made)
			}
		}
		if w.sale != nil && err == nil {
			o.Number, err = lastNumber(r.Made)
		}
		return err
	case engine.Short:
		o.Shortage = w.shortage(r.Granted)
		return nil
	case engine.OtherRecord, engine.OtherFacts:
	default:
		return nil
	}
	if r.Record != "" {
		if o.Current, err = k.Decode(v.Key, r.Record); err != nil {
			return err
		}
	}
	if r.kind == engine.OtherFacts {
		o.Facts = make([]engine.VisitedFacts, len(v.Requests))
		for i, asked := range v.Requests {
			if o.Facts[i], err = k.facts(w, v.Key, asked, r.Values, r.Record, r.Reply.Now); err != nil {
				return err
			}
			if asked.Token != nil {
				d.Remember(v.Key.Store, *asked.Token, o.Facts[i].TokenText)
			}
		}
	}
	return nil
}

func loadRecord[S any](d *DB, k *records.Codec[S], key engine.RecordKey, done func(engine.Record[S], error)) {
	if d.Away() {
		done(engine.Record[S]{}, engine.ErrUnavailable)
		return
	}
	go func() {
		name := k.Key(key)
		text, err := d.client.ReadKey(background, name)
		var record engine.Record[S]
		if err == nil && text != "" {
			if record, err = k.Decode(key, text); err != nil {
				d.client.Broken(name)
				err = engine.ErrUnavailable
			}
		}
		done(record, err)
	}()
}
