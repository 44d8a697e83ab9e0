package bench

import "fmt"

// MerchantKey is the API key of AccountDocument.
const MerchantKey = "bench-merchant-key"

// AccountDocument is the document of a store with some accounts, every tenth of which is a business that awaits approval, and a merchant
// who writes quotes.
func AccountDocument(id string, count int) []byte {
	customers := make([]object, count)
	for i := range customers {
		customers[i] = object{
			"id": fmt.Sprintf("be000000-0000-4000-8000-7002%08d", i), "email": fmt.Sprintf("customer-%06d@example.com", i),
			"first_name": "Eva", "last_name": fmt.Sprintf("van Dalen %06d", i),
		}
		if i%10 == 0 {
			customers[i]["kind"], customers[i]["company_name"], customers[i]["approved"] = "b2b", fmt.Sprintf("Van Dijk Interieur %06d", i), false
		}
	}
	return documentText(object{
		"format": 1,
		"store": object{
			"id": id, "name": "Accounts", "modules": []string{"catalog", "commerce", "stock", "customers", "sales"}, "prices_include_tax": true,
			"quotes": object{"enabled": true, "mode": "reviewed"}, "rate_limit_per_minute": limitPerMinute,
		},
		"api_keys":  []object{{"name": "merchant", "key": MerchantKey, "scopes": []string{"sales:manage"}}},
		"tax_rates": []object{{"code": "standard", "rate": "21"}},
		"products":  []object{},
		"customers": customers,
	})
}
