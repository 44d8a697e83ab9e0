package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/httpserver/bodies"
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
	available, err := x.readAvailable(asked.cart, rows)
	if err != nil {
		return err
	}
	x.out = append(x.out, `{"data":[`...)
	for i := range rows {
		x.out = appendAvailability(appendComma(x.out, i), &rows[i], available[i])
	}
	x.out = x.appendPages(append(x.out, ']'), p)
	return nil
}

// readAvailable reads what is available of each row to a cart: the sum of its items.
func (x *exchange) readAvailable(cart uuid.UUID, rows []commerce.Availability) ([]commerce.Micros, error) {
	sums, items := make([]commerce.Micros, len(rows)), 0
	for i := range rows {
		items += rows[i].Items()
	}
	if items == 0 {
		return sums, nil
	}
	cart, err := x.server.engine.HoldingCart(&x.request, cart)
	if err != nil {
		return nil, err
	}
	reading, err := x.readStock(cart, items, func(row int, level commerce.StockLevel) { sums[row] = level.AddAvailable(sums[row]) })
	if err != nil {
		return nil, err
	}
	defer reading.end()
	for i := range rows {
		for item := range rows[i].EachItem {
			if err := reading.add(i, item); err != nil {
				return nil, err
			}
		}
	}
	return sums, reading.flush()
}

// handleStockAdjust changes the stock on hand.
func handleStockAdjust(s *Server, x *exchange) error {
	request := &x.request
	request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		return x.keyFault
	}
	adjustment, fault := bodies.StockAdjustment.Read(x.body)
	if fault != nil {
		return fault
	}
	adjusted, err := s.engine.AdjustStock(request, &adjustment)
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

// appendAvailability writes one row.
func appendAvailability(dst []byte, row *commerce.Availability, available commerce.Micros) []byte {
	dst = appendStockOf(append(dst, '{'), row.ProductID, row.VariantID)
	if row.Product == nil {
		return append(dst, `,"stock_status":"`+commerce.StockNotTracked+`","available":null}`...)
	}
	dst = appendString(append(dst, `,"stock_status":`...), commerce.StockStatus(available > 0))
	dst = available.AppendJSON(append(dst, `,"available":`...))
	return append(dst, '}')
}

func appendStockOf(dst []byte, product, variant uuid.UUID) []byte {
	dst = appendUUID(append(dst, `"product_id":`...), product)
	return appendUUIDOrNull(append(dst, `,"variant_id":`...), variant)
}
