package bodies

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// CartPatch is the body of a cart's PATCH. Spec: PATCH body (Carts).
var CartPatch = Object("CartPatch",
	field.Nullable("email", field.Pointer(Email), "A valid e-mail address, stored in lower case. "+
		"It binds the cart to the token's customer or, without a token, to a guest with this address.",
		func(p *commerce.PatchCart) **string { return &p.Email }),
	noted(field.Nullable("metadata", emptyIfNull(metadata), "Replaces the whole map; null clears it. "+
		"A number has at most "+strconv.Itoa(commerce.MaxNumberLength)+" characters and is finite as a double.",
		func(p *commerce.PatchCart) *commerce.Metadata { return &p.Metadata }),
		func(p *commerce.PatchCart) *bool { return &p.MetadataSent }),
)

// metadata is the kind of scalar maps, in the order in which their keys first appear. An empty list counts as an empty map.
var metadata = Kind[commerce.Metadata]{
	Schema: openapi.Map(openapi.AnyOf(openapi.Text, openapi.Number, openapi.Boolean, openapi.Null)).MaxFields(commerce.MaxMetadataKeys),
	Read: func(v value, into *commerce.Metadata) {
		if v.Kind() != strictjson.Object && !emptyContainer(v.Value) {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		entries, at := commerce.Metadata{}, map[string]int{}
		for key, value := range v.Members() {
			i, known := at[key]
			if !known {
				i, at[key] = len(entries), len(entries)
				entries = append(entries, commerce.MetadataEntry{Key: key})
			}
			entries[i].Value = scalarOf(value) // the last of a repeated key counts
		}
		*into = entries
		v.faults.Metadata(v.name, entries)
	},
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
