package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// LineAdd is the body of a line add. Spec: POST body (Cart lines).
var LineAdd = Object("LineAdd",
	Required("product_id", ID, "", func(a *commerce.AddLine) *uuid.UUID { return &a.ProductID }),
	Asked("variant_id", ID, "Needed if the product has active variants, else forbidden.", func(a *commerce.AddLine) *uuid.UUID { return &a.VariantID }).
		Noted(func(a *commerce.AddLine) *bool { return &a.VariantSent }),
	Required("quantity", Quantity, "", func(a *commerce.AddLine) *commerce.Quantity { return &a.Quantity }),
	Optional("configuration", OrNull(Selection), "Needed if the product is made to measure, else forbidden.",
		func(a *commerce.AddLine) **commerce.Selection { return &a.Configuration }),
	Optional("properties", OrNull(Properties),
		"The line's texts, by the keys of the product's text fields, and by keys of the front end's own, which begin with _.",
		func(a *commerce.AddLine) **commerce.SentProperties { return &a.Properties }),
)

// LineChange is the body of a line's PATCH. Spec: PATCH line body.
var LineChange = Object("LineChange",
	Required("quantity", Quantity, "", func(l *commerce.ChangeLine) *commerce.Quantity { return &l.Quantity }),
	Optional("properties", OrNull(Properties), "Replaces the whole map; null clears it.",
		func(l *commerce.ChangeLine) **commerce.SentProperties { return &l.Properties }).
		Noted(func(l *commerce.ChangeLine) *bool { return &l.PropertiesSent }),
)

// LineBatch is the body of a batch.
var LineBatch = Object("LineBatch",
	Required("lines", lineAdds.Shaped(lineAdds.Schema.MinItems(1)), "Line adds, applied in this order.",
		func(a *commerce.AddLines) *commerce.AddLines { return a }),
)

// lineAdds is the kind of lists of line adds. Each entry has faults of its own.
var lineAdds = Kind[commerce.AddLines]{
	Schema: openapi.List(LineAdd.Schema).MaxItems(commerce.MaxBatch),
	read: func(f *fields, name string, list strictjson.Value, into *commerce.AddLines) {
		switch {
		case list.Kind() != strictjson.Array:
			f.faults.Add(name, commerce.MsgArray(name))
		case list.Len() > commerce.MaxBatch:
			f.faults.Add(name, commerce.MsgMaxItems(name, commerce.MaxBatch))
		default:
			*into = make(commerce.AddLines, 0, list.Len())
			for _, item := range list.Items() {
				*into = append(*into, batchedAdd(item))
			}
		}
	},
}

// batchedAdd reads an entry. An empty list counts as an empty object.
func batchedAdd(item strictjson.Value) (entry commerce.BatchedAdd) {
	if item.Kind() != strictjson.Object && !emptyContainer(item) {
		entry.Fault = commerce.FaultOf("", commerce.MsgArray(""))
		return entry
	}
	entry.AddLine, entry.Fault = LineAdd.Read(Sent{value: item})
	return entry
}
