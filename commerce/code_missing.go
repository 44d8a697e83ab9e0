package commerce

import "slices"

// What a customer can do for a code that has no effect.
const (
	MissingAmount   = "amount"   // buy for so much more
	MissingProducts = "products" // buy a quantity of some products
	MissingGroup    = "group"    // be another customer
)

// CodeMissing is what a cart lacks for a code that has no effect.
type CodeMissing struct {
	Kind string
	// Amount is what the lines lack of the discount's minimum.
	Amount Amount
	// Quantity is what the discount asks for of the products of Range.
	Quantity Quantity
	Range    ProductRange
}

// ExplainedCode is an attached code in an explanation. Missing is nil if the code applies, or if no change of the cart helps.
type ExplainedCode struct {
	CodeResult
	Missing *CodeMissing
}

// explainCodes returns the results of the attached codes, in the order of attaching, with what is missing for them.
func (e *Evaluation) explainCodes(ctx Pricing) []ExplainedCode {
	all := make([]ExplainedCode, len(e.Cart.Codes))
	for i := range all {
		all[i].CodeResult = e.CodeResult(i)
	}
	if e.Overflow {
		return all // the discounts were not looked at
	}
	for i := range e.coded {
		at := e.coded[i].code
		all[at].Missing = e.missing(e.coded[i].readyDiscount, all[at].Error, ctx)
	}
	return all
}

// missing returns what the cart lacks for the discount of a code.
func (e *Evaluation) missing(r *readyDiscount, reason string, ctx Pricing) *CodeMissing {
	switch reason {
	case CodeMinOrder:
		left := *r.MinOrder - e.DiscountTotal
		for _, total := range e.LineTotals {
			left -= total
		}
		return &CodeMissing{Kind: MissingAmount, Amount: left}
	case CodeNotEligible:
		if len(r.GroupIDs) > 0 && !slices.Contains(r.GroupIDs, ctx.GroupID) {
			return &CodeMissing{Kind: MissingGroup}
		}
		return e.lacking(r)
	}
	return nil
}

// lacking returns the products that a discount asks for and the cart does not have; nil if it has them.
func (e *Evaluation) lacking(r *readyDiscount) *CodeMissing {
	quantity := func(of rangeNumber) (sum Quantity) {
		for i := range e.Cart.Lines {
			if of.within(e.lists[i]) {
				sum = sum.Add(e.Cart.Lines[i].Quantity)
			}
		}
		return sum
	}
	switch {
	case r.Kind == DiscountProducts && quantity(r.products) == 0:
		return &CodeMissing{Kind: MissingProducts, Quantity: One, Range: r.ProductRange}
	case r.Kind == DiscountBogo && quantity(r.buy) < r.Buy.MinQuantity:
		return &CodeMissing{Kind: MissingProducts, Quantity: r.Buy.MinQuantity, Range: r.Buy.ProductRange}
	case r.Kind == DiscountBogo && quantity(r.get) == 0:
		return &CodeMissing{Kind: MissingProducts, Quantity: r.Get.Quantity, Range: r.Get.ProductRange}
	}
	return nil
}
