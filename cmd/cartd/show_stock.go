package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/persistence/operator"
)

type foundStock = operator.FoundStock

var stockShown = shownAs(
	answers.Member("data", answers.Availability, "", availabilityOf),
	answers.Member("store", storeShown, "", func(f *foundStock) *commerce.Store { return f.Store }),
	answers.Member("product", answers.Text, "", func(f *foundStock) string { return f.Product.Name }),
	answers.Member("variant", answers.TextOrNull, "", func(f *foundStock) string {
		if f.Variant == nil {
			return ""
		}
		return f.Variant.Name
	}),
	answers.Member("on_hand", answers.IfThere(answers.Stock), "", func(f *foundStock) answers.Maybe[commerce.Micros] {
		return answers.Maybe[commerce.Micros]{Value: f.Level.OnHand, There: f.Product.TrackStock}
	}),
	answers.Member("held", answers.IfThere(answers.Stock), "", func(f *foundStock) answers.Maybe[commerce.Micros] {
		return answers.Maybe[commerce.Micros]{Value: f.Level.Held, There: f.Product.TrackStock}
	}),
	answers.Member("limit", answers.IfThere(answers.Stock), "", func(f *foundStock) answers.Maybe[commerce.Micros] {
		return answers.Maybe[commerce.Micros]{Value: f.Level.Limit, There: f.Product.TrackStock}
	}),
	answers.Member("holds", answers.List(stockHoldShown, func(h *operator.FoundHold) *operator.FoundHold { return h }), "",
		func(f *foundStock) []operator.FoundHold { return f.Holds }),
)

var stockHoldShown = answers.Object("",
	answers.Member("cart_id", answers.UUID, "", func(h *operator.FoundHold) uuid.UUID { return h.Cart }),
	answers.Member("held", answers.Stock, "", func(h *operator.FoundHold) commerce.Micros { return h.Held }),
	answers.Member("until", answers.Time, "", func(h *operator.FoundHold) time.Time { return h.Until }),
)

func availabilityOf(f *foundStock) answers.AvailabilityView {
	row := &commerce.Availability{ProductID: f.Product.ID}
	if f.Variant != nil {
		row.VariantID = f.Variant.ID
	}
	if f.Product.TrackStock {
		row.Product = f.Product
	}
	view := answers.AvailabilityView{Availability: row}
	view.Add(f.Level, f.Store.Backorder(f.Item()).From)
	return view
}

// showStock shows the stock of a product, of each of its variants, or of one variant, with the carts that hold
// some of it: by an id, its 8 characters of the log, or a SKU.
func showStock(q *query) error {
	all, err := q.db.FindStock(context.Background(), q.store, q.word)
	for _, f := range all {
		if err := printRecord(q, stockShown, f); err != nil {
			return err
		}
	}
	return err
}
