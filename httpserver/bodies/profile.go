package bodies

import "cartd/commerce"

// ProfilePatch is the body of a change of a profile.
var ProfilePatch = Object("ProfilePatch",
	Optional("first_name", Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.FirstName }),
	Optional("last_name", Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.LastName }),
	Optional("phone", Pointer(TextOrNull(commerce.MaxPhone)), "", func(p *commerce.PatchProfile) **string { return &p.Phone }),
)
