package records

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// QuoteKey is the key of a quote's record: {<store>}:quote:<quote id>. It expires QuoteKept after the
// end of a quote that was not accepted.
func QuoteKey(k engine.RecordKey) string { return idKey(k, "quote") }

// QuoteTokenKey is the key of the id of a token's quote, which expires with it:
// {<store>}:quote-token:<sha256 hex>.
func QuoteTokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	return HashKey(store, "quote-token", hash[:])
}

// CustomerQuotesKey is the key of an account's quotes by the time of their request, Unix
// milliseconds (ZSET): {<store>}:quotes:<customer id>.
func CustomerQuotesKey(customer engine.RecordKey) string { return idKey(customer, "quotes") }

// QuoteKept is how long a quote stays that was declined, or expired.
const QuoteKept = 180 * 24 * time.Hour

// quoteExpiry appends the expiry of a quote's record; nothing if it was accepted.
func quoteExpiry(dst []byte, q *commerce.Quote) []byte {
	switch {
	case q.OrderID != uuid.Nil:
		return dst
	case !q.DeclinedAt.IsZero():
		return strconv.AppendInt(dst, q.DeclinedAt.Add(QuoteKept).UnixMilli(), 10)
	}
	return strconv.AppendInt(dst, q.ValidUntil.Add(QuoteKept).UnixMilli(), 10)
}

// QuoteNumberKey is the key of the newest quote's number: {<store>}:quote-number.
func QuoteNumberKey(store uuid.UUID) string { return SingleKey(store, "quote-number") }

// SignatureKey is the key of the picture that accepted a quote, a PNG:
// {<store>}:signature:<quote id>.
func SignatureKey(k engine.RecordKey) string {
	return KeyPrefix(k.Store, "signature") + k.ID.String()
}

// EndOfNumber ends a quote's number, which is the last of its record's own fields. The script
// may append more.
const EndOfNumber = "\n"

// appendQuote encodes a quote's record.
func appendQuote(dst []byte, r *engine.Record[*commerce.Quote]) []byte {
	dst = strconv.AppendInt(AppendQuoteBody(dst, r), r.State.Number, 10)
	return append(dst, EndOfNumber...)
}

// AppendQuoteBody encodes a quote's record without its number.
func AppendQuoteBody(dst []byte, r *engine.Record[*commerce.Quote]) []byte {
	q := r.State
	dst = AppendStamp(append(dst, recordFormat), r.Stamp)
	dst = appendWriters(dst, r.Writers)
	dst = appendBlock(dst, func(dst []byte) []byte { return appendQuoteFields(dst, q) })
	dst = binary.AppendUvarint(dst, uint64(len(q.Goods.Lines)))
	for i := range q.Goods.Lines {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderLine(dst, &q.Goods.Lines[i]) })
	}
	dst = binary.AppendUvarint(dst, uint64(len(q.Goods.Discounts)))
	for i := range q.Goods.Discounts {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderDiscount(dst, &q.Goods.Discounts[i]) })
	}
	dst = binary.AppendUvarint(dst, uint64(len(q.Goods.Shipping)))
	for i := range q.Goods.Shipping {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendShippingDiscount(dst, &q.Goods.Shipping[i]) })
	}
	return dst
}

// The flags of a quote's fields.
const (
	quoteGuest = 1 << iota
	quoteSigned
	quoteIncludesTax
	quoteIsAccepted
	quoteIsDeclined
	quoteHasMetadata
)

func appendQuoteFields(dst []byte, q *commerce.Quote) []byte {
	accepted, declined := q.OrderID != uuid.Nil, !q.DeclinedAt.IsZero()
	dst = append(dst, flag(q.Customer.Guest)*quoteGuest|flag(q.Signed)*quoteSigned|flag(q.PricesIncludeTax)*quoteIncludesTax|
		flag(accepted)*quoteIsAccepted|flag(declined)*quoteIsDeclined|flag(q.Metadata != nil)*quoteHasMetadata)
	dst = append(append(dst, q.CartID[:]...), q.Customer.ID[:]...)
	dst = appendTime(appendTime(dst, q.CreatedAt), q.ValidUntil)
	for _, text := range [...]string{q.Email, q.Name, q.CompanyName, q.Phone, q.Message, q.Reference} {
		dst = appendText(dst, text)
	}
	dst = binary.AppendUvarint(dst, uint64(len(q.Reasons)))
	for _, reason := range q.Reasons {
		dst = appendText(dst, reason)
	}
	if accepted {
		dst = appendText(appendTime(append(dst, q.OrderID[:]...), q.AcceptedAt), q.SignerName)
	}
	if declined {
		dst = appendText(appendTime(dst, q.DeclinedAt), q.DeclineReason)
	}
	if q.Metadata != nil { // since format 2
		dst = appendMetadata(dst, q.Metadata)
	}
	return dst
}

func appendShippingDiscount(dst []byte, d *commerce.ShippingDiscount) []byte {
	dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderDiscount(dst, &d.OrderDiscount) })
	dst = append(dst, flag(d.Value.Fixed))
	return binary.AppendVarint(binary.AppendVarint(dst, int64(d.Value.Amount)), int64(d.Value.Percent))
}

// decodeQuote reads a quote's record. The strings of the result share text's memory.
func decodeQuote(key engine.RecordKey, text string) (engine.Record[*commerce.Quote], error) {
	r := reader{b: text}
	q := &commerce.Quote{ID: key.ID}
	record := engine.Record[*commerce.Quote]{Size: len(text), Stamp: r.open(recordFormat), Writers: r.writers(), State: q}
	r.inBlock(func(r *reader) { r.quoteFields(q) })
	q.Goods.Lines = blocks(&r, (*reader).orderLine)
	q.Goods.Discounts = blocks(&r, (*reader).orderDiscount)
	q.Goods.Shipping = blocks(&r, (*reader).shippingDiscount)
	digits, _, ended := strings.Cut(r.b, EndOfNumber)
	number, err := strconv.ParseInt(digits, 10, 64)
	if q.Number = number; r.bad || !ended || err != nil || number < 1 {
		return engine.Record[*commerce.Quote]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

func (r *reader) quoteFields(q *commerce.Quote) {
	flags := r.byte()
	q.Signed, q.PricesIncludeTax = flags&quoteSigned != 0, flags&quoteIncludesTax != 0
	q.CartID = r.uuid()
	q.Customer = commerce.Binding{ID: r.uuid(), Guest: flags&quoteGuest != 0}
	q.CreatedAt, q.ValidUntil = r.time(), r.time()
	for _, text := range [...]*string{&q.Email, &q.Name, &q.CompanyName, &q.Phone, &q.Message, &q.Reference} {
		*text = r.text()
	}
	for range r.count() {
		q.Reasons = append(q.Reasons, r.text())
	}
	if flags&quoteIsAccepted != 0 {
		q.OrderID, q.AcceptedAt, q.SignerName = r.uuid(), r.time(), r.text()
	}
	if flags&quoteIsDeclined != 0 {
		q.DeclinedAt, q.DeclineReason = r.time(), r.text()
	}
	if r.format >= 2 && flags&quoteHasMetadata != 0 {
		q.Metadata = readMetadata(r)
	}
}

func (r *reader) shippingDiscount(d *commerce.ShippingDiscount) {
	r.inBlock(func(r *reader) { r.orderDiscount(&d.OrderDiscount) })
	d.Value.Fixed = r.byte() == 1
	d.Value.Amount, d.Value.Percent = commerce.Amount(r.varint()), commerce.Percent(r.varint())
}
