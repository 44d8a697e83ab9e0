package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// Discount is an applied discount. Spec: discounts.
var Discount = Object("AppliedDiscount",
	Member("id", UUID, "", func(d commerce.OrderDiscount) uuid.UUID { return d.ID }),
	Member("name", Text, "", func(d commerce.OrderDiscount) string { return d.Name }),
	Member("code", TextOrNull, "As the store spells it, of a batch the printed form; null for an automatic discount.", func(d commerce.OrderDiscount) string { return d.Code }),
	Member("kind", Names(commerce.DiscountKindNames()...), "", func(d commerce.OrderDiscount) string { return d.Kind.String() }),
	Member("amount", Amount, "The amount taken off, in minor units; 0 for a shipping discount until a method is chosen.",
		func(d commerce.OrderDiscount) commerce.Amount { return d.Amount }),
)

// GivenCodes are codes of a batch.
var GivenCodes = Object("DiscountCodes",
	Member("codes", Texts, "The printed forms.", func(g *engine.GivenCodes) []string { return g.Codes() }),
	Member("next", Integer, "The serial after the last one: `from` of a next request.", func(g *engine.GivenCodes) int { return int(g.Next()) }),
)

// appliedDiscount is a discount of a cart in the form of orders. An automatic one has no code.
func appliedDiscount(a *commerce.AppliedDiscount) commerce.OrderDiscount {
	d := a.Discount
	return commerce.OrderDiscount{ID: d.ID, Name: d.Name, Code: a.Spelling(), Kind: d.Kind, Amount: a.Amount}
}

// DiscountCode is a code of a cart.
var DiscountCode = Object("CartDiscountCode",
	Member("code", Text, "As it was sent.", func(c codeView) string { return c.Cart.Codes[c.at].Code }),
	Member("error", codeError, "Why the code has no effect; null if it applies.", func(c codeView) string { return c.CodeErrors[c.at] }),
)

var codeError = OrNull(Names("invalid", "expired", "min_order", "not_eligible", "usage_limit"))

// codeView is the code at an index of an evaluated cart.
type codeView struct {
	*commerce.Evaluation
	at int
}

// discountCodes are all codes of an evaluated cart, in the order of attaching.
var discountCodes = Kind[*commerce.Evaluation]{openapi.List(DiscountCode.Schema), func(dst []byte, e *commerce.Evaluation) []byte {
	dst = append(dst, '[')
	for i := range e.Cart.Codes {
		dst = DiscountCode.Append(comma(dst, i), codeView{e, i})
	}
	return append(dst, ']')
}}
