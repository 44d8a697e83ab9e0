package bodies

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of requests about quotes.
var (
	QuoteRequest = Form("QuoteRequest", func(q *commerce.QuoteForm) *commerce.Faults { return &q.Faults },
		field.Optional("email", Email, "Needed if neither cart nor account has one.", func(q *commerce.QuoteForm) *string { return &q.Email }),
		field.Nullable("name", TextOrNull(commerce.MaxQuoteName), "", func(q *commerce.QuoteForm) *string { return &q.Name }),
		field.Nullable("company_name", TextOrNull(commerce.MaxQuoteCompany), "", func(q *commerce.QuoteForm) *string { return &q.CompanyName }),
		field.Nullable("phone", TextOrNull(commerce.MaxQuotePhone), "", func(q *commerce.QuoteForm) *string { return &q.Phone }),
		field.Nullable("message", LinesOrNull(commerce.MaxQuoteMessage), "May have several lines.", func(q *commerce.QuoteForm) *string { return &q.Message }),
		field.Nullable("reference", TextOrNull(commerce.MaxReference), "", func(q *commerce.QuoteForm) *string { return &q.Reference }),
	)
	// QuoteAccept reads addresses, but no ids of addresses in the book.
	QuoteAccept = Form("QuoteAcceptRequest", func(a *commerce.AcceptForm) *commerce.Faults { return &a.Faults },
		field.Optional("version", Whole(1, int64(commerce.MaxAmount)), "The version that the customer saw; 1 if it is absent.",
			func(a *commerce.AcceptForm) *int64 { return &a.Version }),
		field.Optional("signature", signature, "A PNG data URL; needed if acceptance_mode is signature.",
			func(a *commerce.AcceptForm) *commerce.AskedSignature { return &a.Signature }),
		field.Nullable("signer_name", TextOrNull(commerce.MaxQuoteName), "", func(a *commerce.AcceptForm) *string { return &a.SignerName }),
		field.Optional("shipping_method_id", AskedID, "Needed if a product requires shipping.", func(a *commerce.AcceptForm) *commerce.AskedID { return &a.Method }),
		field.Optional("shipping_address", orderAddress, "Needed with a method.", func(a *commerce.AcceptForm) *commerce.AskedAddress { return &a.Shipping }),
		field.Optional("billing_address", orderAddress, "", func(a *commerce.AcceptForm) *commerce.AskedAddress { return &a.Billing }),
		expectedTotal(func(a *commerce.AcceptForm) **commerce.Amount { return &a.ExpectedTotal }),
		paymentMinutes(func(a *commerce.AcceptForm) *commerce.AskedMinutes { return &a.Payment }),
	)
	QuoteDecline = Object("QuoteDeclineRequest",
		field.Nullable("reason", TextOrNull(commerce.MaxDeclineReason), "", func(d *commerce.DeclineQuote) *string { return &d.Reason }))
)

// signature is the kind of signatures. The quote decides whether a value that is no text is a fault.
var signature = Kind[commerce.AskedSignature]{Schema: openapi.Text, Read: func(v value, into *commerce.AskedSignature) {
	into.Sent = true
	if into.NoText = v.Kind() != strictjson.String; !into.NoText {
		into.PNG = commerce.ParseSignature(commerce.Trim(v.Text()))
	}
}}

// The bodies with which the merchant writes quotes.
var (
	QuoteWrite  = Form("QuoteWrite", func(w *commerce.QuoteWrite) *commerce.Faults { return &w.Faults }, quoteWrite)
	QuoteCreate = Form("QuoteCreate", func(w *commerce.QuoteWrite) *commerce.Faults { return &w.Faults },
		field.Nullable("from", field.OrNull(quoteFrom), "The cart, order or quote whose customer, country, texts and lines the quote copies.",
			func(w *commerce.QuoteWrite) **commerce.QuoteFrom { return &w.From }), quoteWrite)
	QuoteOffer = Form("QuoteOfferRequest", func(o *commerce.OfferQuote) *commerce.Faults { return &o.Faults },
		field.Optional("expected_total_amount", field.Pointer(Amount),
			"The total that the merchant saw, in minor units. If the offer's differs, the answer is 409 CART_CHANGED.",
			func(o *commerce.OfferQuote) **commerce.Amount { return &o.ExpectedTotal }))
	QuoteWithdraw = Object("QuoteWithdrawRequest",
		field.Nullable("reason", TextOrNull(commerce.MaxDeclineReason), "Shown to the customer.", func(w *commerce.WithdrawQuote) *string { return &w.Reason }))
	QuoteChange = Object("QuoteChangeRequest",
		field.Required("message", lines(commerce.MaxQuoteMessage), "May have several lines.", func(c *commerce.AskForChange) *string { return &c.Message }))
)

