package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence"
	"cartd/persistence/operator"
)

type foundOrder = operator.Found[*commerce.Order]

var orderShown = shownAs(
	field.Value("data", answers.StoreOrder, "", func(f *foundOrder) *commerce.Order { return f.State }),
	append(foundShown(func(o *commerce.Order) commerce.Binding { return o.Customer }),
		field.Value("refunded_at", answers.TimeOrNull, "", func(f *foundOrder) time.Time { return f.State.RefundedAt() }),
		field.Member("stock_taken", field.List(takeShown), "",
			func(f *foundOrder) *[]commerce.StockAsk { return &f.State.Takes }),
		field.Self("stock_left", field.Counted(aheadShown, func(f *foundOrder) int { return len(f.State.Ahead) },
			func(f *foundOrder, i int) aheadTake { return aheadTake{&f.State.Ahead[i], f.State} }), ""),
	)...)

var takeShown = field.Object("",
	field.Member("item", answers.UUID, "", func(t *commerce.StockAsk) *uuid.UUID { return &t.Item }),
	field.Member("quantity", answers.Stock, "", func(t *commerce.StockAsk) *commerce.Micros { return &t.Quantity }),
)

var aheadShown = field.Object("",
	field.Value("item", answers.UUID, "", func(t aheadTake) uuid.UUID { return t.of.Takes[t.Take].Item }),
	field.Member("on_hand", answers.Stock, "", func(t aheadTake) *commerce.Micros { return &t.Left }),
	field.Member("available_from", answers.DateOrNull, "", func(t aheadTake) *commerce.Date { return &t.From }),
)

// aheadTake is a take of an item with a limit, with its order.
type aheadTake struct {
	*commerce.AheadTake
	of *commerce.Order
}

// showOrder shows an order as the merchant sees it: by its id, or those with a number, one a store.
func showOrder(q *query) error {
	if number, err := strconv.ParseInt(q.word, 10, 64); err == nil && number > 0 {
		all, err := q.db.FindOrders(context.Background(), q.store, number)
		for _, found := range all {
			if err := printRecord(q, orderShown, found); err != nil {
				return err
			}
		}
		return err
	}
	id, err := q.id()
	if err != nil {
		return fmt.Errorf("%w or the number", err)
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Orders, q.store, id)
	if err != nil {
		return err
	}
	return printRecord(q, orderShown, found)
}
