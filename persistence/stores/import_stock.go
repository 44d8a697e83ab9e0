package stores

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/stock"
)

// stockChunk is the number of items whose first stock one script writes.
const stockChunk = 500

// saveFirstStock writes the document's stock of items that are new to the store. Errors also:
// errLeaseLost.
func (l *importLease) saveFirstStock(ctx context.Context, doc *Document) error {
	keys := []string{stock.OnHandKey(doc.Store), leaseKey(doc.Store)}
	for chunk := range slices.Chunk(doc.Stock, stockChunk) {
		leased, err := firstStockScript.Run(ctx, l.stores.client.Redis, keys, firstStockArgs(chunk, l.number)...).Bool()
		if err != nil {
			return err
		}
		if !leased {
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
