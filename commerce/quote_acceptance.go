package commerce

import (
	"encoding/base64"
	"strings"

	"github.com/google/uuid"
)

// AcceptQuote makes an order of the quote: docs/api/quotes.md#by-token.
type AcceptQuote struct {
	// OrderID is the id for the new order.
	OrderID uuid.UUID
	AcceptForm
}

// AcceptForm is the body of an accept.
type AcceptForm struct {
	// Faults are the faults that the decoder found in the fields, without the signature's.
	Faults     Faults
	Signature  AskedSignature
	SignerName string
	AskedDelivery
	// ExpectedTotal is the order's total as the customer saw it; nil if none was sent.
	ExpectedTotal *Amount
	// Payment is the time in which the order must be paid, in minutes.
	Payment AskedMinutes
	// Version is the one that the customer saw; 0 if none was sent, which is the first.
	Version int64
}

// AskedSignature is an optional signature.
type AskedSignature struct {
	Sent bool
	// NoText is true if the value sent is no text. PNG is the picture; empty if the text is no
	// signature.
	NoText bool
	PNG    string
}

// acceptFields is the order in which faults of the fields are reported.
var acceptFields = []string{
	"version", "signature", "signer_name", "shipping_method_id", "shipping_address", "billing_address", "expected_total_amount", "payment_minutes",
}

func (*AcceptQuote) Locate(*Quote) *Refusal { return nil }

// Apply sells the promised goods, delivered at today's price, if there is enough stock.
func (a *AcceptQuote) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	t := &evaluatedCart{Evaluation: Evaluation{Cart: next.Cart()}, store: in.Store}
	order := &Order{
		ID: a.OrderID, CartID: next.CartID, QuoteID: next.ID, Email: next.Email, Customer: next.Customer,
		Reference: next.Reference, Metadata: next.Metadata, PlacedAt: in.Now, VATID: next.VATID,
	}
	if version := max(a.Version, 1); version != int64(next.Version) && !a.Faults.has("version") {
		return Effects{}, QuoteChanged.atVersion(next.Version)
	}
	faults := a.Faults.clone()
	if next.Signed && a.Signature.NoText {
		faults.Add("signature", MsgString("signature"))
	}
	to := a.addresses(nil)
	delivery := next.consignment(t.store)
	method := a.deliver(order, delivery, to, &faults)
	next.judgeCountry(to, delivery.shipped, &faults)
	payment := a.Payment.paymentTime(t.store, &faults)
	if refusal := faults.inOrder(acceptFields).Refusal(); refusal != nil {
		return Effects{}, refusal
	}
	takes := t.Cart.asks(t.store)
	switch {
	case next.Signed && !a.Signature.Sent:
		return Effects{}, SignatureRequired
	case next.Signed && a.Signature.PNG == "":
		return Effects{}, SignatureInvalid
	case !order.fill(&next.Goods, delivery.by(method), next.Tax):
		return Effects{}, TotalLimitReached.atMost(int64(MaxAmount))
	case a.ExpectedTotal != nil && *a.ExpectedTotal != order.Totals.Total:
		return Effects{}, TotalChanged.atTotal(order.Totals.Total)
	case len(takes) > MaxCartItems:
		return Effects{}, CartTooLarge.atMost(MaxCartItems)
	}
	if short := t.short(in.Shortage.available); short != nil {
		return Effects{}, OutOfStock.Of(short)
	}
	order.take(takes, t.store)
	order.payWithin(payment)
	next.OrderID, next.AcceptedAt, next.SignerName = order.ID, in.Now, a.SignerName
	next.release()
	next.note(HistoryAccepted, in, order.Totals.Total, "")
	sale := &Sale{Store: t.store, CartID: next.CartID, Holder: next.ID, Order: order, Takes: takes}
	if next.Signed {
		sale.Signature = a.Signature.PNG
	}
	return Effects{Made: order.ID, Sale: sale, News: &QuoteNews{Event: EventQuoteAccepted, Store: t.store, Quote: next, At: in.Now}}, nil
}

// judgeCountry adds the fault of an address that gives another tax country than the quote's. A quote without one
// is for any country.
func (q *Quote) judgeCountry(to *soldAddresses, shipped bool, faults *Faults) {
	field, address := "billing_address", to.billing
	if shipped {
		field, address = "shipping_address", to.shipping
	}
	if q.isFor(address.taxCountry()) || faults.has(field) {
		return
	}
	faults.Add(field+".country", MsgQuoteCountry(q.Tax.Country))
}

// isFor reports whether the quote is for a tax country, zero for none given.
func (q *Quote) isFor(country Country) bool {
	return country == Country{} || q.Tax.Country == Country{} || country == q.Tax.Country
}

// DeclineQuote ends the offer.
type DeclineQuote struct{ Reason string }

func (DeclineQuote) Locate(*Quote) *Refusal { return nil }

func (d DeclineQuote) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	next.DeclinedAt, next.DeclineReason = in.Now, d.Reason
	next.release()
	next.note(HistoryDeclined, in, next.shownTotal(), d.Reason)
	return Effects{News: &QuoteNews{Event: EventQuoteDeclined, Store: in.Store, Quote: next, At: in.Now}}, nil
}

// maxSignature is the maximum size in bytes of a signature's picture.
// Spec: Limits, Quote signature.
const maxSignature = 2 << 20

const (
	signaturePrefix = "data:image/png;base64,"
	// pngHead is the signature of a PNG file and the beginning of its first chunk: IHDR of 13 bytes.
	pngHead = "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
	// minSignature is the length of the head with the data and the checksum of IHDR.
	minSignature = len(pngHead) + 13 + 4
)

// ParseSignature returns the picture in a data URL, or nothing if it is no PNG or larger than
// maxSignature. The base64 is strict: padded, without spaces and line breaks.
func ParseSignature(text string) (png string) {
	encoded, prefixed := strings.CutPrefix(text, signaturePrefix)
	if !prefixed || len(encoded) > base64.StdEncoding.EncodedLen(maxSignature) || strings.ContainsAny(encoded, "\r\n") { // the decoder skips these
		return ""
	}
	picture, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(picture) < minSignature || len(picture) > maxSignature || !strings.HasPrefix(string(picture[:len(pngHead)]), pngHead) {
		return ""
	}
	return string(picture)
}
