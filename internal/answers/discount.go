package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/field"
)

// Discount is an applied discount. Spec: discounts.
var Discount = field.Object("AppliedDiscount",
	field.Value("id", UUID, "", func(d commerce.OrderDiscount) uuid.UUID { return d.ID }),
	field.Value("name", Text, "", func(d commerce.OrderDiscount) string { return d.Name }),
	field.Value("code", TextOrNull, "As the store spells it, of a batch the printed form; null for an automatic discount.",
		func(d commerce.OrderDiscount) string { return d.Code }),
	field.Value("kind", Names(commerce.DiscountKindNames()...), "", func(d commerce.OrderDiscount) string { return d.Kind.String() }),
	field.Value("amount", Amount, "The amount taken off, in minor units; 0 for a shipping discount until a method is chosen.",
		func(d commerce.OrderDiscount) commerce.Amount { return d.Amount }),
)

// GivenCodes are codes of a batch.
var GivenCodes = field.Object("DiscountCodes",
	field.Value("codes", Texts, "The printed forms.", func(g *engine.GivenCodes) []string { return g.Codes() }),
	field.Value("next", Integer, "The serial after the last one: `from` of a next request.", func(g *engine.GivenCodes) int { return int(g.Next()) }),
)

// CodeResult is an attached code with the reason why it does not apply.
var CodeResult = field.Object("CartDiscountCode", codeResult...)

var codeResult = field.Rows(
	field.Value("code", Text, "As it was sent.", func(c commerce.CodeResult) string { return c.Code }),
	field.Value("error", codeError, "Why the code has no effect; null if it applies.", func(c commerce.CodeResult) string { return c.Error }),
)

// codeError is a component with null, so that a generator of clients has one name for the members of both objects.
var codeError = field.Shaped(codeErrorOrNull, codeErrorOrNull.Schema.Named("CartDiscountCodeError"))

var codeErrorOrNull = field.OrNull(Names(commerce.CodeInvalid, commerce.CodeExpired, commerce.CodeMinOrder, commerce.CodeNotEligible, commerce.CodeUsageLimit))

// discountCodes are all codes of an evaluated cart, in the order of attaching.
var discountCodes = field.Counted(CodeResult, func(e *commerce.Evaluation) int { return len(e.Cart.Codes) }, (*commerce.Evaluation).CodeResult)
