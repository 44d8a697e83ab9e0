package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// StockLevels reads the stock of items, in their order, as a cart sees it; a zero cart has no stock
// on hold.
func (e *Engine) StockLevels(store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error) {
	return e.store.StockLevels(store, cart, items, deadline)
}

// AdjustStock changes the stock on hand of an item.
func (e *Engine) AdjustStock(r *Request, a *commerce.StockAdjustment) (StockAdjusted, error) {
	return e.store.AdjustStock(r, a)
}

// StockAdjusted is the stock after an adjustment.
type StockAdjusted struct {
	Level commerce.StockLevel
	// Replayed is true if an earlier sending made the adjustment. Level is then the current stock.
	Replayed bool
}
