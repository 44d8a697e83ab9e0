package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence/operator"
)

type foundStock = operator.FoundStock

var stockShown = shownAs(
	field.Value("data", answers.Availability, "", availabilityOf),
	field.Value("store", storeShown, "", func(f *foundStock) *commerce.Store { return f.Store }),
	field.Member("product", answers.Text, "", func(f *foundStock) *string { return &f.Product.Name }),
	field.Value("variant", answers.TextOrNull, "", func(f *foundStock) string {
		if f.Variant == nil {
			return ""
		}
		return f.Variant.Name
	}),
	field.NullUnless(func(f *foundStock) bool { return f.Product.TrackStock },
		field.Member("on_hand", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.OnHand }),
		field.Member("held", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.Held }),
		field.Member("limit", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.Limit })),
	field.Member("holds", field.List(stockHoldShown), "",
		func(f *foundStock) *[]operator.FoundHold { return &f.Holds }),
)

var stockHoldShown = field.Object("",
	field.Member("cart_id", answers.UUID, "", func(h *operator.FoundHold) *uuid.UUID { return &h.Cart }),
	field.Member("held", answers.Stock, "", func(h *operator.FoundHold) *commerce.Micros { return &h.Held }),
	field.Member("until", answers.Time, "", func(h *operator.FoundHold) *time.Time { return &h.Until }),
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
