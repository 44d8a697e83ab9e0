package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/strictjson"
)

// LineAdd is the body of a line add. Spec: POST body (Cart lines).
var LineAdd = Object("LineAdd",
	field.Required("product_id", ID, "", func(a *commerce.AddLine) *uuid.UUID { return &a.ProductID }),
	noted(field.Optional("variant_id", ID, "Needed if the product has active variants, else forbidden.",
		func(a *commerce.AddLine) *uuid.UUID { return &a.VariantID }),
		func(a *commerce.AddLine) *bool { return &a.VariantSent }),
	field.Required("quantity", Quantity, "", func(a *commerce.AddLine) *commerce.Quantity { return &a.Quantity }),
	field.Nullable("configuration", field.OrNull(Selection), "Needed if the product is made to measure, else forbidden.",
		func(a *commerce.AddLine) **commerce.Selection { return &a.Configuration }),
	field.Nullable("properties", field.OrNull(Properties),
		"The line's texts, by the keys of the product's text fields, and by keys of the front end's own, which begin with _.",
		func(a *commerce.AddLine) **commerce.SentProperties { return &a.Properties }),
)

// LineChange is the body of a line's PATCH. Spec: PATCH line body.
var LineChange = Object("LineChange",
	field.Required("quantity", Quantity, "", func(l *commerce.ChangeLine) *commerce.Quantity { return &l.Quantity }),
	noted(field.Nullable("properties", field.OrNull(Properties), "Replaces the whole map; null clears it.",
		func(l *commerce.ChangeLine) **commerce.SentProperties { return &l.Properties }),
		func(l *commerce.ChangeLine) *bool { return &l.PropertiesSent }),
)

// LineBatch is the body of a batch.
var LineBatch = Object("LineBatch",
	field.Required("lines", field.Shaped(lineAdds, lineAdds.Schema.MinItems(1)), "Line adds, applied in this order.",
		func(a *commerce.AddLines) *commerce.AddLines { return a }),
)

// lineAdds is the kind of lists of line adds.
var lineAdds = listOf[commerce.AddLines](LineAdd, commerce.MaxBatch, func(item strictjson.Value) (entry commerce.BatchedAdd) {
	entry.AddLine, entry.Fault = LineAdd.entry(item)
	return entry
})
