//go:build long

package shop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The merchant was faster: an order that is paid meanwhile is not cancelled, and the page says so.
func TestLongCancelOfAPaidOrder(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.add("smart-home-bridge")
	p.orderAsGuest()
	_, token, _ := strings.Cut(eval[string](p, "location.hash"), "/thanks/")
	type paid struct {
		ID     string `json:"id"`
		Totals struct {
			Total struct {
				Amount int `json:"amount"`
			} `json:"total"`
		} `json:"totals"`
	}
	order := eval[paid](p, `fetch("/v1/api/commerce/orders/by-token/`+token+
		`", { headers: { Authorization: "Bearer demo-storefront-key" } }).then((answer) => answer.json())`)
	merchant(t, http.MethodPost, base, "demo-merchant-key", "orders/"+order.ID+"/payment",
		fmt.Sprintf(`{"reference": "test", "amount": %d}`, order.Totals.Total.Amount))
	p.press("Cancel this order")
	p.sees("This order is paid.")
	p.reload()
	p.sees("You paid €")
	p.wantNone("Cancel this order")
	p.wantNoFaults()
}
