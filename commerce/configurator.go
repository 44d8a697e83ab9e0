package commerce

import (
	"time"

	"github.com/google/uuid"
)

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

// Configuration is the snapshot of a made-to-measure line. Spec: attributes.configuration.
type Configuration struct {
	Hash       [32]byte // config_hash
	Dimensions []DimensionValue
	Choices    []string
	Breakdown  []PricePart
	Components []ComponentUse
	MatrixID   string
	MatrixName string
}

// DimensionValue is one chosen measure in whole millimetres.
type DimensionValue struct {
	Key   string
	Value int64
}

// PricePart is one entry of a configuration's price breakdown.
type PricePart struct {
	Label  string
	Amount Amount
}

// ComponentUse is the stock that one configured unit uses. Quantity is an exact decimal.
type ComponentUse struct {
	ProductID uuid.UUID
	Quantity  string
}

// Selection is a configuration as sent, not judged yet.
// Spec: POST body (Cart lines), configuration.
type Selection struct {
	// Dimensions are in the order sent. If a key is sent twice, the last one counts.
	Dimensions []Measure
	// Choices are the ids in the order sent.
	Choices []string
	// NoMap is true if the dimensions were no map, NoList if the choices were no list of strings.
	NoMap, NoList bool
}

// Measure is one dimension as sent, in millimetres.
type Measure struct {
	Key string
	// Value is the result of ParseWhole. Whole is false if no whole number was sent.
	Value int64
	Whole bool
}

// Configured is a judged and priced selection. The zero value is no configuration.
type Configured struct {
	UnitPrice Amount
	Snapshot  *Configuration
}

// ConfiguratorEngine is a configurator prepared for requests. It is an interface because lines are
// judged here and commerce/configurator imports this package. The loader of a store sets it.
type ConfiguratorEngine interface {
	// Price judges a selection and prices it. It returns all errors of the selection in their order;
	// nil if there are none.
	Price(*Selection) (Configured, []FieldError)
	// Offered is the configurator without its unavailable choices and matrices.
	Offered() *Configurator
	// TriggersQuote reports whether a choice of the document, available or not, has this id and needs
	// a quote.
	TriggersQuote(choice string) bool
}

// ConfigurationQuote is a price of a configuration outside a cart.
type ConfigurationQuote struct {
	Configured
	// RequiresQuote is true if a cart with only this configuration would require a quote.
	RequiresQuote bool
}

// QuoteConfiguration prices a selection of a made-to-measure product in a visitor's context and tax country at now.
// It refuses like a line add, without a code. Spec: Errors, the configurator quote endpoint.
func (s *Store) QuoteConfiguration(p *Product, selected *Selection, q Quantity, v Visitor, country Country, now time.Time) (ConfigurationQuote, *Refusal) {
	made, faults := p.Configurator.Engine.Price(selected)
	if faults != nil {
		return ConfigurationQuote{}, refuseFields(faults, "")
	}
	if !q.Fits(p.Unit) {
		return ConfigurationQuote{}, QuantityNotWhole
	}
	alone := Cart{Lines: []Line{{
		ProductID: p.ID, Name: p.Name, SKU: p.SKU, Quantity: q, UnitPrice: made.UnitPrice,
		Tax: p.Tax.Home(), Unit: p.Unit, Configuration: made.Snapshot,
	}}}
	var e Evaluation
	e.evaluateIn(country, &alone, s, v, now)
	return ConfigurationQuote{Configured: made, RequiresQuote: e.RequiresQuote}, nil
}

// refuseFields is the 422 of a line whose configuration or properties have faults.
func refuseFields(faults []FieldError, code string) *Refusal {
	return &Refusal{Kind: Invalid, Message: faults[0].Messages[0].Text(), Code: code, Fields: faults}
}
