package engine

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// StockLevels reads the stock of items, in their order, as a cart sees it; a zero cart has no stock
// on hold.
func (e *Engine) StockLevels(store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error) {
	return e.store.StockLevels(store, cart, items, deadline)
}

// Availability is StockLevels as the visitor sees it for a cart; a zero cart, and one that the
// visitor may not read, counts as absent.
func (e *Engine) Availability(r *Request, cart uuid.UUID, items []uuid.UUID) ([]commerce.StockLevel, error) {
	if cart != uuid.Nil {
		asked, refusal := *r, (*commerce.Refusal)(nil)
		asked.CartID = cart
		switch _, err := e.carts.Load(&asked); {
		case errors.As(err, &refusal):
			cart = uuid.Nil
		case err != nil:
			return nil, err
		}
	}
	return e.store.StockLevels(r.Store.ID, cart, items, r.Deadline)
}

// AdjustStock changes the stock on hand of an item.
func (e *Engine) AdjustStock(r *Request, a *commerce.StockAdjustment) (made StockAdjusted, err error) {
	_, err = e.write(r, func(r *Request) (_ Reply, err error) {
		made, err = e.store.AdjustStock(r, a)
		return Reply{}, err
	})
	return made, err
}

// StockAdjusted is the stock after an adjustment.
type StockAdjusted struct {
	Level commerce.StockLevel
	// Replayed is true if an earlier sending made the adjustment. Level is then the current stock.
	Replayed bool
}
