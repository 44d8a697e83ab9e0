package bench

import (
	"encoding/json"
	"fmt"
)

// customersPerStore is the number of customers of each store. Each has a token.
const customersPerStore = 256

// limitPerMinute is never reached, but the limiter has to count.
const limitPerMinute = 2_000_000_000

// StoreKey is the API key of the i-th store of the harness.
func StoreKey(i int) string { return fmt.Sprintf("cartbench-key-%04d", i) }

// StoreID is the id of the i-th store of the harness.
func StoreID(i int) string { return fmt.Sprintf("be000000-0000-4000-8000-5000%08d", i+1) }

// customerID is the id of the i-th customer of each store.
func customerID(i int) string { return fmt.Sprintf("be000000-0000-4000-8000-4000%08d", i+1) }

// customerToken is the token of the i-th customer of a store.
func customerToken(store, i int) string { return fmt.Sprintf("cartbench-token-%04d-%04d", store, i) }

type object = map[string]any

// StoreDocument is the document of the i-th store: the catalogue of Standard and Made, customers
// with tokens, a request limit that is never reached, a discount code and a shipping method.
func StoreDocument(i int) []byte { return documentText(storeDocument(i)) }

func storeDocument(i int) object {
	return object{
		"format": 1,
		"store": object{
			"id": StoreID(i), "name": fmt.Sprintf("Bench %d", i), "modules": []string{"catalog", "commerce", "configurator", "customers"},
			"prices_include_tax": true, "rate_limit_per_minute": limitPerMinute,
			"policy": object{"max_lines": 200, "max_quantity_per_line": 99_999_999},
		},
		"api_keys": []object{{
			"name": "cartbench", "key": StoreKey(i),
			"scopes": []string{"commerce:read", "commerce:write", "contacts:read", "contacts:write"},
		}},
		"customers": customers(i),
		"tax_rates": []object{{"code": "standard", "rate": "21"}, {"code": "reduced", "rate": "9"}},
		"products":  products(),
		"discounts": []object{{
			"id": "be000000-0000-4000-8000-00000000d15c", "name": "Bench", "kind": "order", "code": code,
			"value": object{"type": "percent", "percent": fmt.Sprint(codePercent)},
		}},
		"shipping_methods": shippingMethods(),
	}
}

func shippingMethods() []object {
	return []object{{"id": delivery, "name": "Parcel", "price_amount": deliveryPrice, "tax": "standard"}}
}

func documentText(document object) []byte {
	text, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		panic(err) // the document has only strings and numbers
	}
	return text
}

func customers(store int) []object {
	list := make([]object, customersPerStore)
	for i := range list {
		list[i] = object{
			"id": customerID(i), "email": fmt.Sprintf("visitor-%d@bench.example.com", i),
			"tokens": []object{{"token": customerToken(store, i), "expires_at": "2099-01-01T00:00:00Z"}},
		}
	}
	return list
}

func products() []object {
	list := []object{madeToMeasure()}
	for i, a := range Standard() {
		tiers := []object{}
		for _, t := range a.Tiers {
			tiers = append(tiers, object{"min_quantity": string(t.From.append(nil)), "price_amount": t.Unit})
		}
		list = append(list, object{
			"id": a.Product, "name": fmt.Sprintf("Bench article %03d", i), "slug": fmt.Sprintf("article-%03d", i),
			"sku": fmt.Sprintf("BA-%03d", i), "unit": unitOf(a), "tax": taxOf(i), "price_amount": a.Unit, "tiers": tiers,
		})
	}
	return list
}

func unitOf(a Article) string {
	if a.Whole {
		return "piece"
	}
	return "m"
}

// taxOf alternates between two tax rates.
func taxOf(i int) string {
	if i%5 == 0 {
		return "reduced"
	}
	return "standard"
}

func madeToMeasure() object {
	choices := []object{}
	for i, name := range fabricNames {
		choices = append(choices, object{"id": name, "label": name, "price": object{"type": "fixed", "amount": Amount(i) * linen}})
	}
	return object{
		"id": madeProduct, "name": "Bench blind", "slug": "bench-blind", "sku": "BB-1", "capability": "made_to_measure", "tax": "standard",
		"configurator": object{
			"dimensions": []object{
				{"key": "width", "label": "Width", "min": 300, "max": widths[len(widths)-1]},
				{"key": "height", "label": "Height", "min": 300, "max": heights[len(heights)-1]},
			},
			"groups": []object{{"id": "fabric", "label": "Fabric", "required": true, "choices": choices}},
			"matrices": []object{{
				"id": "std", "name": "Standard", "x": "width", "y": "height",
				"x_breaks": widths, "y_breaks": heights, "amounts": matrix,
			}},
		},
	}
}

// CatalogueDocument is the document of a store with some plain products, for figures on stores.
func CatalogueDocument(id string, count int, tracked bool) []byte {
	list := make([]object, count)
	for i := range list {
		list[i] = object{
			"id": fmt.Sprintf("be000000-0000-4000-8000-7000%08d", i), "name": fmt.Sprintf("Article %06d", i), "slug": fmt.Sprintf("article-%06d", i),
			"sku": fmt.Sprintf("A-%06d", i), "tax": "standard", "price_amount": 100 + i%9000,
		}
		if tracked {
			list[i]["track_stock"], list[i]["stock"] = true, fmt.Sprint(i%1000)
		}
	}
	return documentText(object{
		"format":    1,
		"store":     object{"id": id, "name": "Catalogue", "modules": []string{"catalog", "commerce", "stock"}, "prices_include_tax": true},
		"api_keys":  []object{},
		"tax_rates": []object{{"code": "standard", "rate": "21"}},
		"products":  list,
	})
}
