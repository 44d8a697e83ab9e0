package stores

import (
	"testing"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stock"
)

// The document's stock counts only for items that are new to the store: adjustments and orders
// change it afterwards.
func TestFirstStockCountsOnce(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		nails, cable := testID(0xa1), testID(0xa2)
		save := func(name string, stock ...commerce.Stocked) {
			doc := named(name).document(t)
			doc.Stock = stock
			if _, err := db.SaveStore(background, doc, true); err != nil {
				t.Fatal(err)
			}
		}
		var many []commerce.Stocked
		for i := range 2*stockChunk + 1 {
			many = append(many, commerce.Stocked{Item: testID(0x1000 + i), OnHand: commerce.Micros(i)})
		}
		save("first", append(many, commerce.Stocked{Item: nails, OnHand: 10})...)
		s.Client().HIncrBy(background, stock.OnHandKey(shopID), nails.String(), -3)
		save("second", commerce.Stocked{Item: nails, OnHand: 99}, commerce.Stocked{Item: cable, OnHand: commerce.MaxStock})
		for item, want := range map[string]commerce.Micros{nails.String(): 7, cable.String(): commerce.MaxStock, many[2*stockChunk].Item.String(): 2 * stockChunk} {
			if got := stock.Micros(s.Client().HGet(background, stock.OnHandKey(shopID), item).Val()); got != want {
				t.Errorf("of %s %d are on hand, want %d", item, got, want)
			}
		}
	})
}
