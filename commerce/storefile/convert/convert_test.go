package convert

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

var shop = Options{Store: uuid.MustParse("e0000000-0000-4000-8000-000000000001"), Name: "Shop", Tax: "21"}

type reading func(*Document, string, []byte) error

var (
	readCSV     reading = (*Document).CSV
	readShopify reading = (*Document).Shopify
)

// result is a finished conversion.
type result struct {
	*commerce.Store
	text  []byte
	notes []string
	doc   *Document
}

// converted converts tables, named 1.csv, 2.csv and so on, and has the document checked.
func converted(t *testing.T, read reading, tables ...string) *result {
	t.Helper()
	d := New(shop)
	for i, table := range tables {
		if err := read(d, fmt.Sprintf("%d.csv", i+1), []byte(table)); err != nil {
			t.Fatal(err)
		}
	}
	return finished(t, d)
}

func finished(t *testing.T, d *Document) *result {
	t.Helper()
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r := &result{Store: doc.Store, text: text, doc: d}
	for _, n := range d.Notes() {
		r.notes = append(r.notes, n.String())
	}
	return r
}

// product returns a product by its slug.
func (r *result) product(t *testing.T, slug string) *commerce.Product {
	t.Helper()
	for _, p := range r.Products {
		if p.Slug == slug {
			return p
		}
	}
	t.Fatalf("no product has the slug %q\n%s", slug, r.text)
	return nil
}

// expectNotes compares the notes with texts that they contain, one each. TestNotesAreGrouped is about
// their order.
func (r *result) expectNotes(t *testing.T, want ...string) {
	t.Helper()
	if len(r.notes) != len(want) {
		t.Errorf("got %d notes, want %d:\n%s", len(r.notes), len(want), strings.Join(r.notes, "\n"))
		return
	}
	notes := slices.Clone(r.notes)
	for _, text := range want {
		at := slices.IndexFunc(notes, func(note string) bool { return strings.Contains(note, text) })
		if at < 0 {
			t.Errorf("no note has %s\n got %s", text, strings.Join(r.notes, "\n     "))
			continue
		}
		notes = slices.Delete(notes, at, at+1)
	}
}

func expect(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %#v\nwant %#v", name, got, want)
	}
}

func TestTheTemplateIsTakenOverWhole(t *testing.T) {
	r := converted(t, readCSV, Template)
	r.expectNotes(t)
	expect(t, "products", len(r.Products), 2)
	mug, shirt := r.Products[0], r.Products[1]
	expect(t, "mug", []any{mug.Name, mug.Slug, mug.SKU, *mug.Prices.Base, mug.TrackStock, mug.Stock.String(), len(mug.Media), len(mug.CategoryIDs),
		mug.Metadata[0].Value.Text},
		[]any{"Mug", "mug", "MUG-1", commerce.Amount(850), true, "120", 2, 2, "9.95"})
	expect(t, "shirt", []any{shirt.Name, len(shirt.Variants), shirt.Variants[2].Name, *shirt.Variants[2].Prices.Base, shirt.Variants[0].Stock.String()},
		[]any{"Shirt", 3, "Blue / M", commerce.Amount(2195), "12"})
	var names []string
	for _, c := range r.Categories {
		names = append(names, c.Name)
	}
	expect(t, "categories", names, []string{"Kitchen", "Cups", "Gifts", "Clothes", "Shirts"})
	for _, column := range Columns {
		if !strings.Contains(Template, column) {
			t.Errorf("the template lacks %s", column)
		}
	}
}

// Notes of one kind stand together, those that matter most first. Columns without a meaning here are one
// line each, at the end.
func TestNotesAreGrouped(t *testing.T) {
	r := converted(t, readCSV, "product,name,price,stock,weight_grams,tax,ean,cost\n"+
		"a_a,A,1.00,1,heavy,high,1,1\nb,B,,1,,,2,2\na_a,A,1.00,1,,,,\nc_c,C,1.00,-1,heavy,,3,3\nd,D,x,1,,,,\n")
	expect(t, "notes", r.notes, []string{
		`1.csv: line 4, product "a_a": the row is left out: the product has a row already, and this one names no variant`,
		`1.csv: line 6, product "d": the price "x" is no number with at most two decimals: the entry has no price`,
		`1.csv: line 3, product "b": it has no price: it cannot be bought (and 1 further row)`,
		`1.csv: line 2, product "a_a": the weight "heavy" is no weight: the entry has none`,
		`1.csv: line 5, product "c_c": the weight "heavy" is no weight: the entry has none`,
		`1.csv: line 2, product "a_a": tax "high" is no percentage: the product got 21`,
		`1.csv: line 2, product "a_a": its slug is "a-a"; its old address is redirected`,
		`1.csv: line 5, product "c_c": its slug is "c-c"; its old address is redirected`,
		`1.csv: line 2, product "a_a": not taken over: ean (and 2 further rows)`,
		`1.csv: line 2, product "a_a": not taken over: cost (and 2 further rows)`,
	})
	out, changed := r.doc.Counts()
	expect(t, "counts", []int{out, changed}, []int{10, 3})
}

