package persistence

import (
	"context"
	"slices"

	"cartd/commerce"
)

// stockChunk is how many items' first stock one script writes.
const stockChunk = 500

// saveFirstStock writes the document's stock for what the store has not seen yet.
// Errors also: errOvertaken.
func (d *DB) saveFirstStock(ctx context.Context, doc *Document, mark string) error {
	keys := []string{onHandKey(doc.Store), importKey(doc.Store)}
	for chunk := range slices.Chunk(doc.Stock, stockChunk) {
		marked, err := firstStockScript.Run(ctx, d.main.client, keys, firstStockArgs(chunk, mark)...).Bool()
		if err != nil {
			return err
		}
		if !marked {
			return errOvertaken
		}
	}
	return nil
}

func firstStockArgs(items []commerce.Stocked, mark string) []any {
	args := make([]any, 0, 1+2*len(items))
	args = append(args, mark)
	for _, s := range items {
		args = append(args, s.Item.String(), int64(s.OnHand))
	}
	return args
}
