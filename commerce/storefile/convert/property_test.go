package convert

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cartd/commerce/storefile"
)

// values are cells of all kinds, good and bad.
var values = []string{
	"", "", "a", "b", "Mug", "mug", "t_shirt", "🎁", "Default Title", "yes", "FALSCH", "true", "maybe", "1.00", "19,95", "1.000", "-2", "x", "0", "101", "21",
	"9000000001", "A > B", "a > b ; C++", "https://e.example.com/1.jpg", "/2.jpg", "http://e.example.com/3.jpg", "//h", "https://[", "/\u2028", "shopify",
	"active", "draft", "continue",
	strings.Repeat("é", 300), strings.Repeat("L>", 50), strings.Repeat("t,", 30), "\x00"[:0] +
		"c\x01d", "line\nline", `quo"te`, "e\u0301", "\u202e", "a\u0085b", "'871",
	strings.Repeat("/p.jpg?", 400), "piece", "kg", "1e9", "00000.5", "1.1234567", "\ufeff", "\u00ad", "'", "%", "/a /b /c",
}

// randomTable makes a table with a SKU of its own in each row.
func randomTable(random *rand.Rand, columns []string, file int) (table string, skus []string) {
	pick := func() string { return values[random.IntN(len(values))] }
	quoted := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	var b strings.Builder
	b.WriteString("sku")
	for _, c := range columns {
		b.WriteString("," + c)
	}
	for i := range 1 + random.IntN(25) {
		sku := fmt.Sprintf("<SKU%d-%d>", file, i)
		skus = append(skus, sku)
		b.WriteString("\n" + sku)
		for _, c := range columns {
			text := pick()
			if strings.EqualFold(c, "product") || strings.EqualFold(c, "handle") {
				text = []string{"a", "b", "A", "🎁", "c_d", "", "e\u0301", strings.Repeat("h", 300)}[random.IntN(8)]
			}
			b.WriteString("," + quoted(text))
		}
	}
	return b.String() + "\n", skus
}

// linesOf are the lines on which the rows of a random table begin.
func linesOf(t *testing.T, table string) (lines []int) {
	text, _, err := textOf([]byte(table))
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(text)
	for {
		line, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		if line == 0 {
			return lines[1:]
		}
		lines = append(lines, line)
	}
}

// Whatever a table has in its cells, the document passes the check, and each row is in the document,
// is named by a note, or counts in the note that left out its product.
func TestAnyTableMakesADocument(t *testing.T) { makeDocuments(t, 30) }

func makeDocuments(t *testing.T, seeds uint64) {
	t.Helper()
	kinds := []struct {
		read    reading
		columns []string
	}{
		{readCSV, []string{"product", "name", "variant", "price", "compare_at_price", "stock", "tax", "unit", "weight_grams", "active", "requires_shipping",
			"categories", "description", "pictures", "attribute:Colour", "attribute:" + strings.Repeat("n", 80), "ean"}},
		{readShopify, []string{"Handle", "Title", "Body (HTML)", "Vendor", "Type", "Tags", "Published", "Status", "Gift Card", "Option1 Name",
			"Option1 Value", "Option2 Name",
			"Option2 Value", "Variant Price", "Variant Compare At Price", "Variant Grams", "Variant Inventory Tracker", "Variant Inventory Qty",
			"Variant Inventory Policy",
			"Variant Taxable", "Variant Requires Shipping", "Variant Barcode", "Image Src", "Image Position", "Image Alt Text", "Variant Image"}},
	}
	made := 0
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 0))
		kind := kinds[seed%2]
		var base []byte
		for round := range 3 { // a document, then two over the one before
			d := New(shop)
			if base != nil {
				if err := d.Base("base.json", base); err != nil {
					t.Fatal(err)
				}
			}
			var rows []place
			var skus []string
			for file := range 1 + random.IntN(3) {
				table, all := randomTable(random, kind.columns, 10*round+file)
				err := kind.read(d, fmt.Sprint(file), []byte(table))
				if errors.Is(err, errNoPrices) {
					err = nil
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for _, line := range linesOf(t, table) {
					rows = append(rows, place{file + 1, line})
				}
				skus = append(skus, all...)
			}
			text, err := d.JSON()
			if errors.Is(err, errNoProduct) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if _, err := storefile.Parse(text); err != nil {
				t.Fatalf("seed %d, round %d: %v\n%s", seed, round, err, text)
			}
			made++
			accounted(t, seed, d, string(text), rows, skus)
			base = text
		}
	}
	if uint64(made) < seeds*5/3 {
		t.Errorf("only %d documents were made", made)
	}
}

// accounted fails if a row is neither in the document nor in a note.
func accounted(t *testing.T, seed uint64, d *Document, text string, rows []place, skus []string) {
	t.Helper()
	named, counted := map[place]bool{}, 0
	for _, n := range d.Notes() {
		if n.effect.countsAs() == leftOut {
			named[n.place] = true
			counted += n.Rows - 1
		}
	}
	missing := 0
	for i, sku := range skus {
		if !strings.Contains(text, sku) && !named[rows[i]] {
			missing++
		}
	}
	if missing > counted {
		t.Fatalf("seed %d: %d rows are in no note, and only %d are counted\n%s", seed, missing, counted, text)
	}
}

// No table makes a converter panic, and what it makes is always a document without faults.
func FuzzTables(f *testing.F) {
	f.Add([]byte(Template))
	f.Add([]byte(wooSample))
	f.Add([]byte(wixSample))
	f.Add([]byte("Product Id,Product Handle,Product Title,Variant Title,Variant SKU,Variant Inventory Quantity,Price EUR\nprod_1,a,A,S,s,1,2\n"))
	f.Add([]byte("Handle,SKU,Location,Available\na,s,x,1\n"))
	f.Add([]byte("sku,stock\ns,1\n"))
	f.Add([]byte("Handle,Option1 Name,Option1 Value,Image Src,Image Position,Variant Price\na,N,b,/c,9,1.00\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		for _, read := range []reading{readCSV, readShopify} {
			var base []byte
			for range 2 {
				d := New(shop)
				if base != nil && d.Base("base.json", base) != nil {
					t.Fatal("the document is no base")
				}
				if read(d, "t.csv", table) != nil || read(d, "u.csv", table) != nil {
					break
				}
				text, err := d.JSON()
				if errors.Is(err, errNoProduct) {
					break
				}
				if _, parsed := storefile.Parse(text); err != nil || parsed != nil {
					t.Fatalf("%v, %v: %s", err, parsed, text)
				}
				base = text
			}
		}
	})
}
