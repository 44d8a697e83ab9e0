package answers

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// pack are the quantities that a line of a product may have; 0 is none: docs/api/lines.md#packs.
var pack = field.Rows(
	field.Value("min_quantity", field.OrNull(Quantity), "The smallest quantity of a line; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Min }),
	field.Value("max_quantity", field.OrNull(Quantity), "The greatest quantity of a line, beside the store's; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Max }),
	field.Value("quantity_step", field.OrNull(Quantity), "The quantity of a line is a multiple of it; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Step }),
)
