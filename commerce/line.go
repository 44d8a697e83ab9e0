package commerce

import (
	"github.com/google/uuid"
)

// AddLine puts a product into the cart or more of it into its line.
// Spec: POST body (Cart lines), Line behaviour 1 and 2.
type AddLine struct {
	// LineID is the id of the line, should a new one be needed.
	LineID    uuid.UUID
	ProductID uuid.UUID
	VariantID uuid.UUID // zero: not sent, unless VariantSent
	Quantity  Quantity
	// VariantSent tells a variant_id that is the nil UUID, which names no variant,
	// from none; beside any other VariantID it may be left out.
	VariantSent bool
	// Configuration is the one sent; nil: none, or null.
	Configuration *Selection
}

// ChangeLine sets a line's quantity. Spec: PATCH line body, Line behaviour 4.
type ChangeLine struct {
	LineID   string
	Quantity Quantity
}

// RemoveLine removes a line. Spec: DELETE line.
type RemoveLine struct{ LineID string }

func (AddLine) Locate(*Cart) *Refusal        { return nil }
func (l ChangeLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }
func (l RemoveLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }

func locateLine(c *Cart, lineID string) *Refusal {
	if id, ok := ParseID(lineID); ok && c.line(id) >= 0 {
		return nil
	}
	return NotFound("CartLine", lineID)
}

func (l AddLine) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	product, variant, made, r := l.resolve(in.Store)
	if r != nil {
		return Effects{}, r
	}
	at := next.merging(l.ProductID, l.VariantID, made.hash())
	quantity, loser := l.Quantity, false
	if at >= 0 {
		quantity = next.Lines[at].Quantity.Add(l.Quantity)
		// The loser of a simultaneous add is clamped where any other would be refused.
		// Spec: Line behaviour 2.
		loser = in.missed(&next.Lines[at])
	}
	limit := in.Store.Policy.MaxQuantityPerLine
	if loser && l.Quantity <= limit && quantity > limit {
		quantity = limit
	}
	price, ok := made.UnitPrice, made.Snapshot != nil
	if !ok {
		price, ok = UnitPrice(product, variant, next.pricing(in), quantity)
	}
	switch {
	case !ok:
		return Effects{}, NotPurchasable
	case product.Unit == UnitPiece && !l.Quantity.Whole():
		return Effects{}, QuantityNotWhole
	case quantity > limit:
		return Effects{}, QuantityAboveMaximum
	case at < 0 && len(next.Lines) >= in.Store.Policy.MaxLines:
		return Effects{}, LineLimitReached
	}
	if at < 0 {
		at = len(next.Lines)
		next.Lines = append(next.Lines, newLine(l.LineID, product, variant, in))
	}
	next.Lines[at].Quantity, next.Lines[at].UnitPrice, next.Lines[at].Configuration = quantity, price, made.Snapshot
	return Effects{}, next.checkTotal(in)
}

// resolve finds what is to be added, refusing in the order of the specification:
// product, capability, variant, configuration. Spec: POST line errors.
func (l AddLine) resolve(s *Store) (p *Product, v *Variant, made Configured, r *Refusal) {
	p = s.Product(l.ProductID)
	switch {
	case p == nil || !p.Active:
		return nil, nil, made, ProductUnavailable
	case !s.Modules.Has(p.Capability.Module()):
		return nil, nil, made, CapabilityInactive
	case p.Capability == MadeToMeasure:
		made, r = l.configure(p)
		return p, nil, made, r
	}
	v, r = l.resolveVariant(p)
	if r == nil && l.Configuration != nil {
		r = NotConfigurable
	}
	return p, v, made, r
}

// configure applies the product capability rule 3.
func (l AddLine) configure(p *Product) (Configured, *Refusal) {
	switch {
	case l.variantSent():
		return Configured{}, ConfigurableHasNoVariants
	case l.Configuration == nil:
		return Configured{}, ConfigurationMissing
	}
	made, faults := p.Configurator.Engine.Price(l.Configuration)
	if faults != nil {
		return Configured{}, refuseConfiguration(faults, ConfigurationInvalid.Code)
	}
	return made, nil
}

// resolveVariant applies the product capability rules 1 and 2.
func (l AddLine) resolveVariant(p *Product) (*Variant, *Refusal) {
	switch {
	case len(p.Variants) == 0 && !l.variantSent():
		return nil, nil
	case len(p.Variants) == 0:
		return nil, NoVariants
	case !l.variantSent():
		return nil, ChooseVariant
	}
	v := p.Variant(l.VariantID)
	if v == nil || !v.Active {
		return nil, VariantUnavailable
	}
	return v, nil
}

func (l AddLine) variantSent() bool { return l.VariantSent || l.VariantID != uuid.Nil }

func (l ChangeLine) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	line := &next.Lines[next.line(id)]
	unit := line.Unit
	product := in.Store.Product(line.ProductID)
	if product != nil {
		unit = product.Unit
	}
	switch {
	case unit == UnitPiece && !l.Quantity.Whole():
		return Effects{}, QuantityNotWhole
	case l.Quantity > in.Store.Policy.MaxQuantityPerLine:
		return Effects{}, QuantityAboveMaximum
	}
	line.Quantity = l.Quantity
	line.reprice(product, next.pricing(in))
	return Effects{}, next.checkTotal(in)
}

func (l RemoveLine) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	at := next.line(id)
	next.Lines = append(next.Lines[:at], next.Lines[at+1:]...)
	return Effects{}, nil
}

// merging returns the line that an add of this combination joins, or -1.
// Spec: Line behaviour 1. hash is nil for plain lines.
func (c *Cart) merging(product, variant uuid.UUID, hash *[32]byte) int {
	for i := range c.Lines {
		l := &c.Lines[i]
		if l.ProductID != product || l.VariantID != variant || (l.Configuration == nil) != (hash == nil) {
			continue
		}
		if hash == nil || l.Configuration.Hash == *hash {
			return i
		}
	}
	return -1
}

// newLine takes the snapshots of a new line: the product's name, the variant's
// SKU or, where it has none, the product's.
func newLine(id uuid.UUID, p *Product, v *Variant, in *Input) Line {
	l := Line{ID: id, ProductID: p.ID, Name: p.Name, SKU: p.SKU, Born: in.Next, Made: in.Now}
	if v != nil {
		l.VariantID = v.ID
		if v.SKU != "" {
			l.SKU = v.SKU
		}
	}
	return l
}

// reprice gives a line the price of its new quantity. A configured line, one
// whose product or variant is gone or inactive, and one without a price at this
// quantity keep what they have. Spec: Line behaviour 4.
func (l *Line) reprice(p *Product, ctx Pricing) {
	if l.Configuration != nil || p == nil || !p.Active {
		return
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil || !variant.Active {
			return
		}
	}
	if price, ok := UnitPrice(p, variant, ctx, l.Quantity); ok {
		l.UnitPrice = price
	}
}

// checkTotal refuses a change that takes the cart beyond what integers in JSON
// can carry exactly, also should its discounts end. A tax is at most as much again as the goods, so that only
// carts in the upper half of the range have to be evaluated.
func (c *Cart) checkTotal(in *Input) *Refusal {
	var goods Amount
	for i := range c.Lines {
		total, ok := c.Lines[i].UnitPrice.Times(c.Lines[i].Quantity)
		if goods += total; !ok || goods > MaxAmount/2 {
			return c.checkEvaluated(in)
		}
	}
	return nil
}

func (c *Cart) checkEvaluated(in *Input) *Refusal {
	var e Evaluation
	if e.evaluateFull(c, in.Store); e.Overflow {
		return TotalLimitReached
	}
	return nil
}
