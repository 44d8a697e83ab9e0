package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Line is one line of a cart. Spec: lines[].
type Line struct {
	ID        uuid.UUID
	ProductID uuid.UUID
	VariantID uuid.UUID // zero if there is none
	// Name and SKU are snapshots of the moment when the line was first added.
	Name, SKU string
	Quantity  Quantity
	UnitPrice Amount
	// Tax and Unit are the product's home rate and unit at the last write. They count once the product is gone.
	Tax  Percent
	Unit Unit
	// Configuration is the snapshot of a made-to-measure line; nil for plain lines.
	Configuration *Configuration
	// Properties are the line's texts; nil if it has none.
	Properties *Properties
	// Born is the stamp counter of the commit that made the line. Made is the time of its judgement, by
	// Redis's clock in milliseconds. A line that a claim has moved was made by the claim.
	Born uint64
	Made time.Time
}

// eachText passes on each text of the line with the name of its field. All are of one line.
func (l *Line) eachText(do func(field, text string)) {
	do("name", l.Name)
	do("sku", l.SKU)
}

// AddLine adds a product to the cart, or adds to the quantity of its line.
// Spec: POST body (Cart lines), Line behaviour 1 and 2.
type AddLine struct {
	// LineID is the id for a new line.
	LineID    uuid.UUID
	ProductID uuid.UUID
	VariantID uuid.UUID // zero if not sent, unless VariantSent
	Quantity  Quantity
	// VariantSent is true if the nil UUID, which names no variant, was sent as variant_id. With any
	// other VariantID it may be left out.
	VariantSent bool
	// Configuration is the one sent; nil if none or null was sent.
	Configuration *Selection
	// Properties are those sent; nil if none or null was sent.
	Properties *SentProperties
}

func (AddLine) Locate(*Cart) *Refusal { return nil }

func (l AddLine) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	product, variant, made, r := l.resolve(in.Store)
	if r != nil {
		return Effects{}, r
	}
	properties, faults := l.Properties.For(product)
	if len(faults) > 0 {
		return Effects{}, refuseFields(faults, TakesNoProperties.Code)
	}
	at := next.merging(&Line{ProductID: l.ProductID, VariantID: l.VariantID, Configuration: made.Snapshot, Properties: properties})
	quantity, later := l.Quantity, false
	if at >= 0 {
		quantity = next.Lines[at].Quantity.Add(l.Quantity)
		later = in.simultaneous(&next.Lines[at])
	}
	limit, clamps := in.Store.Policy.MaxQuantityPerLine, false
	if most := product.Pack.most(limit); later && l.Quantity <= most && quantity > most {
		quantity, clamps = product.Pack.Greatest(limit), true
	}
	price, ok := made.UnitPrice, made.Snapshot != nil
	if !ok {
		price, ok = UnitPrice(product, variant, next.pricing(in), quantity)
	}
	switch r = product.Pack.refuse(quantity); {
	case !ok:
		return Effects{}, NotPurchasable
	case !l.Quantity.Fits(product.Unit):
		return Effects{}, QuantityNotWhole
	case clamps && quantity == 0:
		return Effects{}, QuantityAboveMaximum.atMost(limit)
	case r != nil:
		return Effects{}, r
	case quantity > limit:
		return Effects{}, QuantityAboveMaximum.atMost(limit)
	case at < 0 && len(next.Lines) >= in.Store.Policy.MaxLines:
		return Effects{}, LineLimitReached.atMost(in.Store.Policy.MaxLines)
	}
	if at < 0 {
		at = len(next.Lines)
		next.Lines = append(next.Lines, newLine(l.LineID, product, variant, in))
		next.Lines[at].Properties = properties
	}
	next.Lines[at].Quantity, next.Lines[at].UnitPrice, next.Lines[at].Configuration = quantity, price, made.Snapshot
	return Effects{}, next.checkTotal(in)
}

// newLine makes a line with its snapshots: the product's name, and the variant's SKU or, if it has
// none, the product's.
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

// merging returns the line of the cart that another line joins, or -1.
func (c *Cart) merging(other *Line) int {
	for i := range c.Lines {
		if c.Lines[i].equals(other) {
			return i
		}
	}
	return -1
}

// equals reports whether two lines are one: they have the same product, variant, configuration and
// properties. Spec: Line behaviour 1.
func (l *Line) equals(other *Line) bool {
	if l.ProductID != other.ProductID || l.VariantID != other.VariantID || (l.Configuration == nil) != (other.Configuration == nil) {
		return false
	}
	return (l.Configuration == nil || l.Configuration.Hash == other.Configuration.Hash) && l.Properties.same(other.Properties)
}

