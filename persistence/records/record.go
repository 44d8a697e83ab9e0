package records

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// A record has: format (1 byte), stamp (24 bytes), the kind's fixed head if it has one, the
// table of writers, the packed state. Blocks begin with their length, so that a reader skips fields
// that it does not know, and takes an absent one for its default.

// A node writes a record in recordFormat, or in newestFormat if one of its values uses a field that
// this format appended, and reads all formats up to newestFormat. 0.1.0 has one format. A node that cannot
// read a format answers 503 and drops nothing. All kinds have the same formats, because they share values:
// carts, quotes and orders have lines, contacts and orders have addresses. To append a field to a value,
// state it last in the value's block (see coder), after raising newestFormat if this is the first one of a
// release.
const (
	recordFormat = 1
	newestFormat = 1
)

const (
	stampSize = 24
	StampFrom = 1 // in a record
	HeadFrom  = StampFrom + stampSize
)

// AppendStamp encodes a stamp in 24 bytes.
func AppendStamp(dst []byte, s engine.Stamp) []byte {
	dst = binary.BigEndian.AppendUint64(dst, s.Counter)
	dst = binary.BigEndian.AppendUint64(dst, s.Writer)
	return binary.BigEndian.AppendUint64(dst, s.Sequence)
}

// ParseStamp decodes the 24 bytes of a stamp. No bytes are the zero stamp, of no record.
func ParseStamp(b string) (engine.Stamp, error) {
	if len(b) == 0 {
		return engine.Stamp{}, nil
	}
	if len(b) != stampSize {
		return engine.Stamp{}, redisdb.ErrCorrupt
	}
	r := reader{b: b}
	return r.stamp(), nil
}

// Codec encodes and decodes one kind of record.
type Codec[S any] struct {
	// Kind is the first part of its keys after the store.
	Kind string
	// single is true if a store has one record of the kind, whose key has no id.
	single bool
	// Idempotency is the key of an entry in the record's own scope.
	Idempotency func(engine.RecordKey, [16]byte) string
	// Encode appends a record. The script decides how much of the planned items is held.
	Encode func(dst []byte, r *engine.Record[S], planned []commerce.ItemChange) []byte
	Decode func(engine.RecordKey, string) (engine.Record[S], error)
	// Expiry appends the record's expiry, Unix milliseconds; nothing if it has none.
	Expiry func([]byte, S) []byte
}

// Key is the record's key.
func (c *Codec[S]) Key(k engine.RecordKey) string {
	if c.single {
		return SingleKey(k.Store, c.Kind)
	}
	return idKey(k, c.Kind)
}

// Same reports whether two states have one text.
func (c *Codec[S]) Same(a, b S) bool {
	return bytes.Equal(c.Encode(nil, &engine.Record[S]{State: a}, nil), c.Encode(nil, &engine.Record[S]{State: b}, nil))
}

// appendKey appends the record's key.
func (c *Codec[S]) appendKey(dst []byte, k engine.RecordKey) []byte {
	if c.single {
		return append(dst, SingleKey(k.Store, c.Kind)...)
	}
	return appendIDKey(dst, k, c.Kind)
}

// The texts of each kind of record. An order is made with its quote's or cart's visit; its later writes are
// its own.
var (
	// {<store>}:cart:<cart id>, which expires with the cart.
	Carts = &Codec[*commerce.Cart]{
		Kind: engine.CartKind.Name, Idempotency: storeIdempotencyKey, Encode: appendCart,
		Decode: func(_ engine.RecordKey, text string) (engine.CartRecord, error) { return decodeCart(text) },
		Expiry: func(dst []byte, c *commerce.Cart) []byte { return strconv.AppendInt(dst, c.ExpiresAt.UnixMilli(), 10) },
	}
	// {<store>}:contact:<customer id>, which never expires.
	Contacts = &Codec[*commerce.Contact]{
		Kind: engine.ContactKind.Name, Idempotency: contactIdempotencyKey, Encode: unplanned(appendContact),
		Decode: decodeContact, Expiry: noExpiry[*commerce.Contact],
	}
	// {<store>}:quote:<quote id>, which expires QuoteKept after the end of a quote that was not accepted.
	Quotes = &Codec[*commerce.Quote]{
		Kind: engine.QuoteKind.Name, Idempotency: storeIdempotencyKey, Encode: unplanned(appendQuote), Decode: decodeQuote, Expiry: quoteExpiry,
	}
	// {<store>}:order:<order id>, which never expires.
	Orders = &Codec[*commerce.Order]{
		Kind: engine.OrderKind.Name, Idempotency: storeIdempotencyKey, Encode: unplanned(appendOrder),
		Decode: decodeOrder, Expiry: noExpiry[*commerce.Order],
	}
	// {<store>}:store, which never expires but after its store was dropped. The id of its key is zero.
	Stores = &Codec[*engine.StoreState]{
		Kind: engine.StoreKind.Name, single: true, Idempotency: storeIdempotencyKey, Encode: unplanned(appendStore), Decode: decodeStore,
		Expiry: noExpiry[*engine.StoreState],
	}
)

