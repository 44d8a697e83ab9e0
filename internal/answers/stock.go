package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// stockStatus is the status of an item.
var stockStatus = Names(commerce.StockIn, commerce.StockOut, commerce.StockNotTracked)

// AvailabilityView is a row of the stock list with what is available.
type AvailabilityView struct {
	*commerce.Availability
	Available commerce.Micros
}

// Availability is the stock of a product or of a variant.
var Availability = Object("Availability",
	Member("product_id", UUID, "", func(v AvailabilityView) uuid.UUID { return v.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(v AvailabilityView) uuid.UUID { return v.VariantID }),
	Member("stock_status", stockStatus, "", func(v AvailabilityView) string {
		if v.Product == nil {
			return commerce.StockNotTracked
		}
		return commerce.StockStatus(v.Available > 0)
	}),
	Member("available", IfThere(Stock), "null if the stock is not tracked.",
		func(v AvailabilityView) Maybe[commerce.Micros] {
			return Maybe[commerce.Micros]{v.Available, v.Product != nil}
		}),
)

// AvailabilityList is a page of the stock list.
var AvailabilityList = PageOf("AvailabilityList", Availability)

// StockLevelView is the stock of an item after an adjustment.
type StockLevelView struct {
	ProductID, VariantID uuid.UUID
	Level                commerce.StockLevel
}

// StockLevel is the stock of an item after an adjustment.
var StockLevel = Object("StockLevel",
	Member("product_id", UUID, "", func(v StockLevelView) uuid.UUID { return v.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(v StockLevelView) uuid.UUID { return v.VariantID }),
	Member("on_hand", Stock, "", func(v StockLevelView) commerce.Micros { return v.Level.OnHand }),
	Member("available", Stock, "On hand − the holds of all carts.", func(v StockLevelView) commerce.Micros { return v.Level.Available() }),
)
