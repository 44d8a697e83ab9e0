package answers

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
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
var Refusal = field.Object("Refusal",
	field.Value("message", Text, "The fault in words, for people. For faulty fields it is the first error.", func(v RefusalView) string { return v.Message }),
	field.If(hasFields, field.Value("errors", field.Map(Texts, fieldTexts),
		"The messages of each faulty field, in the order of the fields; nested ones as in `lines.0.quantity`.", RefusalView.faults)),
	field.If(func(v RefusalView) bool { return v.Reason != "" }, field.Value("reason", Text,
		"In a 503 of `/readyz`: `redis_away`, `redis_read_only`, `starting`, "+
			"`stores_unreadable` or `draining`. Reasons may be added.", func(v RefusalView) string { return v.Reason })),
	field.If(func(v RefusalView) bool { return v.Refusal != nil }, field.Of(ruling, func(v RefusalView) *commerce.Refusal { return v.Refusal })),
	errorCodes,
)

// ruling are the members that only the refusal of a rule has.
var ruling = field.Rows(
	field.IfSet("code", Text, "The fault as a code, for programs. Codes may be added.", func(r *commerce.Refusal) *string { return &r.Code }),
	field.If(func(r *commerce.Refusal) bool { return r.Reasons != nil },
		field.Member("reasons", Texts, "With QUOTE_REQUIRED: the cart's quote_reasons.", func(r *commerce.Refusal) *[]string { return &r.Reasons })),
	field.If(func(r *commerce.Refusal) bool { return r.CurrentTotal != nil }, field.Member("current_total", Amount,
		"With CART_CHANGED: the total that the order would have, in minor units.", func(r *commerce.Refusal) *commerce.Amount { return r.CurrentTotal })),
	field.IfSet("current_version", Integer, "With QUOTE_CHANGED: the version that is on offer.", func(r *commerce.Refusal) *int { return &r.CurrentVersion }),
	field.If(func(r *commerce.Refusal) bool { return r.LeftAmount != nil }, field.Member("left_amount", Amount,
		"With REFUND_TOO_LARGE: the greatest amount, in minor units.", func(r *commerce.Refusal) *commerce.Amount { return r.LeftAmount })),
	field.If(func(r *commerce.Refusal) bool { return r.DiscountCodes != nil }, field.Member("discount_codes", field.Values(CodeResult),
		"With CART_CHANGED of a checkout: the cart's codes, so that a page can say which one has stopped to apply.",
		func(r *commerce.Refusal) *[]commerce.CodeResult { return &r.DiscountCodes })),
	field.IfSet("order_id", UUID, "With ALREADY_CONVERTED: the order that the quote became.", func(r *commerce.Refusal) *uuid.UUID { return &r.OrderID }),
	field.If(func(r *commerce.Refusal) bool { return r.OutOfStock != nil }, field.Member("out_of_stock", field.List(StockShort),
		"With OUT_OF_STOCK, and with CART_CHANGED if something is short besides: every item with too little stock.",
		func(r *commerce.Refusal) *[]commerce.StockShort { return &r.OutOfStock })),
)

var errorCodes = field.If(func(v RefusalView) bool { return v.Codes && v.Refusal != nil && v.coded() != nil }, field.Value(IncludeErrorCodes,
	field.Map(field.List(ErrorCode), fieldMessages),
	"With `include=error_codes` where there is `errors`: its messages as codes, in the same order; with the code cart_constraint the limit that is reached.",
	RefusalView.coded))

// lineRefusal are the fields of a refusal inside a success, all null if there is none.
var lineRefusal = field.Rows(
	field.NullUnless(hasFields, field.Value("errors", field.Map(Texts, fieldTexts),
		"The messages of each faulty field, as an add to a cart would get them; null if there are none.", RefusalView.faults)),
	field.Value("message", TextOrNull, "The fault in words, the first error if there are errors; null if the line is not refused.",
		func(v RefusalView) string { return v.Message }),
	field.Value("code", TextOrNull, "The fault as a code, for programs; null if it has none.", func(v RefusalView) (code string) {
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

// StockShort is an item of which there is too little stock.
var StockShort = field.Object("StockShort", stockShort("")...)

func stockShort(aboutItem string) []Field[*commerce.StockShort] {
	return field.Rows(
		field.Member("product_id", UUID, aboutItem, func(s *commerce.StockShort) *uuid.UUID { return &s.ProductID }),
		field.Member("variant_id", UUIDOrNull, "", func(s *commerce.StockShort) *uuid.UUID { return &s.VariantID }),
		field.Member("requested", Stock, "", func(s *commerce.StockShort) *commerce.Micros { return &s.Requested }),
		field.Member("available", Stock, "", func(s *commerce.StockShort) *commerce.Micros { return &s.Available }),
	)
}

// AnyRefusal is the body of a refusal: Refusal, or only its text for a module that is not enabled.
var AnyRefusal = Kind[RefusalView]{Schema: openapi.Either(Refusal.Schema, moduleRefusal.Schema), Append: func(dst []byte, v RefusalView) []byte {
	if v.Refusal != nil && v.Refusal.BareError {
		return moduleRefusal.Append(dst, v.Message)
	}
	return Refusal.Append(dst, v)
}}

var moduleRefusal = field.Object("ModuleRefusal", field.Self("error", Text, "`Module not enabled: ` and the module."))

// ErrorCode is a message of errors for programs. Its members follow from the table of the messages.
var ErrorCode = Kind[*commerce.Message]{Schema: errorCodeSchema(), Append: appendErrorCode}

func errorCodeSchema() *openapi.Schema {
	var codes []string
	parameters := map[string]bool{"code": true}
	schema := openapi.Object("ErrorCode")
	for _, row := range commerce.FieldMessages() {
		if !slices.Contains(codes, row.Code) {
			codes = append(codes, row.Code)
		}
	}
	schema = schema.Has("code", openapi.Names(codes...), "The list of docs/api/errors.md, with the parameters of each.")
	for _, row := range commerce.FieldMessages() {
		for _, p := range row.Params {
			if parameters[p.Name] {
				continue
			}
			parameters[p.Name] = true
			if p.IsText {
				schema = schema.May(p.Name, openapi.Text, "")
			} else {
				schema = schema.May(p.Name, openapi.Number, "")
			}
		}
	}
	return schema.May("unit", openapi.Names("characters", "bytes", "items"), "What a maximum or minimum counts; absent if it is a number.")
}

func appendErrorCode(dst []byte, m *commerce.Message) []byte {
	row := m.Row()
	dst = strictjson.AppendString(append(dst, `{"code":`...), row.Code)
	for i, p := range row.Params {
		dst = append(strictjson.AppendString(append(dst, ','), p.Name), ':')
		if p.IsText {
			dst = strictjson.AppendString(dst, m.Value(i))
		} else {
			dst = append(dst, m.Value(i)...)
		}
	}
	if row.Unit != "" {
		dst = strictjson.AppendString(append(dst, `,"unit":`...), row.Unit)
	}
	return append(dst, '}')
}

// Health is the answer of a node that runs. Its value are the silent servers of a Redis Cluster.
var Health = field.Object("Health",
	field.Value("status", Names("ok"), "", func([]string) string { return "ok" }),
	field.If(func(silent []string) bool { return len(silent) > 0 },
		field.Self("silent_redis_servers", Texts, "Servers of a Redis Cluster that do not answer while others do.")),
)
