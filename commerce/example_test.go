package commerce_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// A cart is priced from its lines, the store and the time. Amounts are in cents; the prices of this
// store include tax.
func ExampleEvaluation_Evaluate() {
	tax, _ := commerce.ParsePercent("21")
	hammer := &commerce.Product{ID: uuid.New(), Name: "Hammer", Active: true, Tax: &commerce.TaxRate{Rate: tax}}
	store := &commerce.Store{PricesIncludeTax: true, Products: []*commerce.Product{hammer}}
	store.Index()
	cart := commerce.NewCart(uuid.New(), time.Now())
	cart.Lines = []commerce.Line{{ProductID: hammer.ID, Name: hammer.Name, Quantity: 3 * commerce.One, UnitPrice: 1995}}

	var price commerce.Evaluation
	price.Evaluate(cart, store, commerce.Visitor{}, time.Now())
	fmt.Printf("%d without tax, %d tax, %d in total\n", price.Subtotal, price.TaxTotal, price.Total)
	// Output: 4946 without tax, 1039 tax, 5985 in total
}
