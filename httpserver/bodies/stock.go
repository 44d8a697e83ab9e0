package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// StockAdjustment is the body of a stock adjustment.
var StockAdjustment = Object("StockAdjustment",
	field.Required("product_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.ProductID }),
	noted(field.Optional("variant_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.VariantID }),
		func(a *commerce.StockAdjustment) *bool { return &a.VariantSent }),
	field.Required("quantity", StockDelta, "The change: positive to add, negative to remove. Up to three decimals.",
		func(a *commerce.StockAdjustment) *commerce.StockDelta { return &a.Quantity }),
	field.Optional("reason", field.Pointer(Text(commerce.MaxStockReason)), "", func(a *commerce.StockAdjustment) **string { return &a.Reason }),
)
