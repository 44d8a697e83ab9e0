package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of the stock routes' answers.
var (
	availabilityAnswer = listOf("AvailabilityList", openapi.Object("Availability").
				Has("product_id", openapi.UUID, "").
				Has("variant_id", openapi.UUID.OrNull(), "").
				Has("stock_status", stockStatusShape, "").
				Has("available", openapi.Number.OrNull(), "null if the stock is not tracked."))
	adjustedShape = openapi.Object("StockLevel").
			Has("product_id", openapi.UUID, "").
			Has("variant_id", openapi.UUID.OrNull(), "").
			Has("on_hand", openapi.Number, "").
			Has("available", openapi.Number, "On hand − the holds of all carts.")
)

// stockRefusals are the refusals of an adjustment.
var stockRefusals = []*commerce.Refusal{
	commerce.ProductUnavailable, commerce.ChooseVariant.Plain(), commerce.VariantUnavailable.Plain(), commerce.NoVariants.Plain(),
	commerce.ConfigurableHasNoVariants.Plain(), commerce.StockUntracked, commerce.StockBelowZero, commerce.StockAboveMaximum,
}

// handleStockAvailability shows the stock of products and variants.
func handleStockAvailability(s *Server, x *exchange) error {
	asked, fault := decodeStockQuery(x.ctx.QueryArgs())
	if fault != nil {
		return fault
	}
	rows := x.facts.Store.Availability(asked.products, asked.variants)
	p := x.page(stockRows, len(rows))
	from, to := p.bounds()
	rows = rows[from:to]
	var items []uuid.UUID
	for i := range rows {
		items = append(items, rows[i].Items...)
	}
	var levels []commerce.StockLevel
	if len(items) > 0 {
		var err error
		if levels, err = s.engine.Availability(&x.request, asked.cart, items); err != nil {
			return err
		}
	}
	x.out = append(x.out, `{"data":[`...)
	for i := range rows {
		n := len(rows[i].Items)
		x.out = appendAvailability(appendComma(x.out, i), &rows[i], levels[:n])
		levels = levels[n:]
	}
	x.out = x.appendPages(append(x.out, ']'), p)
	return nil
}

// handleStockAdjust changes the stock on hand.
func handleStockAdjust(s *Server, x *exchange) error {
	request := &x.request
	request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		return x.keyFault
	}
	adjustment, fault := decodeStockAdjustment(x.body)
	if fault != nil {
		return fault
	}
	adjusted, err := s.engine.AdjustStock(request, adjustment)
	if err != nil {
		return err
	}
	if adjusted.Replayed {
		x.setReplayed()
	}
	x.out = appendStockOf(append(x.out, '{'), adjustment.ProductID, adjustment.VariantID)
	x.out = adjusted.Level.OnHand.AppendJSON(append(x.out, `,"on_hand":`...))
	x.out = adjusted.Level.Available().AppendJSON(append(x.out, `,"available":`...))
	x.out = append(x.out, '}')
	return nil
}

// appendAvailability writes one row: the sum of its levels.
func appendAvailability(dst []byte, row *commerce.Availability, levels []commerce.StockLevel) []byte {
	dst = appendStockOf(append(dst, '{'), row.ProductID, row.VariantID)
	if !row.Tracked {
		return append(dst, `,"stock_status":"`+commerce.StockNotTracked+`","available":null}`...)
	}
	dst = appendString(append(dst, `,"stock_status":`...), commerce.StockStatus(levels...))
	dst = commerce.SumAvailable(levels).AppendJSON(append(dst, `,"available":`...))
	return append(dst, '}')
}

func appendStockOf(dst []byte, product, variant uuid.UUID) []byte {
	dst = appendUUID(append(dst, `"product_id":`...), product)
	return appendUUIDOrNull(append(dst, `,"variant_id":`...), variant)
}