// sentOr is an optional field that says whether it was sent. Null is the kind's zero value.
func sentOr[T, V any](name string, kind Kind[V], about string, at func(into T) *commerce.Sent[V]) Field[T] {
	return noted(field.Nullable(name, emptyIfNull(kind), about, func(into T) *V { return &at(into).Value }),
		func(into T) *bool { return &at(into).Sent })
}

var quoteWrite = field.Group(
	sentOr("country", country, "The tax country; null for the store's.", func(w *commerce.QuoteWrite) *commerce.Sent[*commerce.Country] { return &w.Country }),
	sentOr("email", emailOrBlank, "", func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.Email }),
	sentOr("name", Text(commerce.MaxQuoteName), "", func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.Name }),
	sentOr("company_name", Text(commerce.MaxQuoteCompany), "", func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.CompanyName }),
	sentOr("phone", Text(commerce.MaxQuotePhone), "", func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.Phone }),
	sentOr("reference", Text(commerce.MaxReference), "", func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.Reference }),
	sentOr("customer_id", knownID, "An account, whose prices then count. It cannot change once the quote was offered.",
		func(w *commerce.QuoteWrite) *commerce.Sent[uuid.UUID] { return &w.CustomerID }),
	sentOr("lines", draftLines, "The whole list. An entry with the id of a line of the draft keeps what it does not send; any other is a new line.",
		func(w *commerce.QuoteWrite) *commerce.Sent[[]commerce.SentDraftLine] { return &w.Lines }),
	sentOr("lines_discount_name", Text(commerce.MaxDiscountName), "The row of the lines' discounts; null for `Discount`.",
		func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.LinesName }),
	sentOr("discount", wholeDiscount, "Off the whole, after the lines' own: `percent` or `amount`.",
		func(w *commerce.QuoteWrite) *commerce.Sent[*commerce.WholeDiscount] { return &w.Discount }),
	sentOr("shipping", fixedDelivery, "A fixed delivery; null if the customer chooses a method of that day. A method gives what is not sent.",
		func(w *commerce.QuoteWrite) *commerce.Sent[*commerce.SentFixedDelivery] { return &w.Shipping }),
	sentOr("valid_until", moment, "null for the store's valid_days from the offer.",
		func(w *commerce.QuoteWrite) *commerce.Sent[time.Time] { return &w.ValidUntil }),
	sentOr("acceptance_mode", Names(commerce.AcceptanceModes()...), "null for the store's.",
		func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.Mode }),
	sentOr("hold_stock", field.Pointer(field.Shaped(Boolean, openapi.Boolean)), "Whether the offer holds its stock; null for the store's.",
		func(w *commerce.QuoteWrite) *commerce.Sent[*bool] { return &w.HoldStock }),
	sentOr("offer_message", lines(commerce.MaxOfferMessage), "Shown with the offer. May have several lines.",
		func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.OfferMessage }),
	sentOr("internal_note", lines(commerce.MaxOfferMessage), "Shown to the merchant only. May have several lines.",
		func(w *commerce.QuoteWrite) *commerce.Sent[string] { return &w.InternalNote }),
)

// lines is the kind of texts of several lines.
func lines(max int) Kind[string] {
	kind := LinesOrNull(max)
	kind.Schema = openapi.Text.MaxLength(max)
	return kind
}

// emailOrBlank is Email with a blank text for none.
var emailOrBlank = Kind[string]{Schema: Email.Schema, Read: func(v value, into *string) {
	if *into = ""; !blank(v.Value) {
		Email.Read(v, into)
	}
}}

