package bodies

import (
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
