package records

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// QuoteTokenKey is the key of the id of a token's quote, which expires with it:
// {<store>}:quote-token:<sha256 hex>.
func QuoteTokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	return HashKey(store, "quote-token", hash[:])
}

// CustomerQuotesKey is the key of an account's or a guest's quotes by the time of their request, Unix
// milliseconds (ZSET): {<store>}:quotes:<customer id>.
func CustomerQuotesKey(customer engine.RecordKey) string { return idKey(customer, "quotes") }

// QuoteListKey is the key of the ids of the store's quotes, in the order of their numbers, which begin at 1 (LIST):
// {<store>}:quote-list. The entry of a number without a quote is empty.
func QuoteListKey(store uuid.UUID) string { return SingleKey(store, "quote-list") }

// WaitingQuotesKey is the key of the quotes that wait for the merchant, by the time since when, Unix milliseconds
// (ZSET): {<store>}:quote-waiting.
func WaitingQuotesKey(store uuid.UUID) string { return SingleKey(store, "quote-waiting") }

// OfferedQuotesKey is the key of the offers by their end, Unix milliseconds (ZSET): {<store>}:quote-offered.
func OfferedQuotesKey(store uuid.UUID) string { return SingleKey(store, "quote-offered") }

// QuoteKept is how long a quote stays that was declined or withdrawn, or expired, and a draft that was never offered
// after its last write. A deleted one stays until no sending of its visit is under way any more.
const (
	QuoteKept = 180 * 24 * time.Hour
	goneKept  = engine.WriterMemory
)

// quoteExpiry appends the expiry of a quote's record; nothing if it was accepted.
func quoteExpiry(dst []byte, q *commerce.Quote) []byte {
	if end := QuoteEnd(q); !end.IsZero() {
		return strconv.AppendInt(dst, end.UnixMilli(), 10)
	}
	return dst
}

