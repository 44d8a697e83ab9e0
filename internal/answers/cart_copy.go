package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// CopyView is a new cart with the lines of its original that it lacks.
type CopyView struct {
	CartAnswerView
	LeftOut []commerce.LeftOut
}

// CopyAnswer is the envelope of the new cart, with the lines that it lacks.
var CopyAnswer = field.Object("CopyAnswer",
	field.Of(cartAnswer, func(v CopyView) CartAnswerView { return v.CartAnswerView }),
	field.Value("left_out", field.List(LeftOutLine),
		"The lines that the new cart lacks; of a cancelled or unpaid order also what is short. Empty on a replay.",
		func(v CopyView) []commerce.LeftOut { return v.LeftOut }),
)

// LeftOutLine is a line that a copy lacks.
var LeftOutLine = field.Object("LeftOutLine",
	field.Member("product_id", UUID, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.VariantID }),
	field.Member("quantity", Quantity, "", func(l *commerce.LeftOut) *commerce.Quantity { return &l.Quantity }),
	field.Member("properties", propertiesOrNull, "The line's texts; null if it has none.",
		func(l *commerce.LeftOut) **commerce.Properties { return &l.Properties }),
	field.Member("reason", Text, "The code with which an add of the line is refused today, or the refusal's message if it has no code; "+
		"OUT_OF_STOCK for what is short of a line that the cart has.",
		func(l *commerce.LeftOut) *string { return &l.Reason }),
)