// What cannot be taken over is listed line by line.
func TestNotesOfATable(t *testing.T) {
	r := converted(t, readCSV, "product;price;stock;weight_grams;tax;active;unit;ean;variant\n"+
		"a;1,555;x;heavy;high;maybe;dozen;123;\n"+
		";1;;;;;;;\n"+
		"a;2;;;;;;;\n"+
		"b;2;1;;9;;;;Red\n"+
		"b;2;1;;9;;;;Red\n"+
		"b;2;1;;21;no;;;Blue\n")
	r.expectNotes(t,
		`1.csv: line 2, product "a": tax "high" is no percentage: the product got 21`,
		`1.csv: line 2, product "a": active "maybe" is neither yes nor no: it counts as yes`,
		`1.csv: line 2, product "a": the unit "dozen" is none of piece, kg, g, l, m, m2, m3, hour: it counts as piece`,
		`1.csv: line 2, product "a": the price "1,555" is no number with at most two decimals: the entry has no price`,
		`1.csv: line 2, product "a": the weight "heavy" is no weight: the entry has none`,
		`1.csv: line 2, product "a": the stock "x" is no number of at least -100000000 with at most six decimals: it counts as empty`,
		`1.csv: line 2, product "a": not taken over: ean`,
		`1.csv: line 2, product "a": the quantity is empty: the product is not tracked`,
		`1.csv: line 2, product "a": it has no price: it cannot be bought`,
		`1.csv: line 3: the row is left out: product is empty`,
		`1.csv: line 4, product "a": the row is left out: the product has a row already, and this one names no variant`,
		`1.csv: line 6, product "b": the row is left out: the product has the variant "Red" already, of this file, line 5`,
		`1.csv: line 7, product "b": tax "21" is left out: it counts in the product's first row`,
		`1.csv: line 7, product "b": active "no" is left out: it counts in the product's first row`,
	)
	out, changed := r.doc.Counts()
	expect(t, "left out and changed", []int{out, changed}, []int{8, 5})
}

