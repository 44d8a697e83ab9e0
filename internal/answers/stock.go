package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// stockStatus is the status of an item.
var stockStatus = Names(commerce.StockStatusNames()...)

// aboutAvailableFrom is about the day on which goods are expected.
const aboutAvailableFrom = "The day on which it is expected, while the status is backorder; else null, and if the document has none."

// AvailabilityView is a row of the stock list with what is available.
type AvailabilityView struct {
	*commerce.Availability
	available, now commerce.Micros
	state          commerce.StockState
}

// Add adds the stock of an item that is expected on a day.
func (v *AvailabilityView) Add(level commerce.StockLevel, from commerce.Date) {
	v.available, v.now = v.available.Plus(level.Available()), v.now.Plus(level.Now())
	v.state.Join(level.State(from))
}

// Availability is the stock of a product or of a variant.
var Availability = field.Object("Availability",
	field.Member("product_id", UUID, "", func(v AvailabilityView) *uuid.UUID { return &v.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(v AvailabilityView) *uuid.UUID { return &v.VariantID }),
	field.Value("stock_status", stockStatus, "", func(v AvailabilityView) string {
		if v.Product == nil {
			return commerce.StockNotTracked.String()
		}
		return v.state.Status.String()
	}),
	field.NullUnless(func(v AvailabilityView) bool { return v.Product != nil },
		field.Value("available", Stock, "With what may be sold ahead of the stock. null if the stock is not tracked.",
			func(v AvailabilityView) commerce.Micros { return v.available }),
		field.Value("available_now", Stock, "What is there already. null if the stock is not tracked.",
			func(v AvailabilityView) commerce.Micros { return v.now })),
	field.Value("available_from", DateOrNull, aboutAvailableFrom+" Of several items the earliest.",
		func(v AvailabilityView) commerce.Date { return v.state.From }),
)

// AvailabilityList is a page of the stock list.
var AvailabilityList = PageOf("AvailabilityList", Availability)

// StockLevelView is the stock of an item after an adjustment.
type StockLevelView struct {
	ProductID, VariantID uuid.UUID
	Level                commerce.StockLevel
}

// StockLevel is the stock of an item after an adjustment.
var StockLevel = field.Object("StockLevel",
	field.Value("product_id", UUID, "", func(v StockLevelView) uuid.UUID { return v.ProductID }),
	field.Value("variant_id", UUIDOrNull, "", func(v StockLevelView) uuid.UUID { return v.VariantID }),
	field.Value("on_hand", Stock, "Below zero where goods were sold ahead of it.", func(v StockLevelView) commerce.Micros { return v.Level.OnHand }),
	field.Value("available", Stock, "On hand + the limit of the back order − the holds of all carts, at least 0.",
		func(v StockLevelView) commerce.Micros { return v.Level.Available() }),
)
