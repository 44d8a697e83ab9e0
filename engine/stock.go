package engine

import (
	"errors"
	"slices"
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

// LevelQuery asks for the stock of items: of IDs, with an SKU, or below a number.
type LevelQuery struct {
	IDs []uuid.UUID
	SKU string
	// Below leaves out items of which so much is available; nil if it was not sent.
	Below *commerce.Quantity
	// After is the item after which the page begins.
	After uuid.UUID
	Size  int
}

// LevelRow is the stock of an item. Tracked is false if the store counts none of it.
type LevelRow struct {
	Product *commerce.Product
	// Variant is nil for a product without variants.
	Variant *commerce.Variant
	Tracked bool
	Level   commerce.StockLevel
	// Holders are those of the only item of an answer; nil else. Complete is false if there may be more.
	Holders  []StockHolder
	Complete bool
}

// Item is the id that the stock counts under.
func (l *LevelRow) Item() uuid.UUID {
	if l.Variant != nil {
		return l.Variant.ID
	}
	return l.Product.ID
}

// StockHolder is a cart or a quote that holds some of an item.
type StockHolder struct {
	Kind     string
	ID       uuid.UUID
	Quantity commerce.Micros
	Until    time.Time
}

// LevelPage is a page of the stock. NextAfter is zero at the end.
type LevelPage struct {
	Rows      []*LevelRow
	NextAfter uuid.UUID
}

// maxLevels is the number of items that a page looks at to find those below a number.
const maxLevels = 2000

// ReadLevels returns a page of the stock: docs/api/merchant.md#stock.
func (e *Engine) ReadLevels(r *Request, q *LevelQuery) (page LevelPage, err error) {
	rows, more := levelRows(r.Store, q)
	var items []uuid.UUID
	for _, row := range rows {
		if row.Tracked {
			items = append(items, row.Item())
		}
	}
	levels, err := e.storage.StockLevels(r.Store.ID, uuid.Nil, items, r.Deadline)
	if err != nil {
		return page, err
	}
	for at, row := range rows {
		if row.Tracked {
			row.Level, levels = levels[0], levels[1:]
		}
		if q.Below == nil || row.Level.Available() < q.Below.Micros() {
			page.Rows = append(page.Rows, row)
		}
		if q.Below != nil && len(page.Rows) == q.Size && (at+1 < len(rows) || more) {
			page.NextAfter = row.Item()
			return page, nil
		}
	}
	if more {
		page.NextAfter = rows[len(rows)-1].Item()
	}
	if len(page.Rows) == 1 && q.Below == nil && page.Rows[0].Tracked {
		row := page.Rows[0]
		row.Holders, row.Complete, err = e.storage.StockHolders(r, row.Item(), row.Level.Held)
	}
	return page, err
}

// levelRows are the items that a query names or looks at, and whether there are more.
func levelRows(s *commerce.Store, q *LevelQuery) (rows []*LevelRow, more bool) {
	switch {
	case q.Below != nil:
		began := q.After == uuid.Nil
		for _, p := range productsFrom(s, q.After) {
			if !p.TrackStock {
				continue
			}
			for _, row := range itemsOf(p, p.ID, "") {
				if began {
					rows = append(rows, row)
				}
				began = began || row.Item() == q.After
			}
			if len(rows) > maxLevels {
				return rows[:maxLevels], true
			}
		}
	case q.SKU != "":
		for _, p := range s.Products {
			rows = append(rows, itemsOf(p, uuid.Nil, q.SKU)...)
		}
	default:
		for _, id := range q.IDs {
			p := s.Product(id)
			if p == nil {
				p = s.ProductOfVariant(id)
			}
			if p != nil {
				rows = append(rows, itemsOf(p, id, "")...)
			}
		}
	}
	return rows[:min(len(rows), commerce.MaxStockIDs)], false
}

// productsFrom are the products from that of an item on; all for no item, none for one that the store does not have.
func productsFrom(s *commerce.Store, item uuid.UUID) []*commerce.Product {
	if item == uuid.Nil {
		return s.Products
	}
	p := s.Product(item)
	if p == nil {
		p = s.ProductOfVariant(item)
	}
	at := slices.Index(s.Products, p)
	if at < 0 {
		return nil
	}
	return s.Products[at:]
}

// itemsOf are the items of a product that an id or an SKU names: those of a product are its own, or those of all its variants.
func itemsOf(p *commerce.Product, id uuid.UUID, sku string) (rows []*LevelRow) {
	is := func(own uuid.UUID, ownSKU string) bool { return own == id || sku != "" && ownSKU == sku }
	whole := is(p.ID, p.SKU)
	if whole && len(p.Variants) == 0 {
		rows = append(rows, &LevelRow{Product: p, Tracked: p.TrackStock})
	}
	for i := range p.Variants {
		if v := &p.Variants[i]; whole || is(v.ID, v.SKU) {
			rows = append(rows, &LevelRow{Product: p, Variant: v, Tracked: p.TrackStock})
		}
	}
	return rows
}
