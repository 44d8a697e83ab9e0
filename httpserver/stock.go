package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
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
	return writePage(x, answers.AvailabilityList, p, func(yield func(answers.AvailabilityView) bool) {
		for i := range rows {
			if !yield(answers.AvailabilityView{Availability: &rows[i], Available: available[i]}) {
				return
			}
		}
	})
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
	x.setReplayed(adjusted.Replayed)
	x.out = answers.StockLevel.Append(x.out, answers.StockLevelView{
		ProductID: adjustment.ProductID, VariantID: adjustment.VariantID, Level: adjusted.Level,
	})
	return nil
}
