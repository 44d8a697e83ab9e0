package persistence

import (
	"strconv"

	"cartd/commerce"
	"cartd/engine"
)

// kind is how one kind of record is kept.
type kind[S any] struct {
	key func(engine.RecordKey) string
	// once is the key of an entry in the record's own scope.
	once func(engine.RecordKey, [16]byte) string
	// encode appends a record; the script decides what is held of the planned items.
	encode func(dst []byte, r *engine.Record[S], planned []commerce.ItemChange) []byte
	decode func(engine.RecordKey, string) (engine.Record[S], error)
	// expiry appends the record's, Unix milliseconds; nothing: none.
	expiry func([]byte, S) []byte
	// ownHead: the record is the contact of its visitors' tokens.
	ownHead bool
	// hold is what a visit changes of the store's stock, granted completes its state with what the
	// script made of that; nil: such records hold nothing.
	hold    func(v *engine.Visit[S]) *commerce.HoldChange
	granted func(next S, planned []commerce.ItemChange, made string) (S, error)
	// index writes the index that such records are found by; nil if there is none.
	index func(*wire, *engine.Visit[S])
}

var cartKind = &kind[*commerce.Cart]{
	key:    cartKey,
	once:   func(k engine.RecordKey, name [16]byte) string { return onceKey(k.Store, name) },
	encode: appendCart,
	decode: func(_ engine.RecordKey, text string) (engine.CartRecord, error) { return decodeCart(text) },
	expiry: func(dst []byte, c *commerce.Cart) []byte { return strconv.AppendInt(dst, c.ExpiresAt.UnixMilli(), 10) },
	hold:   holdChange, granted: withGrants, index: indexCart,
}

var contactKind = &kind[*commerce.Contact]{
	key:  contactKey,
	once: contactOnceKey,
	encode: func(dst []byte, r *engine.Record[*commerce.Contact], _ []commerce.ItemChange) []byte {
		return appendContact(dst, r)
	},
	decode:  decodeContact,
	expiry:  func(dst []byte, _ *commerce.Contact) []byte { return dst },
	ownHead: true,
}

// Send sends a cart's visit once.
func (d *DB) Send(v *engine.Visit[*commerce.Cart]) { sendRecord(d, cartKind, v) }

// Fits refuses a cart whose record would be larger than maxCartSize, and than before.
func (d *DB) Fits(before, next *commerce.Cart) error {
	if cartFits(before, next) && len(next.Hold.Asks) <= commerce.MaxCartItems {
		return nil
	}
	return commerce.CartTooLarge
}

// Load reads a cart's record.
func (d *DB) Load(key engine.RecordKey, done func(engine.CartRecord, error)) {
	loadRecord(d, cartKind, key, done)
}

// Contacts is the same Redis, as the place where contacts are kept.
type Contacts struct{ *DB }

// Contacts returns the place where contacts are kept.
func (d *DB) Contacts() Contacts { return Contacts{d} }

// Send sends a contact's visit once.
func (c Contacts) Send(v *engine.Visit[*commerce.Contact]) { sendRecord(c.DB, contactKind, v) }

// Fits refuses nothing: the parts of a contact are bounded.
func (c Contacts) Fits(_, _ *commerce.Contact) error { return nil }

// Load reads a contact's record.
func (c Contacts) Load(key engine.RecordKey, done func(engine.Record[*commerce.Contact], error)) {
	loadRecord(c.DB, contactKind, key, done)
}

func sendRecord[S any](d *DB, k *kind[S], v *engine.Visit[S]) {
	w := k.wire(d, v)
	s := &sending{
		db: d, visit: w, version: v.Version, requests: len(v.Requests),
		judged: v.Judged, tolerance: v.Tolerance, claim: v.Claim, alone: v.Resent || v.Tolerance > engine.Drift || w.fold != nil,
	}
	s.done = func(r result) {
		if w.events && (r.kind == engine.Done || r.kind == engine.Unknown) {
			d.announce(v.Key.Store)
		}
		o := engine.Outcome[S]{Kind: r.kind, Counted: r.counted, Budget: r.budget, Within: r.Left}
		if err := k.found(d, v, w, &r, &o); err != nil {
			d.brokenBy(err, w.Key)
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
func (k *kind[S]) found(d *DB, v *engine.Visit[S], w *wire, r *result, o *engine.Outcome[S]) (err error) {
	switch r.kind {
	case engine.Done:
		if r.Made != "" {
			o.Current = v.Next
			o.Current.State, err = k.granted(v.Next.State, w.planned, r.Made)
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
		if o.Current, err = k.decode(v.Key, r.Record); err != nil {
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
				d.owners.remember(v.Key.Store, *asked.Token, o.Facts[i].TokenText)
			}
		}
	}
	return nil
}

func loadRecord[S any](d *DB, k *kind[S], key engine.RecordKey, done func(engine.Record[S], error)) {
	if d.Away() {
		done(engine.Record[S]{}, engine.ErrUnavailable)
		return
	}
	go func() {
		name := k.key(key)
		text, err := d.readKey(background, name)
		var record engine.Record[S]
		if err == nil && text != "" {
			if record, err = k.decode(key, text); err != nil {
				d.broken(name)
				err = engine.ErrUnavailable
			}
		}
		done(record, err)
	}()
}
