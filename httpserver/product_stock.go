package httpserver

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
)

// readProductStock reads the stock that a page of products shows: for each product with stock whether it
// is in stock, then the same for each of its variants that is shown. A product is in stock if any active
// variant is; where all those that are shown are sold out, further ones are read until one is in stock.
func (x *exchange) readProductStock(products []*commerce.Product, shown int) ([]bool, error) {
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
	inStock := make([]bool, items)
	err := x.readItems(inStock, items, func(r *stockReading) error {
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
		all[i].sum(inStock)
	}
	unread := slices.DeleteFunc(all, func(p soldProduct) bool { return p.decided(inStock) })
	if len(unread) == 0 {
		return inStock, nil
	}
	items = 0
	for i := range unread {
		items += unread[i].SoldItems() - unread[i].shown
	}
	return inStock, x.readItems(inStock, items, func(r *stockReading) error { return readFurther(r, unread, inStock) })
}

// readItems reads the stock of at most n items, and notes which are in stock.
func (x *exchange) readItems(inStock []bool, n int, read func(*stockReading) error) error {
	r, err := x.readStock(uuid.Nil, n, func(at int, level commerce.StockLevel) {
		if level.Available() > 0 {
			inStock[at] = true
		}
	})
	if err != nil {
		return err
	}
	defer r.end()
	return read(r)
}

// readFurther reads further variants of products, a few of each at a time, until each product has one in
// stock or no more variants.
func readFurther(r *stockReading, unread []soldProduct, inStock []bool) error {
	for step := answers.ListedVariants; len(unread) > 0; step *= 2 {
		for i := range unread {
			if err := unread[i].readNext(r, min(step, max(1, stockRead/len(unread)))); err != nil {
				return err
			}
		}
		if err := r.flush(); err != nil {
			return err
		}
		unread = slices.DeleteFunc(unread, func(p soldProduct) bool { return p.decided(inStock) })
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

// sum makes the product in stock if a shown variant is.
func (p *soldProduct) sum(inStock []bool) {
	if slices.Contains(inStock[p.at+1:p.at+1+p.shown], true) {
		inStock[p.at] = true
	}
}

// decided reports whether no further variant can change the status.
func (p *soldProduct) decided(inStock []bool) bool { return inStock[p.at] || p.next == len(p.Variants) }
