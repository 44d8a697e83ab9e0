package convert

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// Rows of a product go on in the next file, and exports may overlap. A gift card that was left out
// stays left out.
func TestSeveralFiles(t *testing.T) {
	const header = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Image Src,Gift Card\n"
	r := converted(t, readShopify,
		header+"a,A,Size,S,1.00,,/1.jpg,false\ncard,Card,Title,10,10.00,,,true\ncard,,,20,20.00,,,\n",
		header+"a,,,M,2.00,,/2.jpg,\ncard,,,30,30.00,,,\n",
		header+"a,A,Size,S,1.00,,/1.jpg,false\nb,B,Title,Default Title,1.00,,,\nb,B,Title,Default Title,1.00,,,\n")
	expect(t, "products", len(r.Products), 2)
	a := r.Products[0]
	expect(t, "a", []any{a.Name, len(a.Variants), a.Variants[1].Name, a.Variants[1].Attributes[0].Name, len(a.Media)}, []any{"A", 2, "M", "Size", 2})
	r.expectNotes(t,
		`1.csv: line 3, product "card": the product is left out: it is a gift card (and 2 further rows)`,
		`3.csv: line 2, product "a": the row is left out: the product has the variant "S" already, of 1.csv, line 2`,
		`3.csv: line 4, product "b": the row is left out: the product has a row already, this file, line 3`,
	)
	out, _ := r.doc.Counts()
	expect(t, "left out", out, 5)
}

// Files may come in any order: the row with the title has the product's own cells.
func TestFilesInAnotherOrder(t *testing.T) {
	r := converted(t, readShopify, "Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Image Src\na,,,,,,,/2.jpg\n",
		"Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Image Src\na,A,V,Size,S,1.00,,/1.jpg\n")
	r.expectNotes(t)
	a := r.Products[0]
	expect(t, "a", []any{a.Name, a.Attributes[0].Values[0], a.Variants[0].Name, len(a.Media)}, []any{"A", "V", "S", 2})
}

// The options of rows ahead of the one that names them are not lost; tags are not doubled.
func TestOptionsAheadOfTheirNames(t *testing.T) {
	const header = "Handle,Title,Tags,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Value,Variant Price,Variant Inventory Tracker\n"
	r := converted(t, readShopify, header+"a,,,,M,,Red,x,1.00,\n", header+"a,A,\"new, sale, new\",Size,S,Colour,Blue,,1.00,\n")
	r.expectNotes(t, `1.csv: line 2, product "a": the option "x" is left out: it has no name`)
	a := r.Products[0]
	expect(t, "tags", a.Attributes[0].Values, []string{"new", "sale"})
	for i, want := range [][]string{{"M", "Red"}, {"S", "Blue"}} {
		attributes := a.Variants[i].Attributes
		expect(t, "names", []string{attributes[0].Name, attributes[1].Name}, []string{"Size", "Colour"})
		expect(t, "values", []string{attributes[0].Values[0], attributes[1].Values[0]}, want)
	}
}

// A row that says that its product is a gift card takes back the rows ahead of it.
func TestGiftCardOfALaterRow(t *testing.T) {
	r := converted(t, readShopify, "Handle,Option1 Value,Variant Price,Variant Inventory Tracker\ncard,10,10.00,\ncard,20,20.00,\na,Default Title,1.00,\n",
		"Handle,Option1 Value,Variant Price,Variant Inventory Tracker,Gift Card\ncard,10,10.00,,WAHR\n")
	expect(t, "products", slugsOf(r), []string{"a"})
	r.expectNotes(t, `2.csv: line 2, product "card": the product is left out: it is a gift card (and 2 further rows)`)
}

// Tax and shipping are the product's: a variant that says otherwise is named.
func TestTaxAndShippingOfLaterRows(t *testing.T) {
	const header = "Handle,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Variant Requires Shipping,Variant Taxable,Variant Fulfillment " +
		"Service\n"
	r := converted(t, readShopify, header+"b,Kind,Print,1.00,,true,true,manual\nb,,PDF,1.00,,false,FALSCH,manual\nb,,Both,1.00,,TRUE,wahr,amazon\n")
	r.expectNotes(t,
		`1.csv: line 3, product "b": Variant Taxable "FALSCH" is left out: it counts for the whole product, in its first row`,
		`1.csv: line 3, product "b": Variant Requires Shipping "false" is left out`,
		`1.csv: line 4, product "b": not taken over: Variant Fulfillment Service`,
	)
	r = converted(t, readShopify, header+"b,Title,Default Title,1.00,,nein,non,manual\n")
	expect(t, "first row", []any{r.Products[0].RequiresShipping, r.Products[0].Tax.Rate.String()}, []any{false, "0"})
}

// Pictures stand in the order of their positions.
func TestPositionsOfPictures(t *testing.T) {
	r := converted(t, readShopify, "Handle,Option1 Value,Variant Price,Variant Inventory Tracker,Image Src,Image Position\n"+
		"a,Default Title,1.00,,/3.jpg,3\na,,,,/2.jpg,2\na,,,,/1.jpg,1\na,,,,/1b.jpg,\n")
	var got []string
	for _, m := range r.Products[0].Media {
		got = append(got, m.URL)
	}
	expect(t, "pictures", strings.Join(got, " "), "/1.jpg /1b.jpg /2.jpg /3.jpg")
}

// Cells of a row that gives no variant are not lost in silence; nor is an option without a name.
func TestCellsOfOtherRows(t *testing.T) {
	r := converted(t, readShopify, "Handle,Title,Option1 Name,Option1 Value,Option2 Value,Variant SKU,Variant Price,Variant Inventory Tracker,Image Src\n"+
		"a,A,Size,S,Red,S1,1.00,,/1.jpg\na,Other,,,,S2,2.00,,/2.jpg\n")
	r.expectNotes(t,
		`line 2, product "a": the option "Red" is left out: it has no name`,
		`line 3, product "a": not taken over: Title, Variant SKU, Variant Price`,
	)
	r = converted(t, readShopify, "Handle,Variant Price,Variant Inventory Tracker\na,3.00,\n")
	expect(t, "a product without options", *r.Products[0].Prices.Base, commerce.Amount(300))
}
