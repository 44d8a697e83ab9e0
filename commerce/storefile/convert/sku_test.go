package convert

import (
	"testing"

	"cartd/commerce"
)

const partialBase = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Tracker,Variant Inventory Qty\n" +
	"shirt,Shirt,Size,S,S-1,20.00,shopify,5\nshirt,,,M,S-2,21.00,shopify,6\nmug,Mug,Title,Default Title,M-1,8.00,shopify,7\n"

// A table that has no columns of options takes no variant away.
func TestTablesWithoutOptions(t *testing.T) {
	base := converted(t, readShopify, partialBase)
	for _, table := range []string{
		"Handle,Image Src\nshirt,/1.jpg\nshirt,/2.jpg\nmug,/3.jpg\n",
		"Handle,Title,Tags\nshirt,Shirt,new\nmug,Mug,old\n",
		"Handle,Title,Status\nshirt,Shirt,active\nmug,Mug,active\n",
		"Handle,Title,Variant SKU,Variant Inventory Qty\nshirt,Shirt,S-1,1\nmug,Mug,M-1,3\n",
	} {
		r := over(t, readShopify, base.text, table)
		shirt := r.product(t, "shirt")
		expect(t, table, []any{len(shirt.Variants), *shirt.Variants[1].Prices.Base, shirt.TrackStock, shirt.Variants[1].Stock.String()},
			[]any{2, commerce.Amount(2100), true, "6"})
		r.expectNotes(t)
	}
	r := over(t, readShopify, base.text, "Handle,Title,Option1 Name,Option1 Value,Variant Price\nshirt,Shirt,Size,S,20.00\nmug,Mug,Title,Default Title,8.00\n")
	expect(t, "a table with options", len(r.product(t, "shirt").Variants), 1)
	r.expectNotes(t, `the variant "M" is in no table: it is left out`)
}

// Quantities go by the article number, in tables with handles and without, also of products without variants.
func TestStockBySKU(t *testing.T) {
	base := converted(t, readShopify, partialBase)
	for _, c := range []struct {
		read  reading
		table string
	}{
		{readShopify, "Handle,Title,Variant SKU,Variant Inventory Qty\nshirt,Shirt,S-2,9\nshirt,,S-1,8\nmug,Mug,M-1,3\n"},
		{readShopify, "Variant SKU,Variant Inventory Qty\nS-2,9\nM-1,3\n'S-1,8\n"},
		{readCSV, "sku,stock\nM-1,3\nS-1,8\nS-2,9\n"},
		{readCSV, "product,sku,stock\nshirt,S-1,8\nshirt,S-2,9\nmug,M-1,3\n"},
		{readShopify, "Handle,Title,Option1 Name,Option1 Value,SKU,Location,Incoming,Available,On hand\n" +
			"shirt,Shirt,Size,S,S-1,Shop,,3,4\nshirt,Shirt,Size,S,S-1,Store,,5,5\nshirt,Shirt,Size,M,S-2,Shop,,9,9\nshirt,Shirt,Size,M,S-2,Store,,not stocked," +
			"not stocked\nmug,Mug,Title,Default Title,M-1,Shop,,4,9\nmug,Mug,Title,Default Title,M-1,Store,,-1,0\n"},
		{readShopify, "Handle,SKU,Location,On hand (current)\nshirt,S-1,Shop,8\n,S-2,Shop,9\nmug,,Shop,3\n"},
	} {
		r := over(t, c.read, base.text, c.table)
		shirt, mug := r.product(t, "shirt"), r.product(t, "mug")
		expect(t, c.table, []any{shirt.Variants[0].Stock.String(), shirt.Variants[1].Stock.String(), mug.Stock.String(), mug.TrackStock, mug.Active, shirt.Active},
			[]any{"8", "9", "3", true, true, true})
		expect(t, "prices", []any{*shirt.Variants[0].Prices.Base, *mug.Prices.Base}, []any{commerce.Amount(2000), commerce.Amount(800)})
		r.expectNotes(t)
	}
	r := over(t, readCSV, base.text, "sku,stock\nM-1,3\nX,1\n,2\n")
	r.expectNotes(t, `line 3: the row is left out: no product has the SKU "X"`, `line 4: the row is left out: it names no product and no SKU`)
	expect(t, "others stay", r.product(t, "shirt").Variants[0].Stock.String(), "5")
	r = over(t, readShopify, base.text, "Handle,SKU,Location,Available\nmug,M-1,Shop,-4\nmug,M-1,Store,1\nother,O-1,Shop,1\n")
	r.expectNotes(t, `line 4: the row is left out: no product has the SKU "O-1"`)
}

