package persistence

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// stockChunk is how many items' first stock one script writes.
const stockChunk = 500

// saveFirstStock writes the document's stock for what the store has not seen yet.
// Errors also: errLeaseLost.
func (l *importLease) saveFirstStock(ctx context.Context, doc *Document) error {
	keys := []string{onHandKey(doc.Store), leaseKey(doc.Store)}
	for chunk := range slices.Chunk(doc.Stock, stockChunk) {
		held, err := firstStockScript.Run(ctx, l.stores.client.Redis, keys, firstStockArgs(chunk, l.number)...).Bool()
		if err != nil {
			return err
		}
		if !held {
			return errLeaseLost
		}
	}
	return nil
}

func firstStockArgs(items []commerce.Stocked, number string) []any {
	args := make([]any, 0, 1+2*len(items))
	args = append(args, number)
	for _, s := range items {
		args = append(args, s.Item.String(), int64(s.OnHand))
	}
	return args
}

// onHandOf reads the stock of everything that the store has seen, also of what is not
// tracked now.
func (s *Stores) onHandOf(ctx context.Context, shop *commerce.Store) (map[uuid.UUID]commerce.Micros, error) {
	onHand := map[uuid.UUID]commerce.Micros{}
	for chunk := range slices.Chunk(shop.StockItems(), stockChunk) {
		ids := make([]string, len(chunk))
		for i := range chunk {
			ids[i] = chunk[i].String()
		}
		values, err := s.client.Redis.HMGet(ctx, onHandKey(shop.ID), ids...).Result()
		if err != nil {
			return nil, err
		}
		for i, value := range values {
			if value != nil {
				onHand[chunk[i]] = micros(value)
			}
		}
	}
	return onHand, nil
}
