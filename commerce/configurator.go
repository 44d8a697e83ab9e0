package commerce

import "github.com/google/uuid"

// Configurator describes the dimensions, choices and prices of a made-to-measure product, as in the
// document.
type Configurator struct {
	Dimensions []Dimension
	Groups     []ChoiceGroup
	Matrices   []Matrix
	Components []Component // part of every configuration
	// Engine judges and prices configurations. The loader of a store sets it.
	Engine ConfiguratorEngine
}

// Dimension is one measure in whole millimetres.
type Dimension struct {
	Key, Label, Unit string
	Min, Max, Step   int64
}

// ChoiceGroup is a set of choices. A visitor may choose one or, with Multiple, any number.
type ChoiceGroup struct {
	ID, Label          string
	Required, Multiple bool
	Choices            []Choice
}

// Choice is one option of a group.
type Choice struct {
	ID, Label     string
	Price         ChoicePrice
	Requires      []string
	Components    []Component
	TriggersQuote bool
}

// ChoicePrice is the amount that a choice adds to the unit price.
type ChoicePrice struct {
	Kind    ChoicePriceKind
	Amount  Amount  // fixed, per_m2
	Percent Percent // percent of the matrix amount
}

// ChoicePriceKind is the way in which a choice's price is computed.
type ChoicePriceKind uint8

const (
	PriceFixed ChoicePriceKind = iota
	PricePercent
	PricePerM2
)

// String returns the kind as the document and the schema spell it.
func (k ChoicePriceKind) String() string { return [...]string{"fixed", "percent", "per_m2"}[k] }

// Component is stock that one configured unit uses.
type Component struct {
	ProductID uuid.UUID
	Quantity  Micros
	Per       string // unit, m2 or the key of a dimension (per metre)
}

// Matrix is a price table over two dimensions, used when all its When choices are chosen.
type Matrix struct {
	ID, Name         string
	When             []string
	X, Y             string
	XBreaks, YBreaks []int64
	Amounts          [][]Amount // [y][x]
}
