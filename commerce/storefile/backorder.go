package storefile

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// backorder permits sales ahead of the stock.
var backorder = objectKind("backorder",
	field.Required("limit", backorderLimit, "How far the stock of each item may be sold below zero.",
		func(b *commerce.Backorder) *commerce.Micros { return &b.Limit }),
	field.Optional("available_from", date, "The day on which the goods are expected; null if it is not known.",
		func(b *commerce.Backorder) *commerce.Date { return &b.From }),
)