// sameMoment is the maximum time from the making of a line to the arrival of an add, if the add
// counts as simultaneous.
const sameMoment = 10 * time.Millisecond

// simultaneous reports whether an add is the later of two simultaneous adds: the line was made while the
// add was under way or just before it came, and the add's connection has carried no answer of the cart
// since. The later is clamped to the maximum; any other add above it is refused. A line of the same
// batch has no counter yet. Spec: Line behaviour 2; docs/decisions.md#line-behaviour.
func (in *Input) simultaneous(l *Line) bool {
	return l.Born > in.Seen && !l.Made.Before(in.Came.Add(-sameMoment))
}

// resolve finds the product, variant and configuration. It refuses in the order of the
// specification: product, capability, variant, configuration. Spec: POST line errors.
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

// configure applies Product capability rules 3.
func (l AddLine) configure(p *Product) (Configured, *Refusal) {
	switch {
	case l.variantSent():
		return Configured{}, ConfigurableHasNoVariants
	case l.Configuration == nil:
		return Configured{}, ConfigurationMissing
	}
	made, faults := p.Configurator.Engine.Price(l.Configuration)
	if faults != nil {
		return Configured{}, refuseFields(faults, ConfigurationInvalid.Code)
	}
	return made, nil
}

// resolveVariant applies Product capability rules 1 and 2.
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

// ChangeLine sets a line's quantity and, if they were sent, its properties. Spec: PATCH line body, Line
// behaviour 4.
type ChangeLine struct {
	LineID   string
	Quantity Quantity
	// PropertiesSent is true if the map, or null, was sent. A sent map replaces the whole one.
	PropertiesSent bool
	Properties     *SentProperties
}

// RemoveLine removes a line. Spec: DELETE line.
type RemoveLine struct{ LineID string }

func (l ChangeLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }
func (l RemoveLine) Locate(c *Cart) *Refusal { return locateLine(c, l.LineID) }

func locateLine(c *Cart, lineID string) *Refusal {
	if id, ok := ParseID(lineID); ok && c.line(id) >= 0 {
		return nil
	}
	return NotFound("CartLine", lineID)
}

func (l ChangeLine) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	line := &next.Lines[next.line(id)]
	unit := line.Unit
	product := in.Store.Product(line.ProductID)
	if product != nil {
		unit = product.Unit
	}
	if l.PropertiesSent {
		if r := next.setProperties(line, product, l.Properties); r != nil {
			return Effects{}, r
		}
	}
	switch r := product.pack().refuse(l.Quantity); {
	case !l.Quantity.Fits(unit):
		return Effects{}, QuantityNotWhole
	case r != nil:
		return Effects{}, r
	case l.Quantity > in.Store.Policy.MaxQuantityPerLine:
		return Effects{}, QuantityAboveMaximum.atMost(in.Store.Policy.MaxQuantityPerLine)
	}
	line.Quantity = l.Quantity
	line.reprice(product, next.pricing(in))
	return Effects{}, next.checkTotal(in)
}

// setProperties replaces the properties of a line. Its refusals have no code. The product is nil if it
// is gone.
func (c *Cart) setProperties(line *Line, product *Product, sent *SentProperties) *Refusal {
	properties, faults := sent.For(product)
	if len(faults) > 0 {
		return refuseFields(faults, "")
	}
	changed := *line
	changed.Properties = properties
	if at := c.merging(&changed); at >= 0 && c.Lines[at].ID != line.ID && !properties.same(line.Properties) {
		return LineExists // an erasure may have made lines equal
	}
	line.Properties = properties
	return nil
}

func (l RemoveLine) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	id, _ := ParseID(l.LineID)
	at := next.line(id)
	next.Lines = append(next.Lines[:at], next.Lines[at+1:]...)
	return Effects{}, nil
}

// checkTotal refuses a change if the cart's total without discounts would exceed MaxAmount. A tax
// is at most equal to the goods, so only carts with goods above half of MaxAmount are evaluated.
func (c *Cart) checkTotal(in *Input) *Refusal {
	c = c.priced(in.Store, c.pricing(in), nil)
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
	if e.evaluateFull(c, in); e.Overflow {
		return TotalLimitReached.atMost(int64(MaxAmount))
	}
	return nil
}