// An inventory may stand ahead of the products in one command.
func TestInventoryAheadOfProducts(t *testing.T) {
	r := converted(t, readShopify, "Handle,SKU,Location,Available\nshirt,S-2,Shop,30\n", partialBase)
	expect(t, "stock", r.product(t, "shirt").Variants[1].Stock.String(), "30")
	r.expectNotes(t)
}

// A weight is rounded, not dropped: shops that weigh in pounds export more than three decimals.
func TestWeightsAreRounded(t *testing.T) {
	r := converted(t, readShopify, "Handle,Option1 Value,Variant Price,Variant Grams\na,Default Title,1,100.0171176\nb,Default Title,1,453.59237\n"+
		"c,Default Title,1,0.0004\n")
	expect(t, "weights", []any{r.Products[0].Weight.String(), r.Products[1].Weight.String(), r.Products[2].Weight},
		[]any{"100.017", "453.592", (*commerce.Milligrams)(nil)})
	r = converted(t, readCSV, "product,price,stock,weight_grams\na,1,1,559.959780765\n")
	expect(t, "weight", r.Products[0].Weight.String(), "559.96")
	r.expectNotes(t)
}

// A compare-at price that is not above the price is none.
func TestCompareAtAboveThePrice(t *testing.T) {
	r := converted(t, readCSV, "product,price,compare_at_price,stock\na,8.50,9.95,1\nb,10.00,10.00,1\nc,1350.00,870,1\nd,10,0,1\n")
	for i, want := range []int{1, 0, 0, 0} {
		expect(t, r.Products[i].Slug, len(r.Products[i].Metadata), want)
	}
	r = over(t, readCSV, r.text, "product,price,compare_at_price\na,8.50,8.50\nb,10.00,10.01\n")
	expect(t, "over a base", []any{len(r.Products[0].Metadata), len(r.Products[1].Metadata)}, []any{0, 1})
}

// A variant's name of control characters is none.
func TestVariantsWithoutAName(t *testing.T) {
	r := converted(t, readCSV, "product,variant,price,stock\na,S,1,1\na,\x1f,1,1\n")
	expect(t, "variants", len(r.Products[0].Variants), 1)
	r.expectNotes(t, "line 3, product \"a\": the row is left out: the name of the variant has control characters only",
		"the name of a variant was put on one line, without control characters")
}

// The old address of a handle is written as it is read, and found as a browser sends it.
func TestRedirectsAreDecoded(t *testing.T) {
	r := converted(t, readShopify, "Handle,Option1 Value,Variant Price\nskin-tac™,Default Title,1\nit's-(100%25),Default Title,1\na\fb,Default Title,1\n")
	expect(t, "from", []string{r.Redirects[0].From, r.Redirects[1].From, r.Redirects[2].From},
		[]string{"/products/skin-tac™", "/products/it's-(100%2525)", "/products/a%0Cb"})
	again := over(t, readShopify, r.text, "Handle,Option1 Value,Variant Price\nskin-tac™,Default Title,2\nit's-(100%25),Default Title,2\na\fb,Default Title,2\n")
	expect(t, "again", []any{len(again.Redirects), len(again.Products), *again.Products[0].Prices.Base}, []any{3, 3, commerce.Amount(200)})
}
