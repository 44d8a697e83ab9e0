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
	return e.storage.StockLevels(store, cart, items, deadline)
}

// HoldingCart returns the cart whose hold the visitor may count as available: the one that was asked for
// or, if the visitor may not read it, the zero cart.
func (e *Engine) HoldingCart(r *Request, cart uuid.UUID) (uuid.UUID, error) {
	if cart == uuid.Nil {
		return cart, nil
	}
	asked, refusal := *r, (*commerce.Refusal)(nil)
	asked.CartID = cart
	switch _, err := e.carts.Load(&asked); {
	case errors.As(err, &refusal):
		return uuid.Nil, nil
	case err != nil:
		return uuid.Nil, err
	}
	return cart, nil
}

// AdjustStock changes the stock on hand of an item.
func (e *Engine) AdjustStock(r *Request, a *commerce.StockAdjustment) (made StockAdjusted, err error) {
	_, err = e.write(r, func(r *Request) (_ Reply, err error) {
		made, err = e.storage.AdjustStock(r, a)
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
