package bodies

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// CartPatch is the body of a cart's PATCH. Spec: PATCH body (Carts).
var CartPatch = Object("CartPatch",
	Optional("email", Pointer(Email), "A valid e-mail address, stored in lower case. "+
		"It binds the cart to the token's customer or, without a token, to a guest with this address.",
		func(p *commerce.PatchCart) **string { return &p.Email }),
	Optional("metadata", OrNull(metadata), "Replaces the whole map; null clears it. "+
		"A number has at most "+strconv.Itoa(commerce.MaxNumberLength)+" characters and is finite as a double.",
		func(p *commerce.PatchCart) *commerce.Metadata { return &p.Metadata }).
		Noted(func(p *commerce.PatchCart) *bool { return &p.MetadataSent }),
)

// metadata is the kind of scalar maps, in the order in which their keys first appear. An empty list counts as an empty map.
var metadata = Kind[commerce.Metadata]{
	Schema: openapi.Map(openapi.AnyOf(openapi.Text, openapi.Number, openapi.Boolean, openapi.Null)).MaxFields(commerce.MaxMetadataKeys),
	read: func(f *fields, name string, value strictjson.Value, into *commerce.Metadata) {
		if value.Kind() != strictjson.Object && !emptyContainer(value) {
			f.faults.Add(name, commerce.MsgArray(name))
			return
		}
		entries, at := commerce.Metadata{}, map[string]int{}
		for key, value := range value.Members() {
			i, known := at[key]
			if !known {
				i, at[key] = len(entries), len(entries)
				entries = append(entries, commerce.MetadataEntry{Key: key})
			}
			entries[i].Value = scalarOf(value) // the last of a repeated key counts
		}
		*into = entries
		f.faults.Metadata(name, entries)
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
