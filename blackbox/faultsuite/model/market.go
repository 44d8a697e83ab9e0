package model

import (
	"encoding/json"
	"strconv"
)

// The store of the shoppers has limited stock and a limited code.
const (
	MarketKey   = "fault-suite-market-key"
	MarketToken = "fault-suite-market-token"
	MarketCode  = "EARLY"
	// MarketStock is the stock of each of MarketProducts, in pieces, and MarketLimit how many more are sold
	// ahead of it. MarketUses is the number of orders that may use the code.
	MarketStock, MarketLimit, MarketUses = 70, 20, 40

	// MarketFrom is the day from which what is sold ahead is sent.
	MarketFrom = "2035-05-12"

	marketID = "f0000000-0000-4000-8000-000000000003"
)

// MarketProducts are sold by the piece, at 10.00.
var MarketProducts = []string{"a0000000-0000-4000-8000-000000000011", "a0000000-0000-4000-8000-000000000012"}

// MarketDocument is the store's document. All shoppers buy for one account.
func MarketDocument() []byte {
	var products []any
	for _, id := range MarketProducts {
		products = append(products, map[string]any{
			"id": id, "name": id, "slug": id, "tax": "standard", "price_amount": 1000, "requires_shipping": false, "track_stock": true,
			"stock": strconv.Itoa(MarketStock), "backorder": map[string]any{"limit": strconv.Itoa(MarketLimit), "available_from": MarketFrom},
		})
	}
	text, err := json.Marshal(map[string]any{
		"format": 1,
		"store": map[string]any{"id": marketID, "name": "Market", "modules": []string{"commerce", "sales", "stock", "customers"},
			"quotes": map[string]any{"enabled": true}, "rate_limit_per_minute": noLimit},
		"api_keys": []any{map[string]any{"name": "all", "key": MarketKey, "scopes": []string{"commerce:read", "commerce:write", "catalog:write"}}},
		"customers": []any{map[string]any{
			"id": "d0000000-0000-4000-8000-000000000031", "email": "shopper@example.com",
			"tokens": []any{map[string]any{"token": MarketToken, "expires_at": "2040-01-01T00:00:00Z"}},
		}},
		"tax_rates": []any{map[string]any{"code": "standard", "rate": "21"}},
		"products":  products,
		"discounts": []any{map[string]any{
			"id": "60000000-0000-4000-8000-000000000031", "name": "Early", "kind": "order", "code": MarketCode, "usage_limit": MarketUses,
			"value": map[string]any{"type": "percent", "percent": "10"},
		}},
	})
	if err != nil {
		panic(err) // cannot happen: texts and numbers
	}
	return text
}
