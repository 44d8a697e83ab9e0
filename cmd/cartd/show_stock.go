package main

import (
	"context"
	"fmt"
)

// showStock shows the stock of a product, of each of its variants, or of one variant, with the
// carts that hold some of it.
func showStock(q *query) error {
	id, err := q.id()
	if err != nil {
		return err
	}
	all, err := q.db.FindStock(context.Background(), q.store, id)
	for i, f := range all {
		if i > 0 {
			fmt.Fprintln(q.out)
		}
		q.row("product", "%s %s", f.Product.ID, f.Product.Name)
		q.row("store", "%s %s", f.Store.ID, shownName(f.Store.Name))
		if f.Variant != nil {
			q.row("variant", "%s %s", f.Variant.ID, f.Variant.Name)
		}
		if !f.Product.TrackStock {
			q.row("stock", "is not tracked")
			continue
		}
		q.row("on hand", "%s", f.Level.OnHand)
		q.row("held", "%s", f.Level.Held)
		q.row("available", "%s", f.Level.Available())
		for _, hold := range f.Holds {
			q.row("held by cart", "%s: %s, until %s", hold.Cart, hold.Held, shownTime(hold.Until))
		}
	}
	return err
}
