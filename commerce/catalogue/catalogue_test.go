package catalogue

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cartd/commerce"
)

// Every word of a query is the beginning of a word in a product's texts, in any script.
func TestWordsOfAQuery(t *testing.T) {
	long := strings.Repeat("w", 254)
	s := &commerce.Store{}
	for i, p := range []struct {
		slug, name, sku string
		variants        []commerce.Variant
	}{
		{"blind", "Roller Blind, white", "RB-1", nil},
		{"glove", "Work gloves", "", []commerce.Variant{{SKU: "WG-77x", Active: true}, {SKU: "OFF-1"}}},
		{"street", "Straße", "", nil},
		{"cafe", "Cafe\u0301 CRÈME", "", nil},
		{"neil", "O'Neil_shirt 2.5kg", "", nil},
		{"wide", "ＡＢＣ ﬁne Ⅷ", "", nil},
		{"greek", "Οδυσσεύς", "", nil},
		{"cyrillic", "Ёлка «Зима»", "", nil},
		{"japan", "がく 漢字", "", nil},
		{"korea", "한국", "", nil},
		{"hindi", "हिन्दी", "", nil},
		{"arabic", "مُحَمَّد ٣", "", nil},
		{"polish", "Łódź", "", nil},
		{"danish", "Æbleskiver Øl", "", nil},
		{"long", long + " end", "", nil},
	} {
		s.Products = append(s.Products, &commerce.Product{ID: testID(100 + i), Slug: p.slug, Name: p.name, SKU: p.sku, Active: true, Variants: p.variants})
	}
	s.Products = append(s.Products, &commerce.Product{ID: testID(200), Slug: "past", Name: "Roller of the past", SKU: "RB-1"})
	c := New(s)
	prices := c.PricesIn(commerce.PriceView{})
	for _, row := range []struct{ query, want string }{
		{"roller", "blind"}, {"oller", "blind"}, {"xxller", ""}, {"blind roller", "blind"}, {"roller gloves", "blind glove"},
		{"  white\t\n", "blind"}, {"past", ""},
		{"rb roller", "blind"}, {"77X", "glove"}, {"OFF", ""}, {"OFF-1", "blind"}, {"STRAẞE", "street"}, {"Cre\u0300me caf", "cafe"}, {"o'neil", "neil"},
		{"2,5", "neil"},
		{"viii", "wide"}, {"ΟΔΥΣΣΕΎΣ", "greek"}, {"ЕЛКА", "cyrillic"}, {"か", "japan"}, {"字", ""}, {"한", "korea"}, {"हिन्दी", "hindi"}, {"محمد", "arabic"},
		{"lodz", "polish"}, {"ŁÓDŹ", "polish"}, {"aeble", "danish"}, {"æbleskiver", "danish"}, {"oel", ""},
		{"🎁", ""}, {" -- ", ""}, {"\u0301", ""}, {"🎁 roller", "blind"}, {"roller -", "blind"},
		{long[:200], "long"}, {strings.Repeat("é", 255), ""},
	} {
		found := find(c, &Filter{Query: row.query}, prices)
		var slugs []string
		for _, p := range c.Page(&found.ProductSet, found.Order(), 0, found.Len()) {
			slugs = append(slugs, p.Slug)
		}
		if got := strings.Join(slugs, " "); got != row.want {
			t.Errorf("query %q finds %q, want %q", row.query, got, row.want)
		}
	}
}

// BenchmarkCatalogue uses a store of 100,000 products, each with four words and an SKU of its own.
func BenchmarkCatalogue(b *testing.B) {
	const products = 100_000
	s := &commerce.Store{}
	kinds := []string{"Roller blind", "Venetian slat", "Bracket steel", "Curtain rail", "Fabric washed", "Lift cord"}
	for i := range products {
		s.Products = append(s.Products, &commerce.Product{
			ID: testID(i), Slug: fmt.Sprint("p-", i), Active: true, SKU: fmt.Sprintf("RB-%06d", i),
			Name: fmt.Sprintf("%s %d colour%d", kinds[i%len(kinds)], i%500, i%83), Prices: commerce.Prices{Base: price(commerce.Amount(i * 7919 % 100_003))},
		})
	}
	var c *Catalogue
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c = nil
			before := heap()
			c = New(s)
			b.ReportMetric(float64(heap()-before)/products, "kept-B/product")
		}
	})
	b.Run("sort by price", func(b *testing.B) {
		for b.Loop() {
			c.PricesIn(commerce.PriceView{})
		}
	})
	for _, query := range []string{"r", "rb", "roller colour1", "rb 000123", "r v b c f l", strings.Repeat("r ", 127), "0 1 2 3 4 5 6 7 8 9"} {
		b.Run(fmt.Sprintf("q=%.16s", query), func(b *testing.B) {
			for b.Loop() {
				found := find(c, &Filter{Query: query}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), max(0, found.Len()-25), found.Len())
			}
		})
	}
	for place, from := range map[string]int{"first": 0, "middle": products / 2} {
		b.Run(place+" page", func(b *testing.B) {
			for b.Loop() {
				found := find(c, &Filter{}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), from, from+25)
			}
		})
	}
}

// find finds without an end.
func find(c *Catalogue, f *Filter, prices *PriceIndex) *Found {
	found, _ := c.Find(f, prices, func() error { return nil })
	return found
}

// heap is what the heap holds, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
