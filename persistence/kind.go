package persistence

import (
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// kind is how one kind of record is kept.
type kind[S any] struct {
	key func(engine.RecordKey) string
	// once is the key of an entry in the record's own scope.
	once   func(engine.RecordKey, [16]byte) string
	encode func([]byte, *engine.Record[S]) []byte
	decode func(engine.RecordKey, string) (engine.Record[S], error)
	// expiry appends the record's, Unix milliseconds; nothing: none.
	expiry func([]byte, S) []byte
	// hold adds to a commit what it changes of the store's stock, granted completes
	// its state with what the script made of that; nil: such records hold nothing.
	hold    func(w *wire, store uuid.UUID, before, next S)
	granted func(next S, made string) (S, error)
}

var cartKind = &kind[*commerce.Cart]{
	key:    cartKey,
	once:   func(k engine.RecordKey, name [16]byte) string { return onceKey(k.Store, name) },
	encode: appendCart,
	decode: func(_ engine.RecordKey, text string) (engine.CartRecord, error) { return decodeCart(text) },
	expiry: func(dst []byte, c *commerce.Cart) []byte { return strconv.AppendInt(dst, c.ExpiresAt.UnixMilli(), 10) },
	hold:   holdStock, granted: withGrants,
}

var contactKind = &kind[*commerce.Contact]{
	key:    contactKey,
	once:   contactOnceKey,
	encode: appendContact,
	decode: decodeContact,
	expiry: func(dst []byte, _ *commerce.Contact) []byte { return dst },
}

// Send sends a cart's commit once.
func (d *DB) Send(c *engine.Commit[*commerce.Cart]) { sendRecord(d, cartKind, c) }

// Fits refuses a cart whose record would be larger than maxCartSize, and than before.
func (d *DB) Fits(before, next *commerce.Cart) error {
	if cartFits(before, next) {
		return nil
	}
	return commerce.CartTooLarge
}

// Load reads a cart's record and, where a key is given, its entry of the same moment.
func (d *DB) Load(key engine.RecordKey, once *engine.IdempotencyKey, done func(engine.CartRecord, *engine.IdempotencyEntry, error)) {
	loadRecord(d, cartKind, key, once, done)
}

// Contacts is the same Redis, as the place where contacts are kept.
type Contacts struct{ *DB }

// Contacts returns the place where contacts are kept.
func (d *DB) Contacts() Contacts { return Contacts{d} }

// Send sends a contact's commit once.
func (c Contacts) Send(commit *engine.Commit[*commerce.Contact]) {
	sendRecord(c.DB, contactKind, commit)
}

// Fits refuses nothing: the parts of a contact are bounded.
func (c Contacts) Fits(_, _ *commerce.Contact) error { return nil }

// Load reads a contact's record and, where a key is given, its entry of the same moment.
func (c Contacts) Load(key engine.RecordKey, once *engine.IdempotencyKey, done func(engine.Record[*commerce.Contact], *engine.IdempotencyEntry, error)) {
	loadRecord(c.DB, contactKind, key, once, done)
}

func sendRecord[S any](d *DB, k *kind[S], c *engine.Commit[S]) {
	w := k.wire(c)
	if c.Presumed != nil && w.hold != nil { // stock takes two trips
		go c.Done(engine.Outcome[S]{Kind: engine.Superseded})
		return
	}
	d.sendCommit(&commit{db: d, wire: w, requests: c.Requests, claim: c.Claim, uncounted: c.Uncounted, presumed: c.Presumed, done: func(r result) {
		if w.events && (r.kind == engine.Committed || r.kind == engine.Unknown) {
			d.announce(c.Key.Store)
		}
		o := engine.Outcome[S]{Kind: r.kind, Budget: r.budget, Within: r.within}
		if err := k.read(c, r.way, &o); err != nil {
			d.log.Error("record", "key", w.key, "error", err.Error())
			o.Kind = engine.Refused
			if r.kind == engine.Committed {
				o.Kind = engine.Unknown
			}
		}
		c.Done(o)
	}})
}

// read takes over what stood in a commit's way, or what the script made of it.
func (k *kind[S]) read(c *engine.Commit[S], way obstacle, o *engine.Outcome[S]) (err error) {
	if way.made != "" {
		o.Current = c.Next
		o.Current.State, err = k.granted(c.Next.State, way.made)
		return err
	}
	if way.record != "" {
		if o.Current, err = k.decode(c.Key, way.record); err != nil {
			return err
		}
	}
	o.Entries, err = parseEntries(way.entries)
	return err
}

// wire is a commit with its effects as the script takes it.
func (k *kind[S]) wire(c *engine.Commit[S]) *wire {
	w := newWire(k, c)
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Idempotency != nil {
			w.add(onceEntry, k.once(c.Key, e.Idempotency.Name), makeEntry(e, c.Next.Stamp))
		}
		if g := e.Guest; g != nil {
			w.add(setNew, contactKey(engine.RecordKey{Store: c.Key.Store, ID: g.ID}), guestRecord(g, c.Next.Stamp))
		}
		if m := e.Session; m != nil {
			w.add(moveToken, tokenKey(c.Key.Store, m.From.Token), movedToken(c.Key.ID, m))
		}
		if e.Deleted != nil {
			w.retain(c.Key, *e.Deleted)
		}
		if e.Event != nil {
			w.add(appendTo, outboxKey(c.Key.Store), outboxEntry(e.Event))
			w.events = true
		}
	}
	if k.hold != nil {
		k.hold(w, c.Key.Store, c.Before, c.Next.State)
	}
	return w
}

func loadRecord[S any](d *DB, k *kind[S], key engine.RecordKey, once *engine.IdempotencyKey, done func(engine.Record[S], *engine.IdempotencyEntry, error)) {
	if d.Away() {
		done(engine.Record[S]{}, nil, engine.ErrUnavailable)
		return
	}
	keys := []string{k.key(key)}
	if once != nil {
		keys = append(keys, k.once(key, once.Name))
	}
	go func() { done(k.load(d, key, keys)) }()
}

// load reads a record and the entry of a key (none where there is only one key).
func (k *kind[S]) load(d *DB, key engine.RecordKey, keys []string) (record engine.Record[S], entry *engine.IdempotencyEntry, err error) {
	args := []any{"MGET"}
	for _, name := range keys {
		args = append(args, name)
	}
	v, err := d.main.Run(d.soon(), &redisdb.Call{Keys: keys, Args: args})
	values, ok := v.([]any)
	if err != nil || !ok {
		return record, nil, engine.ErrUnavailable
	}
	return k.parseTogether(key, values)
}

// parseTogether reads a record and, where it was asked for, an entry that stood
// beside it at the same moment (MGET): an entry without its effect, or an effect
// without its entry, would be answered wrongly.
func (k *kind[S]) parseTogether(key engine.RecordKey, values []any) (record engine.Record[S], entry *engine.IdempotencyEntry, err error) {
	if text, ok := values[0].(string); ok {
		if record, err = k.decode(key, text); err != nil {
			return record, nil, err
		}
	}
	if len(values) > 1 {
		text, _ := values[1].(string)
		entry, err = parseEntry(text)
	}
	return record, entry, err
}
