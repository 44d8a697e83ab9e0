package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// cartPatchShape is the body of a cart's PATCH. Spec: PATCH body (Carts).
var cartPatchShape = openapi.Object("CartPatch").
	May("email", openapi.Text.MaxLength(commerce.MaxEmail), "A valid e-mail address, stored in lower case. It binds the cart to the token's customer or, without a token, to a guest with this address.").
	May("metadata", openapi.Map(openapi.Types("string", "number", "boolean", "null")).MaxFields(commerce.MaxMetadataKeys).OrNull(), "Replaces the whole map; null clears it. A number has at most 32 characters and is finite as a double.")

// decodeCartPatch reads the body of a cart's PATCH. A fault is returned with the patch, because the
// cart is judged first. Spec: PATCH body (Carts).
func decodeCartPatch(body sentBody) (commerce.PatchCart, *commerce.Refusal) {
	f := decodeObject(body)
	var patch commerce.PatchCart
	patch.Email = f.email("email")
	patch.Metadata, patch.MetadataSent = f.metadata("metadata")
	return patch, f.refusal()
}

// email reads an address that may be absent but not null. It returns nil if the address is absent
// or faulty.
func (f *fields) email(name string) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	if value.Kind() != strictjson.String || blank(value) {
		f.faults.Add(name, commerce.MsgString(name))
		return nil
	}
	lower := f.address(name, value)
	return &lower
}

// requiredEmail reads the field email, which must be present. It returns "" if it is faulty.
func (f *fields) requiredEmail() string {
	const name = "email"
	value, ok := f.required(name)
	if !ok {
		return ""
	}
	return f.address(name, value)
}

// address validates the text of an e-mail address and returns it in lower case.
func (f *fields) address(name string, value strictjson.Value) string {
	return f.faults.Email(name, commerce.Trim(value.Text()))
}

// metadata reads the scalar map: nil for null, empty for {} and [].
func (f *fields) metadata(name string) (commerce.Metadata, bool) {
	value, sent := f.optionalMap(name)
	if !sent || value.Kind() == strictjson.Null {
		return nil, sent
	}
	keys, last := distinctMembers(value)
	entries := make(commerce.Metadata, 0, len(keys))
	for _, key := range keys {
		entries = append(entries, commerce.MetadataEntry{Key: key, Value: scalarOf(last[key])})
	}
	f.faults.Metadata(name, entries)
	return entries, true
}

// distinctMembers returns each name of an object once, in the order of first appearance, and the
// last value of each name.
func distinctMembers(object strictjson.Value) ([]string, map[string]strictjson.Value) {
	var keys []string
	last := make(map[string]strictjson.Value)
	for key, value := range object.Members() {
		if _, known := last[key]; !known {
			keys = append(keys, key)
		}
		last[key] = value
	}
	return keys, last
}

// scalarOf copies a value, a number digit for digit. It returns the zero value for a list or a map.
func scalarOf(value strictjson.Value) commerce.Scalar {
	switch value.Kind() {
	case strictjson.Array, strictjson.Object:
		return commerce.Scalar{}
	case strictjson.String:
		return commerce.Scalar{IsString: true, Text: value.Text()}
	}
	return commerce.Scalar{Text: string(value)}
}
