package httpserver

import "cartd/commerce"

// decodeLineAdd reads the body of a line add, all plain fields together. A fault
// travels on beside the command. Spec: POST body (Cart lines).
func decodeLineAdd(body []byte) (commerce.AddLine, *commerce.Refusal) {
	f, fault := decodeObject(body)
	if fault != nil {
		return commerce.AddLine{}, fault
	}
	var add commerce.AddLine
	add.ProductID = f.requiredID("product_id")
	add.VariantID, add.VariantSent = f.optionalID("variant_id")
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
