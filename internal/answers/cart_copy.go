package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// CopyView is a new cart with the lines of its original that it lacks.
type CopyView struct {
	CartAnswerView
	LeftOut []commerce.LeftOut
}

// CopyAnswer is the envelope of the new cart, with the lines that it lacks.
var CopyAnswer = Object("CopyAnswer",
	Of(cartAnswer, func(v CopyView) CartAnswerView { return v.CartAnswerView }),
	Value("left_out", List(LeftOutLine),
		"The lines that the new cart lacks; of a cancelled or unpaid order also what is short. Empty on a replay.",
		func(v CopyView) []commerce.LeftOut { return v.LeftOut }),
)

// LeftOutLine is a line that a copy lacks.
var LeftOutLine = Object("LeftOutLine",
	Member("product_id", UUID, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.VariantID }),
	Member("quantity", Quantity, "", func(l *commerce.LeftOut) *commerce.Quantity { return &l.Quantity }),
	Member("properties", propertiesOrNull, "The line's texts; null if it has none.", func(l *commerce.LeftOut) **commerce.Properties { return &l.Properties }),
	Member("reason", Text, "The code with which an add of the line is refused today, or the refusal's message if it has no code; "+
		"OUT_OF_STOCK for what is short of a line that the cart has.",
		func(l *commerce.LeftOut) *string { return &l.Reason }),
)