// knownID is the kind of ids of which a text that is no UUID names nothing.
var knownID = Kind[uuid.UUID]{Schema: openapi.UUID, Read: func(v value, into *uuid.UUID) {
	if blank(v.Value) {
		*into = uuid.Nil
	} else if text, ok := v.text(); ok {
		if *into, ok = commerce.ParseID(commerce.Trim(text)); !ok || *into == uuid.Nil {
			v.fault(commerce.MsgIn(v.name))
		}
	}
}}

// quoteFrom is the kind of the original of a quote: an object with one of the ids.
var quoteFrom = Kind[*commerce.QuoteFrom]{
	Schema: openapi.Object("").May("cart_id", openapi.UUID, "").May("order_id", openapi.UUID, "").May("quote_id", openapi.UUID, "One of the three."),
	Read: func(v value, into **commerce.QuoteFrom) {
		from, named := &commerce.QuoteFrom{}, 0
		if v.Kind() == strictjson.Object {
			for member, at := range map[string]*uuid.UUID{"cart_id": &from.CartID, "order_id": &from.OrderID, "quote_id": &from.QuoteID} {
				sent, _ := v.Get(member)
				if id, ok := plainID(sent); ok && id != uuid.Nil {
					*at = id
					named++
				} else if sent != nil && sent.Kind() != strictjson.Null {
					named = len(member) // no id
				}
			}
		}
		if named != 1 {
			v.fault(commerce.MsgIn(v.name))
			return
		}
		*into = from
	},
}

// draftAmount is the kind of amounts of a draft.
var draftAmount = Kind[commerce.Amount]{
	Schema: openapi.Integer.Min(0).Max(int(commerce.MaxDraftAmount)),
	Read: func(v value, into *commerce.Amount) {
		*into = commerce.Amount(v.faults.Within(v.name, numberOf(v.Value), 0, int64(commerce.MaxDraftAmount)))
	},
}

var unitName = Names(commerce.UnitNames()...)

// unit is the kind of units.
var unit = Kind[commerce.Unit]{Schema: unitName.Schema, Read: func(v value, into *commerce.Unit) {
	var text string
	unitName.Read(v, &text)
	*into = commerce.Unit(max(0, slices.Index(commerce.UnitNames(), text)))
}}

var draftLine = Form("QuoteLineWrite", func(l *commerce.SentDraftLine) *commerce.Faults { return &l.Faults },
	field.Nullable("id", field.OrNull(ID), "A line of the draft.", func(l *commerce.SentDraftLine) *uuid.UUID { return &l.ID }),
	sentOr("product_id", ID, "null for a line outside the catalogue, which needs name, tax and unit_price_amount.",
		func(l *commerce.SentDraftLine) *commerce.Sent[uuid.UUID] { return &l.ProductID }),
	sentOr("variant_id", ID, "", func(l *commerce.SentDraftLine) *commerce.Sent[uuid.UUID] { return &l.VariantID }),
	sentOr("quantity", Quantity, "Needed for a new line.", func(l *commerce.SentDraftLine) *commerce.Sent[commerce.Quantity] { return &l.Quantity }),
	sentOr("configuration", Selection, "", func(l *commerce.SentDraftLine) *commerce.Sent[*commerce.Selection] { return &l.Configuration }),
	sentOr("properties", Properties, "", func(l *commerce.SentDraftLine) *commerce.Sent[*commerce.SentProperties] { return &l.Properties }),
	sentOr("unit_price_amount", field.Pointer(draftAmount), "The merchant's price at any quantity, in minor units; null for the catalogue's of the moment.",
		func(l *commerce.SentDraftLine) *commerce.Sent[*commerce.Amount] { return &l.UnitPrice }),
	sentOr("discount_amount", draftAmount, "Off this line, at most the line.",
		func(l *commerce.SentDraftLine) *commerce.Sent[commerce.Amount] { return &l.Discount }),
	sentOr("name", Text(commerce.MaxDraftName), "Of a line outside the catalogue, as the members below.",
		func(l *commerce.SentDraftLine) *commerce.Sent[string] { return &l.Name }),
	sentOr("tax", Text(commerce.MaxDraftName), "The code of a tax rate.", func(l *commerce.SentDraftLine) *commerce.Sent[string] { return &l.Tax }),
	sentOr("sku", Text(commerce.MaxDraftName), "", func(l *commerce.SentDraftLine) *commerce.Sent[string] { return &l.SKU }),
	sentOr("unit", unit, "null for piece.", func(l *commerce.SentDraftLine) *commerce.Sent[commerce.Unit] { return &l.Unit }),
	sentOr("requires_shipping", field.Shaped(Boolean, openapi.Boolean), "null for false.",
		func(l *commerce.SentDraftLine) *commerce.Sent[bool] { return &l.RequiresShipping }),
)

