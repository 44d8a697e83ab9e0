package engine

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// StockLevels reads the stock of items, in their order, as a cart sees it; a zero cart has no stock
// on hold.
func (e *Engine) StockLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error) {
	levels, err := e.storage.StockLevels(store.ID, cart, items, deadline)
	for i := range levels {
		levels[i].Limit = store.Backorder(items[i]).Limit
	}
	return levels, err
}

// CartLevels are the levels of items as a cart sees them; nil without items.
func (e *Engine) CartLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) (commerce.StockLevels, error) {
	if len(items) == 0 {
		return nil, nil
	}
	levels, err := e.StockLevels(store, cart, items, deadline)
	if err != nil {
		return nil, err
	}
	all := make(commerce.StockLevels, len(items))
	for i, item := range items {
		all[item] = levels[i]
	}
	return all, nil
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
