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
	views, err := x.readAvailable(asked.cart, rows)
	if err != nil {
		return err
	}
	return writePage(x, answers.AvailabilityList, p, func(yield func(answers.AvailabilityView) bool) {
		for _, view := range views {
			if !yield(view) {
				return
			}
		}
	})
}

// readAvailable reads what is available of each row to a cart: the sum of its items.
func (x *exchange) readAvailable(cart uuid.UUID, rows []commerce.Availability) ([]answers.AvailabilityView, error) {
	views, items := make([]answers.AvailabilityView, len(rows)), 0
	for i := range rows {
		views[i].Availability = &rows[i]
		items += rows[i].Items()
	}
	if items == 0 {
		return views, nil
	}
	cart, err := x.server.engine.HoldingCart(&x.request, cart)
	if err != nil {
		return nil, err
	}
	store := x.facts.Store
	reading, err := x.readStock(cart, items, func(row int, item uuid.UUID, level commerce.StockLevel) {
		views[row].Add(level, store.Backorder(item).From)
	})
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
	return views, reading.flush()
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