// draftLines is the kind of lists of lines.
var draftLines = Kind[[]commerce.SentDraftLine]{
	Schema: allDraftLines.Schema,
	Read: func(v value, into *[]commerce.SentDraftLine) {
		if *into = nil; !emptyContainer(v.Value) {
			allDraftLines.Read(v, into)
		}
	},
}

var allDraftLines = listOf[[]commerce.SentDraftLine](draftLine, commerce.MaxDraftLines, draftLine.formEntry)

// sentDiscount is a discount off the whole in a body.
type sentDiscount struct {
	name    string
	percent *commerce.Percent
	amount  *commerce.Amount
}

var discountBody = Object("QuoteDiscountWrite",
	field.Nullable("name", TextOrNull(commerce.MaxDiscountName), "", func(d *sentDiscount) *string { return &d.name }),
	field.Optional("percent", field.Pointer(percent), "A decimal text from 0 to 100.", func(d *sentDiscount) **commerce.Percent { return &d.percent }),
	field.Optional("amount", field.Pointer(draftAmount), "In minor units.", func(d *sentDiscount) **commerce.Amount { return &d.amount }))

// percent is the kind of percentages as text.
var percent = Kind[commerce.Percent]{Schema: openapi.Text, Read: func(v value, into *commerce.Percent) {
	text, ok := v.text()
	if !ok {
		return
	}
	var err error
	if *into, err = commerce.ParsePercent(commerce.Trim(text)); err != nil {
		v.fault(commerce.MsgIn(v.name))
	}
}}

// wholeDiscount is the kind of discounts off the whole: one of percent and amount.
var wholeDiscount = Kind[*commerce.WholeDiscount]{
	Schema: discountBody.Schema,
	Read: func(v value, into **commerce.WholeDiscount) {
		if v.Kind() != strictjson.Object {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		var sent sentDiscount
		discountBody.below(v, &sent)
		made := &commerce.WholeDiscount{Name: sent.name, ByPercent: sent.percent != nil}
		switch {
		case sent.percent != nil && sent.amount == nil:
			made.Percent = *sent.percent
		case sent.amount != nil && sent.percent == nil:
			made.Amount = *sent.amount
		default:
			if !v.faults.Has(v.name) {
				v.fault(commerce.MsgIn(v.name))
			}
		}
		*into = made
	},
}

var deliveryBody = Form("QuoteShippingWrite", func(d *commerce.SentFixedDelivery) *commerce.Faults { return &d.Faults },
	field.Nullable("name", TextOrNull(commerce.MaxDeliveryName), "", func(d *commerce.SentFixedDelivery) *string { return &d.Name }),
	field.Optional("price_amount", field.Pointer(draftAmount), "In minor units, in the store's basis.",
		func(d *commerce.SentFixedDelivery) **commerce.Amount { return &d.Price }),
	field.Nullable("tax", TextOrNull(commerce.MaxDraftName), "The code of a tax rate.", func(d *commerce.SentFixedDelivery) *string { return &d.Tax }),
	field.Optional("shipping_method_id", AskedID, "A method of the store, which gives what is not sent.",
		func(d *commerce.SentFixedDelivery) *commerce.AskedID { return &d.MethodID }))

// fixedDelivery is the kind of fixed deliveries, whose faults are judged with the store.
var fixedDelivery = Kind[*commerce.SentFixedDelivery]{
	Schema: deliveryBody.Schema,
	Read: func(v value, into **commerce.SentFixedDelivery) {
		if v.Kind() != strictjson.Object && !emptyContainer(v.Value) {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		made, _ := deliveryBody.Read(Sent{value: v.Value})
		*into = &made
	},
}
