package convert

import (
	"encoding/json"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// over converts a table over an earlier document.
func over(t *testing.T, read reading, base []byte, table string) *result {
	t.Helper()
	d := New(Options{Store: shop.Store})
	if err := d.Base("earlier.json", base); err != nil {
		t.Fatal(err)
	}
	if err := read(d, "2.csv", []byte(table)); err != nil {
		t.Fatal(err)
	}
	return finished(t, d)
}

// edited changes a document as a merchant does by hand.
func edited(t *testing.T, text []byte, change func(document map[string]any)) []byte {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	change(document)
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := storefile.Parse(text); err != nil {
		t.Fatal(err)
	}
	return text
}

type object = map[string]any

func item(document object, list string, at int) object { return document[list].([]any)[at].(object) }

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	parse := func(text []byte) any {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	expect(t, what, parse(got), parse(want))
}

// A table laid over its own document changes nothing, byte for byte.
func TestTheSameTableAgain(t *testing.T) {
	for read, table := range map[string]string{
		"csv":     Template,
		"slugs":   "product,price,stock,categories,attribute:A\nt_shirt,1.00,1,A > B;a,x\nT shirt,1.00,,C++;C,y\n🎁,1.00,2,🎁,\n",
		"compare": "product,price,compare_at_price,stock\na,1.00,2.00,3\n",
	} {
		first := converted(t, readCSV, table)
		again := over(t, readCSV, first.text, table)
		expect(t, read, string(again.text), string(first.text))
	}
}

// A later conversion keeps what the table does not say: of the store, and of each product.
func TestBaseIsKept(t *testing.T) {
	const table = "product,name,variant,sku,price,compare_at_price,stock,categories,pictures,attribute:Colour\n" +
		"mug,Mug,,M1,8.50,9.50,10,Kitchen,/mug.jpg,White\nshirt,Shirt,S,S1,20.00,,5,Clothes,/shirt.jpg,\nshirt,,M,S2,20.00,,5,,,\nold,Old,,,1.00,,1,,,\n"
	base := edited(t, converted(t, readCSV, table).text, func(d object) {
		d["api_keys"] = []any{object{"name": "shop", "key": "the-key", "scopes": []any{"commerce:read"}}}
		d["customer_groups"] = []any{object{"id": "10000000-0000-4000-8000-000000000001", "name": "Trade"}}
		d["shipping_methods"] = []any{object{"id": "70000000-0000-4000-8000-000000000001", "name": "Parcel", "price_amount": 695, "tax": "low"}}
		d["discounts"] = []any{object{"id": "60000000-0000-4000-8000-000000000001", "name": "D", "kind": "products",
			"value":       object{"type": "percent", "percent": "10"},
			"product_ids": []any{item(d, "products", 2)["id"]}}}
		d["redirects"] = []any{object{"from": "/old", "to": "/new"}}
		d["tax_rates"] = append(d["tax_rates"].([]any), object{"code": "low", "rate": "9.0"})
		store := d["store"].(object)
		store["name"], store["policy"] = "My shop", object{"max_lines": 7}
		store["webhooks"] = []any{object{"url": "https://example.org/hook", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": []any{"order.placed"}}}
		mug := item(d, "products", 0)
		mug["tax"], mug["lead_time_days"], mug["slug"] = "low", 3, "the-mug"
		mug["tiers"] = []any{object{"min_quantity": "10", "price_amount": 700}}
		mug["metadata"].(object)["badge"] = "new"
		mug["attributes"].(object)["Room"] = []any{"Kitchen"}
		mug["description"] = "By hand"
		d["categories"] = append(d["categories"].([]any), object{"id": "20000000-0000-4000-8000-000000000001", "name": "Sale", "slug": "sale"})
		item(d, "categories", 0)["name"] = "The kitchen"
		mug["category_ids"] = append(mug["category_ids"].([]any), "20000000-0000-4000-8000-000000000001")
		d["products"] = append(d["products"].([]any), object{"id": "30000000-0000-4000-8000-000000000001", "name": "By hand", "slug": "by-hand", "tax": "low"})
	})
	r := over(t, readCSV, base, "product,name,variant,sku,price,compare_at_price,stock,categories,pictures,attribute:Colour\n"+
		"mug,Mug,,M1,8.95,,7,Kitchen,/mug2.jpg,Blue\nshirt,Shirt,S,S1,21.00,,4,Clothes,,\nshirt,,L,S3,21.00,,4,,,\nnew,New,,,2.00,,6,Kitchen,/new.jpg,\n")

	want := edited(t, base, func(d object) {
		mug, shirt, old := item(d, "products", 0), item(d, "products", 1), item(d, "products", 2)
		mug["price_amount"], mug["stock"], mug["media"] = 895, "7", []any{object{"url": "/mug2.jpg"}}
		mug["attributes"].(object)["Colour"] = "Blue"
		delete(mug["metadata"].(object), "compare_at_price")
		d["redirects"] = append(d["redirects"].([]any), object{"from": "/products/mug", "to": "/products/the-mug"})
		s, l := item(shirt, "variants", 0), object{"id": shop.variant("shirt", "L"), "name": "L", "sku": "S3", "active": true, "price_amount": 2100, "stock": "4"}
		s["price_amount"], s["stock"] = 2100, "4"
		shirt["variants"] = []any{s, l}
		old["active"] = false
		d["products"] = append(d["products"].([]any), object{"id": shop.product("new"), "name": "New", "slug": "new", "active": true, "requires_shipping": true,
			"track_stock": true, "stock": "6", "tax": "rate-21", "price_amount": 200, "media": []any{object{"url": "/new.jpg"}}, "category_ids": []any{item(d,
				"categories", 0)["id"]}})
	})
	same(t, "document", r.text, want)
	r.expectNotes(t,
		`earlier.json, product "shirt": the variant "M" is in no table: it is left out`,
		`earlier.json, product "old": it is in no table: it is not active any more`,
		`2.csv: line 2, product "mug": its slug is "the-mug"; its old address is redirected`,
	)
}

func (o Options) product(handle string) string { return New(o).id("product", handle).String() }
func (o Options) variant(handle, name string) string {
	return New(o).id("variant", handle+"\x00"+name).String()
}

// A table without quantities, pictures or other columns does not own them.
func TestColumnsThatTheTableLacks(t *testing.T) {
	base := converted(t, readCSV, Template)
	r := over(t, readCSV, base.text, "product,price\nmug,9.00\nshirt,20.00\n")
	want := edited(t, base.text, func(d object) {
		item(d, "products", 0)["price_amount"] = 900
		item(d, "products", 1)["price_amount"] = 2000
	})
	same(t, "document", r.text, want)
	r.expectNotes(t)
}

// A document that was written by hand has ids of its own. Products are found by their slugs, variants
// by their names.
func TestBaseWithOtherIds(t *testing.T) {
	const base = `{"format": 1, "store": {"id": "e0000000-0000-4000-8000-000000000001", "name": "S", "modules": ["catalog"]}, "tax_rates": [{"code": "std", "rate": "21.0"}],
		"products": [{"id": "30000000-0000-4000-8000-000000000001", "name": "A", "slug": "a", "tax": "std",
		 "variants": [{"id": "31000000-0000-4000-8000-000000000001", "name": "S", "price_amount": 1}]},
		{"id": "30000000-0000-4000-8000-000000000002", "name": "B", "slug": "b", "tax": "std", "capability": "made_to_measure",
		 "configurator": {"dimensions": [{"key": "w", "label": "W", "min": 1, "max": 9}]}}]}`
	r := over(t, readCSV, []byte(base), "product,variant,price,stock\na,S,2.00,1\na,M,2.00,1\nb,,2.00,1\nb,X,2.00,1\nc,,2.00,1\n")
	a, c := r.product(t, "a"), r.product(t, "c")
	expect(t, "a", []any{a.ID.String(), a.Variants[0].ID.String(), *a.Variants[0].Prices.Base, len(a.Variants), c.Tax.Rate.String(), len(r.TaxRates)},
		[]any{"30000000-0000-4000-8000-000000000001", "31000000-0000-4000-8000-000000000001", commerce.Amount(200), 2, "21", 1})
	r.expectNotes(t, `2.csv: line 4, product "b": the price "2.00" is left out: the product is made to measure`,
		`2.csv: line 4, product "b": the stock "1" is left out: the product is made to measure`,
		`2.csv: line 5, product "b": the variant "X" is left out: the product is made to measure`)
}

// A product of the earlier document that gets variants has no stock of its own any more.
func TestBaseThatGetsVariants(t *testing.T) {
	base := converted(t, readCSV, "product,price,stock\na,1.00,5\n")
	r := over(t, readCSV, base.text, "product,variant,price,stock\na,S,1.00,2\na,M,1.00,3\n")
	a := r.product(t, "a")
	expect(t, "a", []any{a.Stock, len(a.Variants), a.Variants[1].Stock}, []any{commerce.Micros(0), 2, commerce.Micros(3_000_000)})
}

// The tax of Shopify's products is the earlier document's, unless the export says that there is none.
func TestTaxOverABase(t *testing.T) {
	const header = "Handle,Option1 Value,Variant Price,Variant Inventory Tracker,Variant Taxable\n"
	first := converted(t, readShopify, header+"a,Default Title,1.00,,true\nb,Default Title,1.00,,true\nc,Default Title,1.00,,false\n")
	base := edited(t, first.text, func(d object) {
		d["tax_rates"] = append(d["tax_rates"].([]any), object{"code": "low", "rate": "9"})
		item(d, "products", 0)["tax"] = "low"
	})
	r := over(t, readShopify, base, header+"a,Default Title,1.00,,true\nb,Default Title,1.00,,false\nc,Default Title,1.00,,true\nd,Default Title,1.00,,true\n")
	var got []string
	for _, p := range r.Products {
		got = append(got, p.Tax.Rate.String())
	}
	expect(t, "rates", strings.Join(got, " "), "9 0 21 21")
}

// An export of Shopify without some columns does not own what they say.
func TestColumnsThatShopifysExportLacks(t *testing.T) {
	const header = "Handle,Title,Option1 Value,Variant Price,Variant Inventory Tracker\n"
	base := edited(t, converted(t, readShopify, header+"a,A,Default Title,1.00,\n").text, func(d object) {
		item(d, "products", 0)["active"], item(d, "products", 0)["requires_shipping"] = false, false
		item(d, "products", 0)["stock"], item(d, "products", 0)["track_stock"] = "7", true
	})
	r := over(t, readShopify, base, header+"a,A,Default Title,2.00,\n")
	want := edited(t, base, func(d object) { item(d, "products", 0)["price_amount"] = 200 })
	same(t, "document", r.text, want)
}

// A product's categories stay in the order that the merchant gave them; one that the table does not say
// any more goes.
func TestOrderOfCategories(t *testing.T) {
	const header = "product,price,stock,categories\n"
	first := converted(t, readCSV, header+"mug,8.50,5,Kitchen;Gifts\n")
	base := edited(t, first.text, func(d object) {
		d["categories"] = append(d["categories"].([]any), object{"id": "20000000-0000-4000-8000-000000000001", "name": "Sale", "slug": "sale"})
		mug := item(d, "products", 0)
		mug["category_ids"] = append(mug["category_ids"].([]any), "20000000-0000-4000-8000-000000000001")
	})
	same(t, "the same table", over(t, readCSV, base, header+"mug,8.50,5,Kitchen;Gifts\n").text, base)

	var names []string
	r := over(t, readCSV, base, header+"mug,8.50,5,Clothes;Kitchen\n")
	for _, id := range r.Products[0].CategoryIDs {
		for _, c := range r.Categories {
			if c.ID == id {
				names = append(names, c.Name)
			}
		}
	}
	expect(t, "another table", names, []string{"Kitchen", "Sale", "Clothes"})
}
