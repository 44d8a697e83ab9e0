package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// IncludeMergeReport is the value of ?include= that adds the report of a claim.
const IncludeMergeReport = "merge_report"

// ClaimView is a claimed cart with the report of its claim.
type ClaimView struct {
	CartAnswerView
	Report []commerce.FoldReport
}

// ClaimAnswer is the cart envelope with the report. Without it a claim is answered with CartAnswer.
var ClaimAnswer = field.Object("ClaimAnswer",
	field.Of(cartAnswer, func(v ClaimView) CartAnswerView { return v.CartAnswerView }),
	field.If(func(ClaimView) bool { return true }, field.Value(IncludeMergeReport, field.List(FoldedCart),
		"With `include=merge_report`: one entry for each folded cart, in the order of folding.",
		func(v ClaimView) []commerce.FoldReport { return v.Report })),
)

// FoldedCart is what became of the lines of a folded cart.
var FoldedCart = field.Object("FoldedCart",
	field.Member("cart_id", UUID, "", func(f *commerce.FoldReport) *uuid.UUID { return &f.Cart }),
	field.Member("moved", Integer, "Lines that moved to the claimed cart.", func(f *commerce.FoldReport) *int { return &f.Moved }),
	field.Member("summed", Integer, "Lines whose quantity was added to an equal line.", func(f *commerce.FoldReport) *int { return &f.Summed }),
	field.Member("clamped", field.List(field.Object("ClampedLine",
		field.Member("line_id", UUID, "The line of the claimed cart.", func(c *commerce.ClampedLine) *uuid.UUID { return &c.Line }),
		field.Member("requested", Quantity, "The sum of the quantities.", func(c *commerce.ClampedLine) *commerce.Quantity { return &c.Requested }),
		field.Member("kept", Quantity, "", func(c *commerce.ClampedLine) *commerce.Quantity { return &c.Kept }),
	)), "", func(f *commerce.FoldReport) *[]commerce.ClampedLine { return &f.Clamped }),
	field.Member("dropped", field.List(field.Object("DroppedLine",
		field.Member("product_id", UUID, "", func(d *commerce.DroppedLine) *uuid.UUID { return &d.Product }),
		field.Member("variant_id", UUIDOrNull, "", func(d *commerce.DroppedLine) *uuid.UUID { return &d.Variant }),
		field.Member("quantity", Quantity, "", func(d *commerce.DroppedLine) *commerce.Quantity { return &d.Quantity }),
		field.Member("properties", propertiesOrNull, "The line's texts; null if it has none.",
			func(d *commerce.DroppedLine) **commerce.Properties { return &d.Properties }),
	)), "", func(f *commerce.FoldReport) *[]commerce.DroppedLine { return &f.Dropped }),
)
