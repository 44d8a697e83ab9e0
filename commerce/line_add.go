package commerce

import (
	"time"

	"github.com/google/uuid"
)

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

// simultaneous reports whether an add is the loser of a simultaneous add: the line was made while the
// add was under way or just before it came, and the add's connection has carried no answer of the cart
// since. The loser is clamped to the maximum; any other add above it is refused. A line of the same
// batch has no counter yet. Spec: Line behaviour 2; docs/decisions.md#line-behaviour.
func (in *Input) simultaneous(l *Line) bool {
	return l.Born > in.Carried && !l.Made.Before(in.Came.Add(-sameMoment))
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
