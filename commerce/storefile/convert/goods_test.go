package convert

import "testing"

// What has no quantity is not tracked, so that it is not sold out, and this is said once for the file.
func TestGoodsWithoutQuantities(t *testing.T) {
	const header = "Handle,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Variant Inventory Qty\n"
	for _, c := range []struct {
		name    string
		read    reading
		table   string
		tracked []bool
		notes   []string
	}{
		{"no column", readShopify, "Handle,Option1 Value,Variant Price,Variant Inventory Tracker\na,Default Title,1.00,shopify\nb,Default " +
			"Title,1.00,shopify\nc,Default Title,1.00,shopify\n",
			[]bool{false, false, false}, []string{"1.csv: it has no column of quantities: the products are not tracked, so that they do not run out (and 2 further " +
				"rows)"}},
		{"no column in csv", readCSV, "product,price\na,1.00\n", []bool{false}, []string{"1.csv: it has no column of quantities"}},
		{"an empty cell", readShopify, header + "a,,Default Title,1.00,shopify,\nb,,Default Title,1.00,shopify,3\nc,,Default Title,1.00,shopify,\n",
			[]bool{false, true, false}, []string{`1.csv: line 2, product "a": the quantity is empty: the product is not tracked, so that it does not run out (and 1 further row)`}},
		{"not tracked there", readShopify, header + "a,,Default Title,1.00,,\n", []bool{false}, nil},
		{"a variant that is not tracked", readShopify, header + "a,Size,S,1.00,shopify,5\na,,M,1.00,,\nb,Size,S,1.00,shopify,5\nb,,M,1.00,,7\n",
			[]bool{false, false}, []string{`1.csv: line 3, product "a": a variant is not tracked: the whole product is not, so that it does not run out (and 1 further row)`,
				`1.csv: line 5, product "b": the quantity is left out: the inventory is not tracked there`}},
		{"an empty cell beside a quantity", readCSV, "product,variant,price,stock\na,S,1.00,5\na,M,1.00,\n", []bool{false},
			[]string{`line 3, product "a": the quantity is empty`, `line 3, product "a": a variant is not tracked`}},
		{"the product's own row", readCSV, "product,variant,price,stock\na,,1.00,7\na,S,1.00,5\n", []bool{true},
			[]string{`the quantity of the product's own row is left out`}},
		{"below 0", readCSV, "product,price,stock\na,1.00,-2\n", []bool{true}, nil},
		{"far below 0", readCSV, "product,price,stock\na,1.00,-100000001\n", []bool{false},
			[]string{"the stock \"-100000001\" is no number", "the quantity is empty"}},
		{"beyond the limit", readCSV, "product,price,stock\na,1.00,9000000001\n", []bool{false},
			[]string{"the stock \"9000000001\" is no number", "the quantity is empty"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := converted(t, c.read, c.table)
			var tracked []bool
			for _, p := range r.Products {
				tracked = append(tracked, p.TrackStock)
			}
			expect(t, "tracked", tracked, c.tracked)
			r.expectNotes(t, c.notes...)
		})
	}
}