// unplanned is for records without holds, noExpiry for records without expiry.
func unplanned[S any](encode func([]byte, *engine.Record[S]) []byte) func([]byte, *engine.Record[S], []commerce.ItemChange) []byte {
	return func(dst []byte, r *engine.Record[S], _ []commerce.ItemChange) []byte { return encode(dst, r) }
}

func noExpiry[S any](dst []byte, _ S) []byte { return dst }

// texts are buffers, of *[]byte.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// AsText returns the text that write appends to a shared buffer.
func AsText(write func([]byte) []byte) string {
	buffer := texts.Get().(*[]byte)
	defer texts.Put(buffer)
	*buffer = write((*buffer)[:0])
	return string(*buffer)
}

// NewVisit makes a visit of one record with an empty plan. Its parts share one text. The script
// decides how much of the planned items is held.
func NewVisit[S any](c *Codec[S], v *engine.Visit[S], planned []commerce.ItemChange) Visit {
	var seen, record, expiry int
	text := AsText(func(b []byte) []byte {
		b = c.appendKey(b, v.Key)
		if seen = len(b); !v.Seen.Zero() {
			b = AppendStamp(b, v.Seen)
		}
		if record = len(b); !v.Writes {
			expiry = record
			return b
		}
		b = c.Encode(b, &v.Next, planned)
		expiry = len(b)
		return c.Expiry(b, v.Next.State)
	})
	return Visit{Key: text[:seen], Seen: text[seen:record], Record: text[record:expiry], Expiry: text[expiry:]}
}

// All keys of a store begin with its hash tag, so that they share a slot. The keys of one noun
// stand in the noun's file.

// SingleKey is a key that a store has once.
func SingleKey(store uuid.UUID, kind string) string { return "{" + store.String() + "}:" + kind }

// KeyPrefix is the beginning of the keys that a store has many of.
func KeyPrefix(store uuid.UUID, kind string) string { return SingleKey(store, kind) + ":" }

// maxKey is room for the longest key of a record or a hash: a tag, a kind, 64 digits.
const maxKey = 128

// idKey is a key that ends with an id.
func idKey(k engine.RecordKey, kind string) string {
	var key [maxKey]byte
	return string(appendIDKey(key[:0], k, kind))
}

// appendIDKey appends a key that ends with an id.
func appendIDKey(dst []byte, k engine.RecordKey, kind string) []byte {
	return commerce.AppendID(appendPrefix(dst, k.Store, kind), k.ID)
}

// HashKey is a key that ends with a hash, in hexadecimal digits.
func HashKey(store uuid.UUID, kind string, hash []byte) string {
	var key [maxKey]byte
	return string(hex.AppendEncode(appendPrefix(key[:0], store, kind), hash))
}

func appendPrefix(dst []byte, store uuid.UUID, kind string) []byte {
	dst = append(commerce.AppendID(append(dst, '{'), store), "}:"...)
	return append(append(dst, kind...), ':')
}

// Millis is a time as an argument of a script; empty for the zero time.
func Millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// NewWriter makes a writer's id for stamps: 64 random bits.
func NewWriter() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}

// Writer stamps changes of records that no actor makes: those of an operator's command, of an import,
// and of the end of unpaid orders. Its id is its own, because a record's actor is another writer.
type Writer struct{ id, sequence uint64 }

// MakeWriter makes a writer with a fresh id.
func MakeWriter() *Writer { return &Writer{id: NewWriter()} }

// Next is the record that replaces an old one. Its stamp is the writer's next one.
func Next[S any](w *Writer, old *engine.Record[S], state S, now time.Time) engine.Record[S] {
	return engine.Record[S]{Stamp: w.After(old.Stamp), Writers: old.Remember(w.id, now), State: state}
}

// ID is the writer's id.
func (w *Writer) ID() uint64 { return w.id }

// After is the writer's next stamp, for the record that replaces one with the stamp old.
func (w *Writer) After(old engine.Stamp) engine.Stamp {
	w.sequence++
	return engine.Stamp{Counter: old.Counter + 1, Writer: w.id, Sequence: w.sequence}
}
