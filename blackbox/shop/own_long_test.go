//go:build long

package shop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A merchant's document in the demo's shop: its name, its departments (more than a page of the API has) with
// their pictures, an order of its product, and no word of Northwind.
func TestLongOwnCatalogue(t *testing.T) {
	p := visit(t, serve(t, "--store", ownDocument(t))).open("")
	p.sees("Tea & <Co>", "Department 1", "Department 101", "1 product")
	if title := eval[string](p, "document.title"); title != "Tea & <Co>" {
		t.Errorf("the title is %q, want the store's name", title)
	}
	p.await("a department's picture", `document.querySelector(".tile img[src='https://pictures.example/department-101.jpg']")`)
	p.wantNoNorthwind()
	p.press("Department 101")
	p.sees("Sencha", "€9.00")
	p.wantNoNorthwind()
	p.press("Sencha")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/checkout")
	p.address("Where to")
	p.order()
	p.sees("Thank you", "order 1", "Sencha", "€14.00")
	p.wantNoNorthwind()
	p.wantNoFaults() // no picture was refused by the page's policy
}

func (p *tab) wantNoNorthwind() {
	p.t.Helper()
	if eval[bool](p, `/northwind/i.test(document.title + document.body.innerText + document.documentElement.outerHTML)`) {
		p.t.Errorf("the page says Northwind:\n%s", eval[string](p, "document.body.innerText"))
	}
}

// ownDocument writes a store document of 101 departments, whose last one has the only product.
func ownDocument(t *testing.T) string {
	t.Helper()
	type fields map[string]any
	id := func(n int) string { return fmt.Sprintf("99999999-0000-4000-8000-%012d", n) }
	var categories []fields
	for i := range 101 {
		categories = append(categories, fields{
			"id": id(i), "name": fmt.Sprintf("Department %d", i+1), "slug": fmt.Sprintf("department-%d", i+1),
			"media": []fields{{"url": fmt.Sprintf("https://pictures.example/department-%d.jpg", i+1)}},
		})
	}
	text, err := json.Marshal(fields{
		"format": 1,
		"store": fields{"id": "99999999-9999-4999-8999-999999999999", "name": "Tea & <Co>", "modules": []string{"catalog", "commerce", "customers"},
			"prices_include_tax": true, "rate_limit_per_minute": 6000},
		"api_keys":   []fields{{"name": "own", "key": "own-storefront-key", "scopes": []string{"catalog:read"}, "revoked": false}},
		"tax_rates":  []fields{{"code": "standard", "rate": "21"}},
		"categories": categories,
		"products": []fields{{"id": id(1000), "name": "Sencha", "slug": "sencha", "capability": "standard", "unit": "piece", "price_amount": 900,
			"tax": "standard", "category_ids": []string{id(100)}, "media": []fields{{"url": "https://cdn.example:8443/sencha.jpg"}}}},
		"shipping_methods": []fields{{"id": id(2000), "name": "Post", "price_amount": 500, "tax": "standard"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
