package bench

import "fmt"

// The article, its price, the code and its value of every flash sale. They stand in the adapter, too.
const (
	flashProduct  = "be000000-0000-4000-8000-0000000f1a54"
	flashPrice    = Amount(1000)
	flashCode     = "FLASH1"
	flashDiscount = Amount(100)
)

// FlashKey is the storefront's key of the i-th store of FlashDocument.
func FlashKey(i int) string { return fmt.Sprintf("cartbench-flash-%04d", i) }

// FlashAdmin is the key that reads the orders of the i-th store of FlashDocument.
func FlashAdmin(i int) string { return fmt.Sprintf("cartbench-flash-office-%04d", i) }

// FlashDocument is the document of the i-th store of a flash sale: one tracked product with some units
// on hand, and a code with a limit of uses.
func FlashDocument(i, units, uses int) []byte {
	return documentText(object{
		"format": 1,
		"store": object{
			"id": fmt.Sprintf("be000000-0000-4000-8000-f1a5%08d", i+1), "name": fmt.Sprintf("Flash %d", i),
			"modules": []string{"catalog", "commerce", "stock", "customers"}, "prices_include_tax": true, "rate_limit_per_minute": limitPerMinute,
		},
		"api_keys": []object{
			{"name": "shop", "key": FlashKey(i), "scopes": []string{"commerce:read", "commerce:write"}},
			{"name": "office", "key": FlashAdmin(i), "scopes": []string{"orders:read"}},
		},
		"tax_rates": []object{{"code": "standard", "rate": "21"}},
		"products": []object{{
			"id": flashProduct, "name": "Flash", "slug": "flash", "sku": "FLASH", "tax": "standard", "price_amount": flashPrice,
			"track_stock": true, "stock": fmt.Sprint(units),
		}},
		"discounts": []object{{
			"id": "be000000-0000-4000-8000-0000f1a5d15c", "name": "Flash", "kind": "order", "code": flashCode, "usage_limit": uses,
			"value": object{"type": "fixed", "amount": flashDiscount},
		}},
		"shipping_methods": shippingMethods(),
	})
}
