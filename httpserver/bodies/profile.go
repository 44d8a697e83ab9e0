package bodies

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// ProfilePatch is the body of a change of a profile.
var ProfilePatch = Object("ProfilePatch",
	field.Nullable("first_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.FirstName }),
	field.Nullable("last_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.LastName }),
	field.Nullable("phone", field.Pointer(TextOrNull(commerce.MaxPhone)), "", func(p *commerce.PatchProfile) **string { return &p.Phone }),
)
