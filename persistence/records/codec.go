package records

import (
	"strconv"
	"sync"

	"cartd/commerce"
	"cartd/engine"
)

// Codec is how one kind of record is kept.
type Codec[S any] struct {
	Key func(engine.RecordKey) string
	// Idempotency is the key of an entry in the record's own scope.
	Idempotency func(engine.RecordKey, [16]byte) string
	// Encode appends a record; the script decides what is held of the planned items.
	Encode func(dst []byte, r *engine.Record[S], planned []commerce.ItemChange) []byte
	Decode func(engine.RecordKey, string) (engine.Record[S], error)
	// Expiry appends the record's, Unix milliseconds; nothing: none.
	Expiry func([]byte, S) []byte
}

// The kinds of record. Orders are written with their quote's or cart's visit, never by one of their own.
var (
	Carts = &Codec[*commerce.Cart]{
		Key: cartKey, Idempotency: storeIdempotencyKey, Encode: appendCart,
		Decode: func(_ engine.RecordKey, text string) (engine.CartRecord, error) { return DecodeCart(text) },
		Expiry: func(dst []byte, c *commerce.Cart) []byte { return strconv.AppendInt(dst, c.ExpiresAt.UnixMilli(), 10) },
	}
	Contacts = &Codec[*commerce.Contact]{
		Key: contactKey, Idempotency: contactIdempotencyKey, Encode: unplanned(appendContact), Decode: decodeContact, Expiry: noExpiry[*commerce.Contact],
	}
	Quotes = &Codec[*commerce.Quote]{
		Key: QuoteKey, Idempotency: storeIdempotencyKey, Encode: unplanned(appendQuote), Decode: decodeQuote, Expiry: noExpiry[*commerce.Quote],
	}
	Orders = &Codec[*commerce.Order]{Key: orderKey, Encode: unplanned(appendOrder), Decode: decodeOrder}
)

// unplanned is for records that hold nothing, noExpiry for those that stay.
func unplanned[S any](encode func([]byte, *engine.Record[S]) []byte) func([]byte, *engine.Record[S], []commerce.ItemChange) []byte {
	return func(dst []byte, r *engine.Record[S], _ []commerce.ItemChange) []byte { return encode(dst, r) }
}

func noExpiry[S any](dst []byte, _ S) []byte { return dst }

// texts are buffers, of *[]byte.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// AsText is what is written into a buffer that is used again.
func AsText(write func([]byte) []byte) string {
	buffer := texts.Get().(*[]byte)
	defer texts.Put(buffer)
	*buffer = write((*buffer)[:0])
	return string(*buffer)
}

// NewVisit is the visit of one record with an empty plan. Its parts share one text. planned are the
// items whose hold the script decides on.
func NewVisit[S any](c *Codec[S], v *engine.Visit[S], planned []commerce.ItemChange) Visit {
	var seen, record, expiry int
	text := AsText(func(b []byte) []byte {
		b = append(b, c.Key(v.Key)...)
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
