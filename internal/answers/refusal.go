package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// RefusalView is an answer that is not a success.
type RefusalView struct {
	Message string
	// Refusal is nil for an answer about HTTP or the server itself. Such an answer may have a reason.
	Refusal *commerce.Refusal
	Reason  string
	// Codes is true if the answer has the codes of the messages of errors.
	Codes bool
}

// IncludeErrorCodes is the value of ?include= that adds the codes of errors to a refusal.
const IncludeErrorCodes = "error_codes"

// Refusal is the body of every answer that is not a success, except of one kind. Spec: Errors.
var Refusal = Object("Refusal",
	Member("message", Text, "The fault in words, for people. For faulty fields it is the first error.", func(v RefusalView) string { return v.Message }),
	Member("errors", Map(Texts, fieldTexts), "The messages of each faulty field, in the order of the fields; nested ones as in `lines.0.quantity`.",
		RefusalView.faults).If(hasFields),
	Member("reason", Text, "In a 503 of `/readyz`: `redis_away`, `redis_read_only`, `starting`, `stores_unreadable` or `draining`. Reasons may be added.",
		func(v RefusalView) string { return v.Reason }).If(func(v RefusalView) bool { return v.Reason != "" }),
	Member("code", Text, "The fault as a code, for programs. Codes may be added.", func(v RefusalView) string { return v.Refusal.Code }).
		If(refused(func(r *commerce.Refusal) bool { return r.Code != "" })),
	Member("reasons", Texts, "With QUOTE_REQUIRED: the cart's quote_reasons.", func(v RefusalView) []string { return v.Refusal.Reasons }).
		If(refused(func(r *commerce.Refusal) bool { return r.Reasons != nil })),
	Member("current_total", Amount, "With CART_CHANGED: the total that the order would have, in minor units.",
		func(v RefusalView) commerce.Amount { return *v.Refusal.CurrentTotal }).
		If(refused(func(r *commerce.Refusal) bool { return r.CurrentTotal != nil })),
	Member("current_version", Integer, "With QUOTE_CHANGED: the version that is on offer.", func(v RefusalView) int { return v.Refusal.CurrentVersion }).
		If(refused(func(r *commerce.Refusal) bool { return r.CurrentVersion != 0 })),
	Member("left_amount", Amount, "With REFUND_TOO_LARGE: the greatest amount, in minor units.",
		func(v RefusalView) commerce.Amount { return *v.Refusal.LeftAmount }).
		If(refused(func(r *commerce.Refusal) bool { return r.LeftAmount != nil })),
	Member("discount_codes", List(CodeResult, deref[commerce.CodeResult]),
		"With CART_CHANGED of a checkout: the cart's codes, so that a page can say which one has stopped to apply.",
		func(v RefusalView) []commerce.CodeResult { return v.Refusal.DiscountCodes }).
		If(refused(func(r *commerce.Refusal) bool { return r.DiscountCodes != nil })),
	Member("order_id", UUID, "With ALREADY_CONVERTED: the order that the quote became.", func(v RefusalView) uuid.UUID { return v.Refusal.OrderID }).
		If(refused(func(r *commerce.Refusal) bool { return r.OrderID != uuid.Nil })),
	Member("out_of_stock", List(StockShort, itself[*commerce.StockShort]),
		"With OUT_OF_STOCK, and with CART_CHANGED if something is short besides: every item with too little stock.",
		func(v RefusalView) []commerce.StockShort { return v.Refusal.OutOfStock }).
		If(refused(func(r *commerce.Refusal) bool { return r.OutOfStock != nil })),
	errorCodes,
)

var errorCodes = Member(IncludeErrorCodes, Map(List(ErrorCode, itself[*commerce.Message]), fieldMessages),
	"With `include=error_codes` where there is `errors`: its messages as codes, in the same order; with the code cart_constraint the limit that is reached.",
	RefusalView.coded).If(func(v RefusalView) bool { return v.Codes && v.Refusal != nil && v.coded() != nil })

// lineRefusal are the fields of a refusal inside a success, all null if there is none.
var lineRefusal = Rows(
	Member("errors", IfThere(Map(Texts, fieldTexts)), "The messages of each faulty field, as an add to a cart would get them; null if there are none.",
		func(v RefusalView) (m Maybe[[]commerce.FieldError]) {
			if hasFields(v) {
				m = Maybe[[]commerce.FieldError]{v.faults(), true}
			}
			return m
		}),
	Member("message", TextOrNull, "The fault in words, the first error if there are errors; null if the line is not refused.",
		func(v RefusalView) string { return v.Message }),
	Member("code", TextOrNull, "The fault as a code, for programs; null if it has none.", func(v RefusalView) (code string) {
		if v.Refusal != nil {
			code = v.Refusal.Code
		}
		return code
	}),
	errorCodes,
)

// faults are the fields that the answer lists.
func (v RefusalView) faults() []commerce.FieldError {
	return commerce.FirstFaults(v.Refusal.Fields, "request", 0)
}

// coded are the fields of error_codes; nil if there are none.
func (v RefusalView) coded() []commerce.FieldError {
	if hasFields(v) {
		return v.faults()
	}
	return v.Refusal.Limit
}

func hasFields(v RefusalView) bool { return v.Refusal != nil && v.Refusal.Fields != nil }

func fieldTexts(e *commerce.FieldError) (string, []string) { return e.Field, e.Texts() }

func fieldMessages(e *commerce.FieldError) (string, []commerce.Message) { return e.Field, e.Messages }

// refused is a condition of a member that only the refusal of a rule has.
func refused(is func(r *commerce.Refusal) bool) func(v RefusalView) bool {
	return func(v RefusalView) bool { return v.Refusal != nil && is(v.Refusal) }
}

// StockShort is an item of which there is too little stock.
var StockShort = Object("StockShort",
	Member("product_id", UUID, "", func(s *commerce.StockShort) uuid.UUID { return s.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(s *commerce.StockShort) uuid.UUID { return s.VariantID }),
	Member("requested", Stock, "", func(s *commerce.StockShort) commerce.Micros { return s.Requested }),
	Member("available", Stock, "", func(s *commerce.StockShort) commerce.Micros { return s.Available }),
)

// AnyRefusal is the body of a refusal: Refusal, or only its text for a module that is not enabled.
var AnyRefusal = Kind[RefusalView]{openapi.Either(Refusal.Schema, moduleRefusal.Schema), func(dst []byte, v RefusalView) []byte {
	if v.Refusal != nil && v.Refusal.BareError {
		return moduleRefusal.Append(dst, v.Message)
	}
	return Refusal.Append(dst, v)
}}

var moduleRefusal = Object("ModuleRefusal", Self("error", Text, "`Module not enabled: ` and the module."))
