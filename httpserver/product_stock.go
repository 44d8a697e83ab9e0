package httpserver

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
)

// readProductStock reads the stock that a page of products shows: for each product with stock its state,
// then that of each of its variants that is shown. A product is in stock if any active variant is; where none
// of those that are shown is, further ones are read until one is.
func (x *exchange) readProductStock(products []*commerce.Product, shown int) ([]commerce.StockState, error) {
	var all []soldProduct
	items := 0
	for _, p := range products {
		if x.facts.Store.ShowsStock(p) {
			all = append(all, soldProduct{Product: p, at: items})
			items++
			if len(p.Variants) > 0 {
				items += min(p.SoldItems(), shown)
			}
		}
	}
	if items == 0 {
		return nil, nil
	}
	states := make([]commerce.StockState, items)
	err := x.readItems(states, items, func(r *stockReading) error {
		for i := range all {
			if err := all[i].readShown(r, shown); err != nil {
				return err
			}
		}
		return r.flush()
	})
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].sum(states)
	}
	unread := slices.DeleteFunc(all, func(p soldProduct) bool { return p.decided(states) })
	if len(unread) == 0 {
		return states, nil
	}
	items = 0
	for i := range unread {
		items += unread[i].SoldItems() - unread[i].shown
	}
	return states, x.readItems(states, items, func(r *stockReading) error { return readFurther(r, unread, states) })
}

// readItems reads the stock of at most n items, and notes their states.
func (x *exchange) readItems(states []commerce.StockState, n int, read func(*stockReading) error) error {
	store := x.facts.Store
	r, err := x.readStock(uuid.Nil, n, func(at int, item uuid.UUID, level commerce.StockLevel) {
		states[at].Join(level.State(store.Backorder(item).From))
	})
	if err != nil {
		return err
	}
	defer r.end()
	return read(r)
}

// readFurther reads further variants of products, a few of each at a time, until each product has one in
// stock or no more variants.
func readFurther(r *stockReading, unread []soldProduct, states []commerce.StockState) error {
	for step := answers.ListedVariants; len(unread) > 0; step *= 2 {
		for i := range unread {
			if err := unread[i].readNext(r, min(step, max(1, stockRead/len(unread)))); err != nil {
				return err
			}
		}
		if err := r.flush(); err != nil {
			return err
		}
		unread = slices.DeleteFunc(unread, func(p soldProduct) bool { return p.decided(states) })
	}
	return nil
}

// soldProduct is a product whose stock is being read.
type soldProduct struct {
	*commerce.Product
	// at is the place of its status. Those of its shown variants follow.
	at int
	// shown is the number of its shown variants, next the index of the first variant that is not read.
	shown, next int
}

// readShown reads the product itself or, if it has variants, those that are shown.
func (p *soldProduct) readShown(r *stockReading, shown int) error {
	if len(p.Variants) == 0 {
		return r.add(p.at, p.ID)
	}
	for ; p.next < len(p.Variants) && p.shown < shown; p.next++ {
		if v := &p.Variants[p.next]; v.Active {
			p.shown++
			if err := r.add(p.at+p.shown, v.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// readNext reads at most n further variants. Their stock counts for the product.
func (p *soldProduct) readNext(r *stockReading, n int) error {
	for ; p.next < len(p.Variants) && n > 0; p.next++ {
		if v := &p.Variants[p.next]; v.Active {
			n--
			if err := r.add(p.at, v.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// sum adds the states of the shown variants to the product's.
func (p *soldProduct) sum(states []commerce.StockState) {
	for _, shown := range states[p.at+1 : p.at+1+p.shown] {
		states[p.at].Join(shown)
	}
}

// decided reports whether no further variant can change the product's state.
func (p *soldProduct) decided(states []commerce.StockState) bool {
	return states[p.at].Status == commerce.StockIn || p.next == len(p.Variants)
}
