package answers

import "cartd/commerce"

// pack are the quantities that a line of a product may have; 0 is none: docs/api/lines.md#packs.
var pack = Rows(
	Value("min_quantity", OrNull(Quantity), "The smallest quantity of a line; null without one.", func(p commerce.Pack) commerce.Quantity { return p.Min }),
	Value("max_quantity", OrNull(Quantity), "The greatest quantity of a line, beside the store's; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Max }),
	Value("quantity_step", OrNull(Quantity), "The quantity of a line is a multiple of it; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Step }),
)
