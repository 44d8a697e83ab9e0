package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// Product is one item for sale. Spec: Product attributes that affect carts.
type Product struct {
	ID          uuid.UUID
	Name, Slug  string
	SKU         string // may be empty
	Description string // may be empty
	CategoryIDs []uuid.UUID
	Stock       Micros // on hand when the product is first imported
	// Members of one byte stand together: with gaps between them a product takes 32 bytes more.
	Active           bool
	Capability       Capability
	Unit             Unit
	RequiresShipping bool
	TrackStock       bool
	Purchasability   Purchasability
	Returnable       bool
	LeadTimeDays     *int
	Weight           *Milligrams // of one unit of quantity; nil if it is not known
	Tax              *TaxRate
	Prices           Prices
	PriceFrom        *Amount // made_to_measure only: shown as "from"; nil if there is none
	// TextFields are the texts that a line may have; nil if it takes no properties, empty if only those
	// of the front end's own.
	TextFields []TextField
	Pack       *Pack // nil if a line may have any quantity
	// Backorder is that of the product and of those variants that have none; nil if there is none.
	Backorder *Backorder
	Display
	Variants     []Variant
	Configurator *Configurator // made_to_measure only
}

// Variant is one version of a standard product.
type Variant struct {
	ID     uuid.UUID
	Name   string
	SKU    string // may be empty
	Active bool
	Prices Prices
	Stock  Micros
	Weight *Milligrams // nil: the product's
	// Backorder is the variant's own; nil: the product's.
	Backorder *Backorder
	Display
}

// Prices are the price fields of a product or of a variant.
type Prices struct {
	Base    *Amount // nil without a base price
	Group   []GroupPrice
	Tiers   []Tier
	Periods []PricePeriod // ascending, for each group
}

// GroupPrice replaces the base price for one customer group.
type GroupPrice struct {
	GroupID uuid.UUID
	Price   Amount
}

// Tier is the price from a quantity on, for one group or, with a zero GroupID, for every visitor.
type Tier struct {
	MinQuantity Quantity
	Price       Amount
	GroupID     uuid.UUID
}

// Capability is the way in which a product is sold.
type Capability uint8

const (
	Standard Capability = iota
	MadeToMeasure
)

var capabilityNames = [...]string{"standard", "made_to_measure"}

// String returns the capability as the API spells it.
func (c Capability) String() string { return capabilityNames[c] }

// ParseCapability reads a capability as the API spells it.
func ParseCapability(text string) (Capability, bool) {
	return parseName[Capability](capabilityNames[:], text)
}

// Module returns the module that sells the capability. Spec: capability_active.
func (c Capability) Module() Module {
	if c == MadeToMeasure {
		return ModuleConfigurator
	}
	return ModuleCommerce
}

// Purchasability is whether a product can be bought directly or needs a quote.
type Purchasability uint8

const (
	Direct Purchasability = iota
	ByQuote
)

// String returns the purchasability as the API spells it.
func (p Purchasability) String() string { return [...]string{"direct", "quote"}[p] }

// Unit is the unit of a quantity. Spec: unit.
type Unit uint8

const (
	UnitPiece Unit = iota
	UnitKilogram
	UnitGram
	UnitLitre
	UnitMetre
	UnitSquareMetre
	UnitCubicMetre
	UnitHour
	unitCount
)

var unitNames = [unitCount]string{"piece", "kg", "g", "l", "m", "m2", "m3", "hour"}

// String returns the unit as the API spells it.
func (u Unit) String() string { return unitNames[u] }

// UnitNames lists the units' names, in the order of the units.
func UnitNames() []string { return slices.Clone(unitNames[:]) }

// Variant returns the variant with this id, active or not, or nil.
func (p *Product) Variant(id uuid.UUID) *Variant {
	for i := range p.Variants {
		if p.Variants[i].ID == id {
			return &p.Variants[i]
		}
	}
	return nil
}

// Category is a node of the catalogue's tree; ParentID is zero at its root.
type Category struct {
	ID          uuid.UUID
	Name        string
	Slug        string
	ParentID    uuid.UUID
	Description string // may be empty
	Media       []Media
	Metadata    Metadata // public
}

// Media is the address of a picture.
type Media struct {
	URL string // https:// or a path
	Alt string // the text in its place; may be empty
}

// Attribute is a named property of a product or variant: a text, or a list of texts.
type Attribute struct {
	Name   string
	Values []string
	// List is true if the document has a list, also one of a single text.
	List bool
}

// Display is what a storefront shows of a product or variant and the engine has no rule for.
type Display struct {
	Media      []Media
	Attributes []Attribute // in the document's order
	Metadata   Metadata    // public
}

// Bytes is the length of all texts of the display.
func (d *Display) Bytes() int {
	n := d.Metadata.bytes()
	for i := range d.Media {
		n += len(d.Media[i].URL) + len(d.Media[i].Alt)
	}
	for i := range d.Attributes {
		n += len(d.Attributes[i].Name)
		for _, text := range d.Attributes[i].Values {
			n += len(text)
		}
	}
	return n
}

// MaxDisplayBytes is the maximum of Bytes over a product and its variants.
const MaxDisplayBytes = 64 << 10

// DisplayBytes is the sum over the product and its variants.
func (p *Product) DisplayBytes() int {
	n := p.Bytes()
	for i := range p.Variants {
		n += p.Variants[i].Bytes()
	}
	return n
}
