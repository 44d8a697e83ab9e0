package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of requests about quotes, and the refusals of their answers.
var (
	quoteRequestShape = openapi.Object("QuoteRequest").
				May("email", openapi.Text.MaxLength(commerce.MaxEmail).OrNull(), "Needed if neither cart nor account has one.").
				May("name", openapi.Text.MaxLength(commerce.MaxQuoteName).OrNull(), "").
				May("company_name", openapi.Text.MaxLength(commerce.MaxQuoteCompany).OrNull(), "").
				May("phone", openapi.Text.MaxLength(commerce.MaxQuotePhone).OrNull(), "").
				May("message", openapi.Text.MaxLength(commerce.MaxQuoteMessage).OrNull(), "May have several lines.").
				May("reference", openapi.Text.MaxLength(commerce.MaxReference).OrNull(), "")
	quoteAcceptShape = openapi.Object("QuoteAcceptRequest").
				May("signature", openapi.Text.OrNull(), "A PNG data URL; needed if acceptance_mode is signature.").
				May("signer_name", openapi.Text.MaxLength(commerce.MaxQuoteName).OrNull(), "").
				May("shipping_method_id", openapi.Text.OrNull(), "Needed if a product requires shipping.").
				May("shipping_address", checkoutAddressShape.OrNull(), "Needed with a method.").
				May("billing_address", checkoutAddressShape.OrNull(), "").
				May("expected_total_amount", openapi.Integer.Min(0).OrNull(), "The total that the customer saw, in minor units. If the order's total differs, the answer is 409 CART_CHANGED.").
				May("payment_minutes", paymentMinutesShape, paymentMinutesAbout)
	quoteDeclineShape = openapi.Object("QuoteDeclineRequest").
				May("reason", openapi.Text.MaxLength(commerce.MaxDeclineReason).OrNull(), "")

	answerRefusals = []*commerce.Refusal{commerce.AlreadyConverted, commerce.QuoteNotOffered, commerce.QuoteExpired}
	acceptRefusals = append([]*commerce.Refusal{
		commerce.SignatureRequired, commerce.SignatureInvalid, commerce.TotalChanged, commerce.OutOfStock, commerce.TotalLimitReached, commerce.CartTooLarge,
	}, answerRefusals...)
)

// decodeQuoteRequest reads the body of a request for a quote; null and blank count as absent. The
// form carries its faults. The refusal is for a body that is not an object.
func decodeQuoteRequest(body sentBody) (form commerce.QuoteForm, refusal *commerce.Refusal) {
	f := decodeObject(body)
	if value, sent := f.text("email"); sent {
		form.Email = f.address("email", value)
	}
	form.Name = textOf(f.nullableText("name", commerce.AtMost(commerce.MaxQuoteName)))
	form.CompanyName = textOf(f.nullableText("company_name", commerce.AtMost(commerce.MaxQuoteCompany)))
	form.Phone = textOf(f.nullableText("phone", commerce.AtMost(commerce.MaxQuotePhone)))
	form.Message = textOf(f.nullableLines("message", commerce.AtMost(commerce.MaxQuoteMessage)))
	form.Reference = textOf(f.nullableText("reference", commerce.AtMost(commerce.MaxReference)))
	form.Faults = f.faults
	return form, f.malformed
}

// decodeQuoteAccept reads the body of an accept, in the same way.
func decodeQuoteAccept(body sentBody) (form commerce.AcceptForm, refusal *commerce.Refusal) {
	f := decodeObject(body)
	form.Signature = f.signature()
	form.SignerName = textOf(f.nullableText("signer_name", commerce.AtMost(commerce.MaxQuoteName)))
	form.Method = f.askedID("shipping_method_id")
	form.Shipping = f.givenAddress("shipping_address")
	form.Billing = f.givenAddress("billing_address")
	form.ExpectedTotal = f.amount("expected_total_amount")
	form.Payment = f.minutes("payment_minutes")
	form.Faults = f.faults
	return form, f.malformed
}

// signature reads a picture that may be absent, null or blank. The quote decides whether a value
// that is no text is a fault.
func (f *fields) signature() (asked commerce.AskedSignature) {
	value, _ := f.object.Get("signature")
	switch value.Kind() {
	case strictjson.Null:
	case strictjson.String:
		text := commerce.Trim(value.Text())
		asked.Sent, asked.PNG = text != "", commerce.ParseSignature(text)
	default:
		asked.Sent, asked.NoText = true, true
	}
	return asked
}

// decodeQuoteDecline reads the body of a decline.
func decodeQuoteDecline(body sentBody) (reason string, refusal *commerce.Refusal) {
	f := decodeObject(body)
	reason = textOf(f.nullableText("reason", commerce.AtMost(commerce.MaxDeclineReason)))
	return reason, f.refusal()
}
