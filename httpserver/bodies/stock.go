package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// StockAdjustment is the body of a stock adjustment.
var StockAdjustment = Object("StockAdjustment",
	Required("product_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.ProductID }),
	Asked("variant_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.VariantID }).
		Noted(func(a *commerce.StockAdjustment) *bool { return &a.VariantSent }),
	Required("quantity", StockDelta, "The change: positive to add, negative to remove. Up to three decimals.",
		func(a *commerce.StockAdjustment) *commerce.StockDelta { return &a.Quantity }),
	Asked("reason", Pointer(Text(commerce.MaxStockReason)), "", func(a *commerce.StockAdjustment) **string { return &a.Reason }),
)
