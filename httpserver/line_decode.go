package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// decodeLineAdd reads the body of a line add, all plain fields together. A fault
// travels on beside the command. Spec: POST body (Cart lines).
func decodeLineAdd(body []byte) (commerce.AddLine, *commerce.Refusal) {
	f, fault := decodeObject(body)
	if fault != nil {
		return commerce.AddLine{}, fault
	}
	var add commerce.AddLine
	add.ProductID = f.requiredID("product_id")
	add.VariantID = f.variantID("variant_id")
	add.Quantity = f.requiredQuantity("quantity")
	add.Configuration = f.configuration("configuration")
	return add, f.faults.Refusal()
}

// decodeLineChange reads the body of a line's PATCH. Spec: PATCH line body.
func decodeLineChange(body []byte) (commerce.Quantity, *commerce.Refusal) {
	f, fault := decodeObject(body)
	if fault != nil {
		return 0, fault
	}
	quantity := f.requiredQuantity("quantity")
	return quantity, f.faults.Refusal()
}

// variantID reads the optional variant. The zero UUID says "none" to the rules,
// but a client that sends it has sent a variant: the one of all ones stands in for
// it, which no product has either.
func (f *fields) variantID(name string) uuid.UUID {
	id, sent := f.optionalID(name)
	if sent && id == uuid.Nil {
		return uuid.Max
	}
	return id
}

// configuration tells whether one was sent; null counts as not sent.
func (f *fields) configuration(name string) bool {
	value, sent := f.optionalMap(name)
	return sent && value.Kind() != strictjson.Null
}
