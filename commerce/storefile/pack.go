package storefile

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// packRows are the quantities that a line of a product may have. A product without them has no pack.
var packRows = []row[*commerce.Product]{
	field.Optional("min_quantity", quantity, "Of a line.", func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Min }),
	field.Optional("max_quantity", quantity, "Of a line; at least min_quantity.", func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Max }),
	field.Optional("quantity_step", quantity, "The quantity of a line is a multiple of it, and so are min_quantity and max_quantity.",
		func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Step }),
	rule(func(_ *document, o value, p *commerce.Product) {
		if p.Pack != nil {
			unit := o.find("unit")
			judgePack(o, p.Pack, unit.absent() || unit.raw.Is(commerce.UnitPiece.String()))
		}
	}),
}

func packOf(p *commerce.Product) *commerce.Pack {
	if p.Pack == nil {
		p.Pack = &commerce.Pack{}
	}
	return p.Pack
}

// judgePack judges the quantities together. A zero one is absent or has a fault.
func judgePack(o value, pack *commerce.Pack, byThePiece bool) {
	for _, one := range []struct {
		name string
		commerce.Quantity
	}{{"min_quantity", pack.Min}, {"max_quantity", pack.Max}, {"quantity_step", pack.Step}} {
		switch at := o.find(one.name); {
		case byThePiece && !one.Fits(commerce.UnitPiece):
			at.conflict("must be whole: the product is sold by the piece")
		case !one.MultipleOf(pack.Step):
			at.conflict("must be a multiple of quantity_step")
		}
	}
	if pack.Max > 0 && pack.Max < pack.Min {
		o.find("max_quantity").conflict("must be at least min_quantity")
	}
}
