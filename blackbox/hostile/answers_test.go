package hostile

import (
	"fmt"
	"net/http"
	"testing"

	"cartd/bench/shopper"
)

// The back office's stock adjustment is done, whatever Idempotency-Key a visitor has sent.
func TestAVisitorsKeyIsNotTheBackOffices(t *testing.T) {
	products := productsOf(1, 0)
	products[0]["track_stock"] = true
	g := attack(t, products, nil)
	const key = "a key of sixteen and more"
	g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: "/v1/api/commerce/carts", Once: key})
	g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: "/v1/api/catalog/stock-adjustments", Key: backend, Once: key,
		Body: fmt.Sprintf(`{"product_id":%q,"quantity":1}`, productID(0))})
}
