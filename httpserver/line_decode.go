package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// The bodies of the cart line routes. Spec: POST body, PATCH line body (Cart lines).
var (
	quantityShape = openapi.Types("number", "string").
			About("Above 0, at most 99999999.999 with up to three decimals, as a number or a plain decimal text; whole for products sold by the piece.")
	selectionShape = openapi.Object("Selection").
			May("dimensions", openapi.Map(openapi.Anything), "Whole millimetres by the dimension's key.").
			May("choices", openapi.List(openapi.Text), "Ids of choices.")
	lineAddShape = openapi.Object("LineAdd").
			Has("product_id", openapi.UUID, "").
			May("variant_id", openapi.UUID.OrNull(), "Needed if the product has active variants, else forbidden.").
			Has("quantity", quantityShape, "").
			May("configuration", selectionShape.OrNull(), "Needed if the product is made to measure, else forbidden.")
	lineChangeShape = openapi.Object("LineChange").Has("quantity", quantityShape, "")
)

// decodeLineAdd reads the body of a line add. A fault is returned with the command, not instead of
// it. Spec: POST body (Cart lines).
func decodeLineAdd(body sentBody) (commerce.AddLine, *commerce.Refusal) {
	f := decodeObject(body)
	var add commerce.AddLine
	add.ProductID = f.requiredID("product_id")
	add.VariantID, add.VariantSent = f.optionalID("variant_id")
	add.Quantity = f.requiredQuantity("quantity")
	add.Configuration = f.configuration("configuration")
	return add, f.refusal()
}

// decodeLineChange reads the body of a line's PATCH. Spec: PATCH line body.
func decodeLineChange(body sentBody) (commerce.Quantity, *commerce.Refusal) {
	f := decodeObject(body)
	quantity := f.requiredQuantity("quantity")
	return quantity, f.refusal()
}
