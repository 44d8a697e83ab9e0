package convert

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

var shop = Options{Store: uuid.MustParse("e0000000-0000-4000-8000-000000000001"), Name: "Shop", Tax: "21"}

// converted parses the document that a table becomes.
func converted(t *testing.T, convert func(*Document, string, []byte) error, table string) (*commerce.Store, *Document) {
	t.Helper()
	d := New(shop)
	if err := convert(d, "t.csv", []byte(table)); err != nil {
		t.Fatal(err)
	}
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc.Store, d
}

func notesOf(d *Document) (all []string) {
	for _, n := range d.Notes {
		all = append(all, n.String())
	}
	return all
}

func expect(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %#v\nwant %#v", name, got, want)
	}
}

func TestTheTemplateIsTakenOverWhole(t *testing.T) {
	s, d := converted(t, (*Document).CSV, Template)
	expect(t, "notes", notesOf(d), []string(nil))
	expect(t, "products", len(s.Products), 2)
	mug, shirt := s.Products[0], s.Products[1]
	expect(t, "mug", []any{mug.Name, mug.Slug, mug.SKU, *mug.Prices.Base, mug.TrackStock, mug.Stock.String(), len(mug.Media), len(mug.CategoryIDs)},
		[]any{"Mug", "mug", "MUG-1", commerce.Amount(850), true, "120", 2, 2})
	expect(t, "shirt", []any{shirt.Name, len(shirt.Variants), shirt.Variants[2].Name, *shirt.Variants[2].Prices.Base, shirt.Variants[0].Stock.String()},
		[]any{"Shirt", 3, "Blue / M", commerce.Amount(2195), "12"})
	var names []string
	for _, c := range s.Categories {
		names = append(names, c.Name)
	}
	expect(t, "categories", names, []string{"Kitchen", "Cups", "Gifts", "Clothes", "Shirts"})
	for _, column := range Columns {
		if !strings.Contains(Template, column) {
			t.Errorf("the template lacks %s", column)
		}
	}
}

// What cannot be taken over is listed line by line.
func TestNotesOfATable(t *testing.T) {
	_, d := converted(t, (*Document).CSV, "product;price;stock;weight_grams;tax;active;ean;variant\n"+
		"a;1,50;x;heavy;high;maybe;123;\n"+
		";1;;;;;;\n"+
		"a;2;;;;;;\n"+
		"b;2;;;;;;Red\n"+
		"b;2;;;;;;Red\n")
	expect(t, "notes", notesOf(d), []string{
		`t.csv: line 2: tax "high" is no percentage: the product got 21`,
		`t.csv: line 2: active "maybe" is neither yes nor no: it counts as yes`,
		`t.csv: line 2: the price "1,50" is no number with at most two decimals and a dot: the entry has no price`,
		`t.csv: line 2: the weight "heavy" is no number: the entry has none`,
		`t.csv: line 2: the stock "x" is no number of at least 0: it counts as 0`,
		`t.csv: line 2: not taken over: ean`,
		`t.csv: line 3: the row was left out: product is empty`,
		`t.csv: line 4: the row was left out: the product "a" has a row already, and this one names no variant`,
		`t.csv: line 6: the row was left out: the product has the variant "Red" already`,
	})
}

func TestShopifysExport(t *testing.T) {
	table, err := os.ReadFile("testdata/shopify.csv")
	if err != nil {
		t.Fatal(err)
	}
	s, d := converted(t, (*Document).Shopify, string(table))
	expect(t, "notes", notesOf(d), []string{
		"t.csv: line 2: not taken over: Variant Compare At Price, SEO Title, Cost per item",
		"t.csv: line 4: the stock -2 is below 0: it counts as 0",
		"t.csv: line 4: it may be sold beyond its stock there; here a checkout without stock is refused",
		`t.csv: line 7: the product "card" was left out: it is a gift card`,
	})
	expect(t, "products", len(s.Products), 2)
	shirt, poster := s.Products[0], s.Products[1]
	expect(t, "shirt", []any{shirt.Name, shirt.Slug, shirt.Active, shirt.TrackStock, len(shirt.Variants), len(shirt.Media), shirt.Media[1].URL},
		[]any{"Linen shirt", "linen-shirt", true, true, 2, 2, "https://cdn.example.com/back.jpg"})
	white := shirt.Variants[0]
	expect(t, "white", []any{white.Name, white.SKU, *white.Prices.Base, white.Stock.String(), len(white.Media)}, []any{"White / M", "LS-W-M", commerce.Amount(4990), "5", 1})
	expect(t, "poster", []any{poster.Name, poster.Active, poster.TrackStock, len(poster.Variants), *poster.Prices.Base, poster.RequiresShipping}, []any{"Poster", false, false, 0, commerce.Amount(1200), false})
	var rates []string
	for _, r := range s.TaxRates {
		rates = append(rates, r.Code)
	}
	expect(t, "rates", rates, []string{"rate-21", "rate-0"})
}

// The same table has the same ids, in another store other ones.
func TestIdsOfALaterConversion(t *testing.T) {
	first, _ := converted(t, (*Document).CSV, Template)
	again, _ := converted(t, (*Document).CSV, Template)
	expect(t, "ids", again.Products[1].Variants[1].ID, first.Products[1].Variants[1].ID)
	other := New(Options{Store: uuid.New(), Tax: "21"})
	if err := other.CSV("t.csv", []byte(Template)); err != nil {
		t.Fatal(err)
	}
	if other.Products[0].ID == first.Products[0].ID {
		t.Error("another store's product has the same id")
	}
}

func TestTablesThatAreNone(t *testing.T) {
	for table, want := range map[string]string{
		"":               "t.csv: it has no line of column names",
		"a,b\n1,2\n":     "t.csv: it has no column product",
		"product\n\"a\n": "t.csv: parse error on line 2",
	} {
		if err := New(shop).CSV("t.csv", []byte(table)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", table, err, want)
		}
	}
}

// No table makes a converter panic, and what it makes is always JSON.
func FuzzTables(f *testing.F) {
	f.Add([]byte(Template))
	f.Add([]byte("Handle,Option1 Value,Image Src,Image Position\na,b,c,9\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		for _, convert := range []func(*Document, string, []byte) error{(*Document).CSV, (*Document).Shopify} {
			d := New(shop)
			if convert(d, "t.csv", table) != nil {
				continue
			}
			if text, err := d.JSON(); err != nil || !json.Valid(text) {
				t.Fatalf("%v: %s", err, text)
			}
		}
	})
}
