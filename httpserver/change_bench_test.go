package httpserver

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/httpserver/bodies"
)

// BenchmarkLineChange measures a line change without I/O: decode the body, change a cart of three
// lines, evaluate it, encode the answer.
func BenchmarkLineChange(b *testing.B) {
	price := commerce.Amount(1999)
	store := &commerce.Store{Policy: commerce.Policy{MaxLines: 100, MaxQuantityPerLine: 100 * commerce.One}, PricesIncludeTax: true}
	cart := commerce.NewCart(uuid.New(), testNow)
	for range 3 {
		p := &commerce.Product{ID: uuid.New(), Name: "Roller blind", Active: true, Tax: &commerce.TaxRate{Rate: 21 * commerce.Hundred / 100},
			Prices: commerce.Prices{Base: &price}}
		store.Products = append(store.Products, p)
		cart.Lines = append(cart.Lines, commerce.Line{ID: uuid.New(), ProductID: p.ID, Name: p.Name, SKU: "RB-1", Quantity: commerce.One, UnitPrice: price})
	}
	store.Index()
	line, body := cart.Lines[1].ID.String(), []byte(`{"quantity": 7}`)
	var e commerce.Evaluation
	buffer := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		change, fault := bodies.LineChange.Read(bodies.Parse(body))
		if fault != nil {
			b.Fatal(fault)
		}
		in := &commerce.Input{Store: store, Now: testNow}
		change.LineID = line
		changed, _, refusal := commerce.ChangeCart(cart, change, in)
		if refusal != nil {
			b.Fatal(refusal)
		}
		e.Evaluate(changed, store, in.Visitor, in.Now)
		buffer = appendCart(buffer[:0], changed, store, &e)
	}
}
