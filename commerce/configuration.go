package commerce

import (
	"time"

	"github.com/google/uuid"
)

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

// ComponentUse is the stock one configured unit uses; Quantity is an exact decimal.
type ComponentUse struct {
	ProductID uuid.UUID
	Quantity  string
}

// Selection is a configuration as a client sent it, before anything of it is
// judged. Spec: POST body (Cart lines), configuration.
type Selection struct {
	// Dimensions in the order sent; of a key that is sent twice the last counts.
	Dimensions []Measure
	// Choices are the ids in the order sent.
	Choices []string
	// NoMap: the dimensions were no map. NoList: the choices were no list of strings.
	NoMap, NoList bool
}

// Measure is one dimension as sent, in millimetres.
type Measure struct {
	Key string
	// Value is ParseWhole's; Whole is false where no whole number was sent.
	Value int64
	Whole bool
}

// Configured is what a selection comes to; the zero value is no configuration.
type Configured struct {
	UnitPrice Amount
	Snapshot  *Configuration
}

// hash is what lines are told apart by; nil: no configuration.
func (c *Configured) hash() *[32]byte {
	if c.Snapshot == nil {
		return nil
	}
	return &c.Snapshot.Hash
}

// ConfiguratorEngine is a configurator made ready for requests. Lines are judged
// here and commerce/configurator needs the types of this package, so that whoever
// loads a store puts the engine behind this interface.
type ConfiguratorEngine interface {
	// Price judges a selection and prices it. The errors are all of the selection's,
	// in their order; nil: there are none.
	Price(*Selection) (Configured, []FieldError)
	// Offered is the configurator without the choices and matrices that are
	// unavailable.
	Offered() *Configurator
	// TriggersQuote reports whether the document has a choice with this id that
	// needs a quote, available or not.
	TriggersQuote(choice string) bool
}

// ConfigurationQuote is what a configuration comes to outside a cart.
type ConfigurationQuote struct {
	Configured
	// RequiresQuote: a cart of this alone would require a quote.
	RequiresQuote bool
}

// QuoteConfiguration prices a selection of a product that is made to measure, in a
// visitor's context at now. It refuses as a line add does, without a code.
// Spec: Errors, the configurator quote endpoint.
func (s *Store) QuoteConfiguration(p *Product, selected *Selection, q Quantity, v Visitor, now time.Time) (ConfigurationQuote, *Refusal) {
	made, faults := p.Configurator.Engine.Price(selected)
	if faults != nil {
		return ConfigurationQuote{}, refuseConfiguration(faults, "")
	}
	if p.Unit == UnitPiece && !q.Whole() {
		return ConfigurationQuote{}, QuantityNotWhole
	}
	alone := Cart{Lines: []Line{{
		ProductID: p.ID, Name: p.Name, SKU: p.SKU, Quantity: q, UnitPrice: made.UnitPrice,
		Tax: p.Tax, Unit: p.Unit, Configuration: made.Snapshot,
	}}}
	var e Evaluation
	e.Evaluate(&alone, s, v, now)
	return ConfigurationQuote{Configured: made, RequiresQuote: e.RequiresQuote}, nil
}

// refuseConfiguration is the 422 of an engine's errors.
func refuseConfiguration(faults []FieldError, code string) *Refusal {
	return &Refusal{Kind: Invalid, Message: faults[0].Messages[0], Code: code, Fields: faults}
}
