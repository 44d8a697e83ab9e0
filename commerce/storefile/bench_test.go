package storefile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// large returns a document with this number of products, about 600 bytes each.
func large(products int) []byte {
	var text bytes.Buffer
	text.WriteString(strings.TrimSuffix(minimal, "}"))
	text.WriteString(`,"customer_groups":[{"id":"20000000-0000-4000-8000-000000000001","name":"Trade"}],
		"tax_rates":[{"code":"standard","rate":"21"}],
		"categories":[{"id":"40000000-0000-4000-8000-000000000001","name":"C","slug":"c"}],"products":[`)
	for i := range products {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{
			"id": "50000000-0000-4000-8000-%012d", "name": "Product number %d", "slug": "product-%d", "sku": "P-%d",
			"description": "A thing that is sold in the shop, with \"quotes\" and a line\nbreak.",
			"category_ids": ["40000000-0000-4000-8000-000000000001"], "unit": "piece", "track_stock": true, "tax": "standard",
			"price_amount": %d, "group_prices": {"20000000-0000-4000-8000-000000000001": 99}, "tiers": [{"min_quantity": "10", "price_amount": 90}],
			"variants": [{"id": "51000000-0000-4000-8000-%012d", "name": "White", "sku": "P-%d-W", "stock": "5"}]
		}`, i, i, i, i, i, i, i)
	}
	text.WriteString("]}")
	return text.Bytes()
}

func BenchmarkParse100000Products(b *testing.B) {
	data := large(100_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRefuse measures a document in which every product is wrong.
func BenchmarkRefuse(b *testing.B) {
	data := bytes.ReplaceAll(large(10_000), []byte(`"price_amount": `), []byte(`"price_amount": -`))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data); err == nil {
			b.Fatal("accepted")
		}
	}
}

// BenchmarkAssemble measures how a node follows a change of one price in a store of 100,000 products, once it has the
// text of the page, and how it reads all pages.
func BenchmarkAssemble(b *testing.B) {
	var tables [2]Table
	texts := map[PageName][]byte{}
	for i, price := range []string{`"price_amount": 99999,`, `"price_amount": 7,`} {
		doc, err := Parse(bytes.Replace(large(100_000), []byte(`"price_amount": 50000,`), []byte(price), 1))
		if err != nil {
			b.Fatal(err)
		}
		text, err := doc.Pages.Settings()
		if err != nil {
			b.Fatal(err)
		}
		entries, rest, err := sequence(text)
		if err != nil {
			b.Fatal(err)
		}
		tables[i] = Table{Cut: minCut, Rest: rest}
		tables[i].cut(entries, maxPageText, func(p Page) { texts[p.Name] = bytes.Clone(p.Text) })
	}
	text := func(name PageName) ([]byte, error) { return texts[name], nil }
	assemble := func(from *PagedStore, table Table) *PagedStore {
		next, err := from.Assemble(table, text)
		if err != nil {
			b.Fatal(err)
		}
		return next
	}
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			assemble(new(PagedStore), tables[0])
		}
	})
	state := assemble(new(PagedStore), tables[0])
	if n := len(state.Lacks(&tables[1])); n != 1 {
		b.Fatalf("%d pages differ", n)
	}
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			assemble(state, tables[1])
		}
	})
}
