package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
)

// quantityRefusals are the refusals of a line's quantity, lineRefusals those of a line add,
// lineChangeRefusals those of a PATCH, whose faults of the properties have no code.
// Spec: POST line errors, PATCH line errors.
var (
	quantityRefusals = []*commerce.Refusal{commerce.QuantityNotWhole, commerce.QuantityAboveMaximum, commerce.TotalLimitReached}
	lineRefusals     = append([]*commerce.Refusal{
		commerce.ProductUnavailable, commerce.NotPurchasable, commerce.CapabilityInactive, commerce.ChooseVariant, commerce.VariantUnavailable,
		commerce.NoVariants, commerce.ConfigurableHasNoVariants, commerce.ConfigurationMissing, commerce.NotConfigurable,
		commerce.NoConfiguredPrice, commerce.ConfigurationInvalid, commerce.TakesNoProperties, commerce.LineLimitReached,
	}, quantityRefusals...)
	lineChangeRefusals = append([]*commerce.Refusal{commerce.TakesNoProperties.Plain(), commerce.LineExists}, quantityRefusals...)
)

// handleLineAdd puts a product into the cart. Spec: POST …/lines.
func handleLineAdd(s *Server, x *exchange) error {
	add, fault := bodies.LineAdd.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	add.LineID = id
	return s.changeCart(x, add, fault)
}

// handleLineChange sets a line's quantity and properties. Spec: PATCH …/lines/{lineId}.
func handleLineChange(s *Server, x *exchange) error {
	change, fault := bodies.LineChange.Read(x.body)
	change.LineID = x.param("lineId")
	return s.changeCart(x, change, fault)
}

// handleLineRemove removes a line. Spec: DELETE …/lines/{lineId}.
func handleLineRemove(s *Server, x *exchange) error {
	return s.changeCart(x, commerce.RemoveLine{LineID: x.param("lineId")}, nil)
}

// handleLineBatch puts several products into the cart, or none: docs/api/lines.md#batch.
func handleLineBatch(s *Server, x *exchange) error {
	adds, fault := bodies.LineBatch.Read(x.body)
	for i := range adds {
		id, err := newID()
		if err != nil {
			return err
		}
		adds[i].LineID = id
	}
	return s.changeCart(x, adds, fault)
}
