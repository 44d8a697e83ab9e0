package model

import "encoding/json"

// The store of the sellers has orders that must be paid, and a code for some of them.
const (
	SalesStore = "f0000000-0000-4000-8000-000000000004"
	SalesKey   = "fault-suite-sales-key"
	// OfficeKey is the key of the merchant's own systems.
	OfficeKey = "fault-suite-office-key"
	SalesCode = "SPRING"
	// SalesStock is the stock of each of SalesProducts, in pieces; more than all orders sell.
	SalesStock = 1_000_000
	// SalesMinutes is the maximum time of a payment.
	SalesMinutes = 600
)

// SalesProducts are sold by the piece, at 10.00.
var SalesProducts = []string{"a0000000-0000-4000-8000-000000000021", "a0000000-0000-4000-8000-000000000022"}

// SalesEvents are the events that the store's receiver gets.
var SalesEvents = []string{
	"order.placed", "order.paid", "order.cancelled", "order.refunded", "order.shipped", "order.delivered", "stock.adjusted",
}

// SalesDocument is the store's document, with the address of its receiver and the uses of its code.
func SalesDocument(receiver string, uses int) []byte {
	var products []any
	for _, id := range SalesProducts {
		products = append(products, map[string]any{
			"id": id, "name": id, "slug": id, "tax": "standard", "price_amount": 1000, "requires_shipping": false, "track_stock": true, "stock": "1000000",
		})
	}
	text, err := json.Marshal(map[string]any{
		"format": 1,
		"store": map[string]any{
			"id": SalesStore, "name": "Sales", "modules": []string{"commerce", "sales", "stock"}, "quotes": map[string]any{"enabled": true},
			"orders": map[string]any{"payment_minutes": SalesMinutes}, "rate_limit_per_minute": noLimit,
			"webhooks": []any{map[string]any{"url": receiver, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": SalesEvents}},
		},
		"api_keys": []any{
			map[string]any{"name": "shop", "key": SalesKey, "scopes": []string{"commerce:read", "commerce:write"}},
			map[string]any{"name": "office", "key": OfficeKey, "scopes": []string{"orders:read", "orders:write", "catalog:write"}},
		},
		"tax_rates": []any{map[string]any{"code": "standard", "rate": "21"}},
		"products":  products,
		"discounts": []any{map[string]any{
			"id": "60000000-0000-4000-8000-000000000041", "name": "Spring", "kind": "order", "code": SalesCode, "usage_limit": uses,
			"value": map[string]any{"type": "percent", "percent": "10"},
		}},
	})
	if err != nil {
		panic(err) // cannot happen: texts and numbers
	}
	return text
}
