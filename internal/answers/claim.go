package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// IncludeMergeReport is the value of ?include= that adds the report of a claim.
const IncludeMergeReport = "merge_report"

// ClaimView is a claimed cart with the report of its claim.
type ClaimView struct {
	CartAnswerView
	Report []commerce.FoldReport
}

// ClaimAnswer is the cart envelope with the report. Without it a claim is answered with CartAnswer.
var ClaimAnswer = Object("ClaimAnswer",
	Of(cartAnswer, func(v ClaimView) CartAnswerView { return v.CartAnswerView }),
	If(func(ClaimView) bool { return true }, Value(IncludeMergeReport, List(FoldedCart),
		"With `include=merge_report`: one entry for each folded cart, in the order of folding.",
		func(v ClaimView) []commerce.FoldReport { return v.Report })),
)

// FoldedCart is what became of the lines of a folded cart.
var FoldedCart = Object("FoldedCart",
	Member("cart_id", UUID, "", func(f *commerce.FoldReport) *uuid.UUID { return &f.Cart }),
	Member("moved", Integer, "Lines that moved to the claimed cart.", func(f *commerce.FoldReport) *int { return &f.Moved }),
	Member("summed", Integer, "Lines whose quantity was added to an equal line.", func(f *commerce.FoldReport) *int { return &f.Summed }),
	Member("clamped", List(Object("ClampedLine",
		Member("line_id", UUID, "The line of the claimed cart.", func(c *commerce.ClampedLine) *uuid.UUID { return &c.Line }),
		Member("requested", Quantity, "The sum of the quantities.", func(c *commerce.ClampedLine) *commerce.Quantity { return &c.Requested }),
		Member("kept", Quantity, "", func(c *commerce.ClampedLine) *commerce.Quantity { return &c.Kept }),
	)), "", func(f *commerce.FoldReport) *[]commerce.ClampedLine { return &f.Clamped }),
	Member("dropped", List(Object("DroppedLine",
		Member("product_id", UUID, "", func(d *commerce.DroppedLine) *uuid.UUID { return &d.Product }),
		Member("variant_id", UUIDOrNull, "", func(d *commerce.DroppedLine) *uuid.UUID { return &d.Variant }),
		Member("quantity", Quantity, "", func(d *commerce.DroppedLine) *commerce.Quantity { return &d.Quantity }),
		Member("properties", propertiesOrNull, "The line's texts; null if it has none.",
			func(d *commerce.DroppedLine) **commerce.Properties { return &d.Properties }),
	)), "", func(f *commerce.FoldReport) *[]commerce.DroppedLine { return &f.Dropped }),
)