// QuoteEnd is when a quote leaves; zero for an accepted one, which stays.
func QuoteEnd(q *commerce.Quote) time.Time {
	switch {
	case q.Gone:
		return q.CreatedAt.Add(goneKept)
	case q.OrderID != uuid.Nil:
		return time.Time{}
	case !q.DeclinedAt.IsZero():
		return q.DeclinedAt.Add(QuoteKept)
	case !q.WithdrawnAt.IsZero():
		return q.WithdrawnAt.Add(QuoteKept)
	case q.Version > 0:
		return q.ValidUntil.Add(QuoteKept)
	}
	return q.WrittenAt().Add(QuoteKept)
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

// appendQuote encodes a quote's record. The script makes the number of a first offer, and appends it as the last of
// the made texts: the record has none ahead of its end.
func appendQuote(dst []byte, r *engine.Record[*commerce.Quote]) []byte {
	dst = AppendQuoteBody(dst, r)
	if q := r.State; q.Number > 0 || q.Version == 0 {
		dst = strconv.AppendInt(dst, q.Number, 10)
	}
	return append(dst, EndOfNumber...)
}

// NumberOf is the number that a visit made of a quote's first offer, the last of the made texts.
func NumberOf(made string) (int64, error) {
	n, err := strconv.ParseInt(made[strings.LastIndexByte(made, '\n')+1:], 10, 64)
	if err != nil || n < 1 {
		return 0, redisdb.ErrCorrupt
	}
	return n, nil
}

// AppendQuoteBody encodes a quote's record without its number.
func AppendQuoteBody(dst []byte, r *engine.Record[*commerce.Quote]) []byte {
	c := writing(dst)
	for c.quote(r); !c.written(dst); c.quote(r) {
	}
	return c.out
}

// decodeQuote reads a quote's record. The strings of the result share text's memory.
func decodeQuote(key engine.RecordKey, text string) (engine.Record[*commerce.Quote], error) {
	c := reading(text)
	q := &commerce.Quote{ID: key.ID}
	record := engine.Record[*commerce.Quote]{Size: len(text), State: q}
	c.quote(&record)
	digits, after, ended := strings.Cut(c.in.b, EndOfNumber)
	var number int64
	var err error
	if digits == "" {
		texts, ok := Made(after)
		c.check(ok)
		number, err = NumberOf(texts)
	} else {
		number, err = strconv.ParseInt(digits, 10, 64)
	}
	if q.Number = number; c.in.bad || !ended || err != nil || number < 0 || (number == 0) != (q.Version == 0) {
		return engine.Record[*commerce.Quote]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

// quote is a quote's record without its number.
func (c *coder) quote(r *engine.Record[*commerce.Quote]) {
	c.open(&r.Stamp)
	c.writers(&r.Writers)
	c.block(func() { c.quoteFields(r.State) })
	blocks(c, &r.State.Goods.Lines, c.orderLine)
	blocks(c, &r.State.Goods.Discounts, c.orderDiscount)
	blocks(c, &r.State.Goods.Shipping, c.shippingDiscount)
	c.block(func() { c.quoteRest(r.State) })
}

func (c *coder) quoteFields(q *commerce.Quote) {
	isAccepted, isDeclined, hasMetadata, byCountry := q.OrderID != uuid.Nil, !q.DeclinedAt.IsZero(), q.Metadata != nil, q.Tax.Country != commerce.Country{}
	c.flags(&q.Customer.Guest, &q.Signed, &q.Tax.Included, &isAccepted, &isDeclined, &hasMetadata, &byCountry)
	c.uuid(&q.CartID)
	c.uuid(&q.Customer.ID)
	c.time(&q.CreatedAt)
	c.timeOrNone(&q.ValidUntil)
	c.texts(&q.Email, &q.Name, &q.CompanyName, &q.Phone, &q.Message, &q.Reference)
	entries(c, &q.Reasons, c.text)
	if isAccepted {
		c.uuid(&q.OrderID)
		c.time(&q.AcceptedAt)
		c.text(&q.SignerName)
	}
	if isDeclined {
		c.time(&q.DeclinedAt)
		c.text(&q.DeclineReason)
	}
	if hasMetadata {
		c.metadata(&q.Metadata)
	}
	if byCountry {
		c.taxation(&q.Tax, &q.VATID)
	}
}

func (c *coder) shippingDiscount(d *commerce.ShippingDiscount) {
	c.block(func() { c.orderDiscount(&d.OrderDiscount) })
	c.is(&d.Value.Fixed)
	varint(c, &d.Value.Amount)
	varint(c, &d.Value.Percent)
}

// quoteRest are the fields of a quote that the merchant's side has.
func (c *coder) quoteRest(q *commerce.Quote) {
	hasDelivery, isHeld, hasSource, hasDraft := q.Delivery != nil, q.Held != nil, q.Source != nil, q.Draft != nil
	asksChange, isWithdrawn := !q.ChangeAt.IsZero(), !q.WithdrawnAt.IsZero()
	c.flags(&hasDelivery, &isHeld, &hasSource, &hasDraft, &asksChange, &isWithdrawn, &q.Gone)
	varint(c, &q.Version)
	c.texts(&q.OfferMessage, &q.InternalNote)
	if hasDelivery {
		c.fixedDelivery(made(&q.Delivery))
	}
	if isHeld {
		c.time(&q.HoldUntil)
		entries(c, &q.Held, c.stockAsk)
	}
	if asksChange {
		c.time(&q.ChangeAt)
		c.text(&q.ChangeMessage)
	}
	if isWithdrawn {
		c.time(&q.WithdrawnAt)
		c.text(&q.WithdrawReason)
	}
	entries(c, &q.History, c.quoteAct)
	if hasSource {
		c.block(func() { c.draft(made(&q.Source)) })
	}
	if hasDraft {
		c.block(func() { c.draft(made(&q.Draft)) })
	}
}

func (c *coder) quoteAct(a *commerce.QuoteAct) {
	c.time(&a.At)
	c.texts(&a.Event, &a.By, &a.Text)
	varint(c, &a.Version)
	varint(c, &a.Total)
}

func (c *coder) fixedDelivery(f *commerce.FixedDelivery) {
	c.uuid(&f.MethodID)
	c.texts(&f.Name, &f.TaxCode)
	varint(c, &f.Price)
	varint(c, &f.Home)
	varint(c, &f.Rate)
}

func (c *coder) draft(d *commerce.QuoteDraft) {
	hasRows, hasDiscount, hasDelivery := d.Rows != nil, d.Discount != nil, d.Delivery != nil
	c.flags(&d.Included, &d.HoldStock, &hasRows, &hasDiscount, &hasDelivery)
	c.time(&d.At)
	c.bytes(d.Country[:])
	c.optionalMoment(&d.ValidUntil)
	c.texts(&d.LinesName, &d.Mode, &d.OfferMessage)
	if hasRows {
		if blocks(c, &d.Rows, c.orderDiscount); d.Rows == nil {
			d.Rows = []commerce.OrderDiscount{}
		}
	}
	blocks(c, &d.Shipping, c.shippingDiscount)
	if hasDiscount {
		w := made(&d.Discount)
		c.is(&w.ByPercent)
		c.text(&w.Name)
		varint(c, &w.Percent)
		varint(c, &w.Amount)
	}
	if hasDelivery {
		c.fixedDelivery(made(&d.Delivery))
	}
	blocks(c, &d.Lines, c.draftLine)
}

// optionalMoment is a time of any year that may be zero.
func (c *coder) optionalMoment(t *time.Time) {
	if c.has(!t.IsZero()) {
		c.moment(t)
	}
}

func (c *coder) draftLine(l *commerce.DraftLine) {
	c.block(func() { c.orderLine(&l.OrderLine) })
	c.is(&l.Own)
	varint(c, &l.Discount)
	c.text(&l.TaxCode)
}
