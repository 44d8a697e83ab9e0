package answers

import "cartd/commerce"

// pack are the quantities that a line of a product may have: docs/api/lines.md#packs.
var pack = Rows(
	Value("min_quantity", IfThere(Quantity), "The smallest quantity of a line; null without one.",
		func(p commerce.Pack) Maybe[commerce.Quantity] { return restricted(p.Min) }),
	Value("max_quantity", IfThere(Quantity), "The greatest quantity of a line, beside the store's; null without one.",
		func(p commerce.Pack) Maybe[commerce.Quantity] { return restricted(p.Max) }),
	Value("quantity_step", IfThere(Quantity), "The quantity of a line is a multiple of it; null without one.",
		func(p commerce.Pack) Maybe[commerce.Quantity] { return restricted(p.Step) }),
)

func restricted(q commerce.Quantity) Maybe[commerce.Quantity] {
	return Maybe[commerce.Quantity]{q, q > 0}
}
