package bodies

import "cartd/commerce"

// DiscountCode is the body that attaches a code.
var DiscountCode = Object("DiscountCode",
	Required("code", Verbatim(commerce.MaxCodeLength), "Replaces an earlier one, unless the store allows several. Letter case, and spaces around it, do not matter.",
		func(code *string) *string { return code }),
)
