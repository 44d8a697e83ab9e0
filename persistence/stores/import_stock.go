package stores

import (
	"context"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// stockChunk is the number of items whose first numbers one visit writes.
const stockChunk = 500

// saveFirst writes the stock of items, and the counts of discounts, that are new to the store. Errors also:
// errLeaseLost.
func (l *importLease) saveFirst(ctx context.Context, items []commerce.Stocked, discounts []commerce.Discount) error {
	first, err := l.stores.missing(ctx, firstNumbers(l.store, items, discounts))
	if err != nil {
		return err
	}
	return l.saveNumbers(ctx, first)
}

func (l *importLease) saveNumbers(ctx context.Context, all []firstNumber) error {
	for some := range slices.Chunk(all, stockChunk) {
		var plan records.Plan
		for _, n := range some {
			n.write(&plan)
		}
		if err := l.visit(ctx, plan); err != nil {
			return err
		}
	}
	return nil
}

// firstNumber is the number that a field of a hash has if it has none yet.
type firstNumber struct{ key, field, number string }

// firstNumbers are the first stock of items, and the first counts of discounts.
func firstNumbers(store uuid.UUID, items []commerce.Stocked, discounts []commerce.Discount) (all []firstNumber) {
	for _, s := range items {
		all = append(all, firstNumber{stock.OnHandKey(store), s.Item.String(), strconv.FormatInt(int64(s.OnHand), 10)})
	}
	for i := range discounts {
		all = append(all, firstNumber{UsageKey(store), discounts[i].ID.String(), strconv.FormatInt(discounts[i].Used, 10)})
	}
	return all
}

func (n firstNumber) write(plan *records.Plan) { plan.Hash("HSETNX", n.key, n.field, n.number) }

// onHandOf reads the stock of all items that the store has ever had, also of items that are not
// tracked now.
func (s *Stores) onHandOf(ctx context.Context, shop *commerce.Store) (map[uuid.UUID]commerce.Micros, error) {
	items := shop.StockItems()
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].String()
	}
	values, err := s.hashValues(ctx, stock.OnHandKey(shop.ID), ids)
	if err != nil {
		return nil, err
	}
	onHand := map[uuid.UUID]commerce.Micros{}
	for i, value := range values {
		if value != nil {
			onHand[items[i]] = stock.Micros(value)
		}
	}
	return onHand, nil
}

// missing are those of the numbers whose fields do not exist.
func (s *Stores) missing(ctx context.Context, all []firstNumber) (first []firstNumber, err error) {
	for len(all) > 0 && err == nil {
		n := slices.IndexFunc(all, func(f firstNumber) bool { return f.key != all[0].key })
		if n < 0 {
			n = len(all)
		}
		fields := make([]string, n)
		for i := range fields {
			fields[i] = all[i].field
		}
		var values []any
		if values, err = s.hashValues(ctx, all[0].key, fields); err == nil {
			for i, value := range values {
				if value == nil {
					first = append(first, all[i])
				}
			}
		}
		all = all[n:]
	}
	return first, err
}