func TestShopifysExport(t *testing.T) {
	table, err := os.ReadFile("testdata/shopify.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := converted(t, readShopify, string(table))
	r.expectNotes(t,
		`1.csv: line 2, product "linen-shirt": not taken over: SEO Title`,
		`1.csv: line 2, product "linen-shirt": not taken over: Cost per item`,
		`1.csv: line 2, product "linen-shirt": the description is HTML: it became text, without the pictures and links in it`,
		`1.csv: line 4, product "linen-shirt": it may be sold beyond its stock there, without a limit: its back order has the limit 100000000, lower it`,
		`1.csv: line 7, product "card": the product is left out: it is a gift card`,
	)
	expect(t, "products", len(r.Products), 2)
	shirt, poster := r.Products[0], r.Products[1]
	expect(t, "shirt", []any{shirt.Name, shirt.Slug, shirt.Active, shirt.TrackStock, len(shirt.Variants), len(shirt.Media), shirt.Media[1].URL},
		[]any{"Linen shirt", "linen-shirt", true, true, 2, 2, "https://cdn.example.com/back.jpg"})
	white := shirt.Variants[0]
	expect(t, "white", []any{white.Name, white.SKU, *white.Prices.Base, white.Stock.String(), len(white.Media)},
		[]any{"White / M", "LS-W-M", commerce.Amount(4990), "5", 1})
	blue := shirt.Variants[1]
	expect(t, "the other", []any{blue.Stock.String(), *blue.Backorder, white.Backorder == nil},
		[]any{"-2", commerce.Backorder{Limit: commerce.MaxBackorder}, true})
	expect(t, "its old price", white.Metadata[0], commerce.MetadataEntry{Key: "compare_at_price", Value: commerce.Scalar{IsString: true, Text: "59.90"}})
	expect(t, "its options", []string{white.Attributes[0].Name, white.Attributes[1].Name}, []string{"Colour", "Size"})
	expect(t, "poster", []any{poster.Name, poster.Active, poster.TrackStock, len(poster.Variants), *poster.Prices.Base, poster.RequiresShipping},
		[]any{"Poster", false, false, 0, commerce.Amount(1200), false})
	var rates []string
	for _, rate := range r.TaxRates {
		rates = append(rates, rate.Code)
	}
	expect(t, "rates", rates, []string{"rate-21", "rate-0"})
}

// Exports of today have other column names than earlier ones. Headers may be in any letter case.
func TestShopifysColumnNames(t *testing.T) {
	const old = "Handle,Title,Body (HTML),Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty," +
		"Variant Price,Variant Compare At Price,Variant Taxable,Variant Barcode,Image Src,Variant Image\n"
	const current = "URL handle,Title,Description,Published on online store,Option1 name,Option1 value,SKU,Weight value (grams),Inventory tracker,Inventory " +
		"quantity," +
		"Price,Compare-at price,Charge tax,Barcode,Product image URL,Variant image URL\n"
	const row = "mug,Mug,For tea,TRUE,Size,L,M1,350,shopify,12,8.50,9.50,FALSE,871,https://cdn.example.com/mug.jpg,https://cdn.example.com/l.jpg\n"
	want := converted(t, readShopify, old+row)
	want.expectNotes(t)
	for _, header := range []string{current, strings.ToUpper(old), strings.ToLower(current)} {
		got := converted(t, readShopify, header+row)
		got.expectNotes(t)
		expect(t, header, string(got.text), string(want.text))
	}
}

// The same table has the same ids, in another store other ones.
func TestIdsOfALaterConversion(t *testing.T) {
	first, again := converted(t, readCSV, Template), converted(t, readCSV, Template)
	expect(t, "ids", again.Products[1].Variants[1].ID, first.Products[1].Variants[1].ID)
	other := New(Options{Store: uuid.New()})
	if err := other.CSV("t.csv", []byte(Template)); err != nil {
		t.Fatal(err)
	}
	if finished(t, other).Products[0].ID == first.Products[0].ID {
		t.Error("another store's product has the same id")
	}
}

// A table of another system names its columns in its own words.
func TestObviousColumnNames(t *testing.T) {
	for _, table := range []string{
		"Name,Price,Qty\nMug,8.50,3\n",
		"TITLE;Unit Price;Quantity\nMug;8,50 €;3\n",
		"Product Name\tRegular price\tStock\nMug\t8.50\t3\n",
		"Item,Price (EUR),On hand\nMug,8.50,3\n",
		"Slug,Title,Price,Inventory\nmug,Mug,8.50,3\n",
	} {
		r := converted(t, readCSV, table)
		r.expectNotes(t)
		p := r.product(t, "mug")
		expect(t, table, []any{p.Name, *p.Prices.Base, p.Stock.String()}, []any{"Mug", commerce.Amount(850), "3"})
	}
}

func TestFilesThatAreNoTable(t *testing.T) {
	for table, want := range map[string]string{
		"":                                     "t.csv: it has no line of column names",
		"product,price\n":                      "t.csv: it has no rows below the column names",
		"product,price\n,\n\n":                 "t.csv: it has no rows below the column names",
		"a,b\n1,2\n":                           "t.csv: it has no column product",
		"product,price\n\"a\n1":                "t.csv: line 2: a quotation mark opens a cell and is never closed",
		"product,name\na,b\n":                  "t.csv: no row has a price: the column is named price",
		"product,price\na,free\n":              "t.csv: no row has a price",
		"PK\x03\x04\x14\x00":                   "t.csv: it is no table but a workbook (.xlsx or .ods) or a zip file",
		"\xd0\xcf\x11\xe0\xa1":                 "t.csv: it is no table but an old workbook",
		"\n <!DOCTYPE html><p>product,price":   "t.csv: it is no table but HTML or XML",
		`{"products": []}`:                     "t.csv: it is no table but JSON",
		"product,price\x00\na,1":               "t.csv: it is no text",
		strings.Repeat(",", 20_000) + "name\n": "t.csv: it has more than 16384 columns",
	} {
		if err := New(shop).CSV("t.csv", []byte(table)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", table, err, want)
		}
	}
	if err := New(shop).Shopify("t.csv", []byte("product,price\na,1\n")); err == nil || !strings.Contains(err.Error(), "no column Handle or URL handle") {
		t.Error(err)
	}
	d := New(shop)
	if err := d.Shopify("t.csv", []byte("Handle,Gift Card\na,true\n")); err != nil {
		t.Fatal(err)
	}
	if text, err := d.JSON(); err == nil {
		t.Errorf("gift cards alone make a document:\n%s", text)
	}
}

// JSON keeps letters as they are.
func TestTextsOfTheDocument(t *testing.T) {
	r := converted(t, readCSV, "product,price,description\na,1.00,Käse <& 🧀\n")
	if !json.Valid(r.text) || !strings.Contains(string(r.text), "Käse <& 🧀") {
		t.Errorf("%s", r.text)
	}
}
