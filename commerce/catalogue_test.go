package commerce

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestNormalizeText(t *testing.T) {
	for text, want := range map[string]string{
		"Crème BRÛLÉE": "creme brulee", "ﬁlter": "filter", "Straße": "strasse", "ΣΟΦΌΣ": "σοφοσ", "İ": "i", "x²": "x2",
		"RB-1": "rb-1", "": "", "Ǆ": "dz", "한": "\u1112\u1161\u11ab",
		"Łódź": "lodz", "ØL": "ol", "Đakovo": "dakovo", "Işık": "isik", "Æble": "aeble", "Œuvre": "oeuvre", "ẞ": "ss", "Guðmundur": "gudmundur",
		"Þór": "thor", "Ħal Għaxaq": "hal ghaxaq", "Ŧ": "t", "ŊƵǤɎ": "nzgy", "Ǿ": "o", "Лодзь": "лодзь",
	} {
		if got := NormalizeText(text); got != want {
			t.Errorf("NormalizeText(%q) = %q, want %q", text, got, want)
		}
	}
}

// Every word of a query is the beginning of a word in a product's texts, in any script.
func TestWordsOfAQuery(t *testing.T) {
	long := strings.Repeat("w", 254)
	s := &Store{}
	for i, p := range []struct {
		slug, name, sku string
		variants        []Variant
	}{
		{"blind", "Roller Blind, white", "RB-1", nil},
		{"glove", "Work gloves", "", []Variant{{SKU: "WG-77x", Active: true}, {SKU: "OFF-1"}}},
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
		s.Products = append(s.Products, &Product{ID: testID(100 + i), Slug: p.slug, Name: p.name, SKU: p.sku, Active: true, Variants: p.variants})
	}
	s.Products = append(s.Products, &Product{ID: testID(200), Slug: "past", Name: "Roller of the past", SKU: "RB-1"})
	c := NewCatalogue(s)
	prices := c.PricesIn(PriceView{})
	for _, row := range []struct{ query, want string }{
		{"roller", "blind"}, {"oller", "blind"}, {"xxller", ""}, {"blind roller", "blind"}, {"roller gloves", ""}, {"  white\t\n", "blind"}, {"past", ""},
		{"rb roller", "blind"}, {"77X", "glove"}, {"OFF-1", ""}, {"STRAẞE", "street"}, {"Cre\u0300me caf", "cafe"}, {"o'neil", "neil"}, {"2,5", "neil"},
		{"viii", "wide"}, {"ΟΔΥΣΣΕΎΣ", "greek"}, {"ЕЛКА", "cyrillic"}, {"か", "japan"}, {"字", ""}, {"한", "korea"}, {"हिन्दी", "hindi"}, {"محمد", "arabic"},
		{"lodz", "polish"}, {"ŁÓDŹ", "polish"}, {"aeble", "danish"}, {"æbleskiver", "danish"}, {"oel", ""},
		{"🎁", ""}, {" -- ", ""}, {"\u0301", ""}, {"🎁 roller", "blind"}, {"roller -", "blind"},
		{long[:200], "long"}, {strings.Repeat("é", 255), ""},
	} {
		found := find(c, &ProductFilter{Query: row.query}, prices)
		var slugs []string
		for _, p := range c.Page(&found.ProductSet, found.Order(), 0, found.Len()) {
			slugs = append(slugs, p.Slug)
		}
		if got := strings.Join(slugs, " "); got != row.want {
			t.Errorf("query %q finds %q, want %q", row.query, got, row.want)
		}
	}
}

func TestPriceView(t *testing.T) {
	s := testShop()
	view := func(v Visitor) PriceView { return s.PriceView(&v, noon) }
	hiding := *s
	hiding.Policy.Pricing.GuestPriceVisibility = "hidden"
	for _, c := range []struct {
		name    string
		view    PriceView
		product uuid.UUID
		price   string
		tiers   string
	}{
		{"guest", view(guest), tile, "1000", "10:900 20:990 "},
		{"bad token", view(badToken), tile, "1000", "10:900 20:990 "},
		{"group", view(trade), tile, "950", "5:850 10:900 20:990 "},
		{"lowest variant", view(guest), drill, "5000", "2:4000 "},
		{"every variant inactive", view(guest), faded, "none", ""},
		{"made to measure", view(guest), blind, "none", ""},
		{"price from 10 on only", view(guest), bulk, "none", "10:500 "},
		{"price of 0", view(guest), gift, "0", ""},
		{"hidden from guests", hiding.PriceView(&guest, noon), tile, "none", ""},
		{"hidden, but not from an account", hiding.PriceView(&ada, noon), tile, "1000", "10:900 20:990 "},
	} {
		p := s.Product(c.product)
		got := "none"
		if price, _, ok := c.view.Price(p); ok {
			got = fmt.Sprint(price)
		}
		tiers := ""
		for _, tier := range c.view.AppendTiers(nil, p, nil) {
			tiers += fmt.Sprintf("%s:%d ", tier.MinQuantity.AppendJSON(nil), tier.Price)
		}
		if got != c.price || tiers != c.tiers {
			t.Errorf("%s: price %s, tiers %q; want %s, %q", c.name, got, tiers, c.price, c.tiers)
		}
	}
}

// Price and tiers of products and their active variants, for a guest and for a group: "1000[10:450]".
func TestShownPrices(t *testing.T) {
	base := func(a Amount) Prices { return Prices{Base: price(a)} }
	tiers := func(base *Amount, tiers ...Tier) Prices { return Prices{Base: base, Tiers: tiers} }
	for _, c := range []struct {
		name         string
		product      Product
		guest, trade string
	}{
		{"tiers from 1 on count", Product{Prices: tiers(price(1000), Tier{One, 900, uuid.Nil}, Tier{500, 950, uuid.Nil})}, "900[0.5:950 1:900]", "900[0.5:950 1:900]"},
		{"the lower of the same quantity", Product{Prices: tiers(price(9), Tier{5000, 6, tradeGroup}, Tier{5000, 7, uuid.Nil}, Tier{8000, 4, uuid.Nil}, Tier{8000, 5, tradeGroup})},
			"9[5:7 8:4]", "9[5:6 8:4]"},
		{"the same quantity thrice", Product{Prices: tiers(price(9), Tier{5000, 6, uuid.Nil}, Tier{5000, 5, uuid.Nil}, Tier{5000, 7, uuid.Nil})}, "9[5:5]", "9[5:5]"},
		{"made to measure", Product{Capability: MadeToMeasure, Prices: tiers(price(9), Tier{One, 7, uuid.Nil})}, "none[]", "none[]"},
		{"no active variant", Product{Prices: tiers(price(5), Tier{2000, 4, uuid.Nil}), Variants: []Variant{{Prices: base(1)}}}, "none[2:4]", "none[2:4]"},
		{"variants", Product{Prices: tiers(price(1000), Tier{10 * One, 500, uuid.Nil}, Tier{10 * One, 400, tradeGroup}), Variants: []Variant{
			{Active: true, Prices: base(1200)}, {Active: true}, {Prices: base(1)}, {Active: true, Prices: tiers(nil, Tier{10 * One, 700, uuid.Nil}, Tier{2000, 650, tradeGroup})},
			{Active: true, Prices: Prices{Group: []GroupPrice{{tradeGroup, 900}}}},
		}}, "1000[10:500] 1200[] 1000[10:500] none[10:700] none[]", "900[10:400] 1200[] 1000[10:400] none[2:650 10:700] 900[]"},
		{"variants without a price", Product{Variants: []Variant{{Active: true}, {Active: true, Prices: tiers(nil, Tier{2000, 1, uuid.Nil})}}}, "none[] none[] none[2:1]", "none[] none[] none[2:1]"},
	} {
		p := &c.product
		hidden := strings.TrimSpace(strings.Repeat("none[] ", strings.Count(c.guest, "[")))
		wants := []string{c.guest, c.trade, hidden}
		for i, view := range []PriceView{{}, {Pricing: Pricing{GroupID: tradeGroup}}, {Hidden: true}} {
			show := func(variant *Variant, amount Amount, ok bool) string {
				text := "none"
				if ok {
					text = fmt.Sprint(amount)
				}
				var shown []string
				for _, tier := range view.AppendTiers(nil, p, variant) {
					shown = append(shown, fmt.Sprintf("%s:%d", tier.MinQuantity.AppendJSON(nil), tier.Price))
				}
				return fmt.Sprint(text, shown)
			}
			amount, _, ok := view.Price(p)
			got := show(nil, amount, ok)
			for i := range p.Variants {
				if v := &p.Variants[i]; v.Active {
					amount, ok := view.VariantPrice(p, v)
					got += " " + show(v, amount, ok)
				}
			}
			if got != wants[i] {
				t.Errorf("%s, %+v: %s; want %s", c.name, view, got, wants[i])
			}
		}
	}
}

// BenchmarkCatalogue uses a store of 100,000 products, each with four words and an SKU of its own.
func BenchmarkCatalogue(b *testing.B) {
	const products = 100_000
	s := &Store{}
	kinds := []string{"Roller blind", "Venetian slat", "Bracket steel", "Curtain rail", "Fabric washed", "Lift cord"}
	for i := range products {
		s.Products = append(s.Products, &Product{
			ID: testID(i), Slug: fmt.Sprint("p-", i), Active: true, SKU: fmt.Sprintf("RB-%06d", i),
			Name: fmt.Sprintf("%s %d colour%d", kinds[i%len(kinds)], i%500, i%83), Prices: Prices{Base: price(Amount(i * 7919 % 100_003))},
		})
	}
	var c *Catalogue
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c = nil
			before := heap()
			c = NewCatalogue(s)
			b.ReportMetric(float64(heap()-before)/products, "kept-B/product")
		}
	})
	b.Run("sort by price", func(b *testing.B) {
		for b.Loop() {
			c.PricesIn(PriceView{})
		}
	})
	for _, query := range []string{"r", "rb", "roller colour1", "rb 000123", "r v b c f l", strings.Repeat("r ", 127), "0 1 2 3 4 5 6 7 8 9"} {
		b.Run(fmt.Sprintf("q=%.16s", query), func(b *testing.B) {
			for b.Loop() {
				found := find(c, &ProductFilter{Query: query}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), max(0, found.Len()-25), found.Len())
			}
		})
	}
	for place, from := range map[string]int{"first": 0, "middle": products / 2} {
		b.Run(place+" page", func(b *testing.B) {
			for b.Loop() {
				found := find(c, &ProductFilter{}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), from, from+25)
			}
		})
	}
}

// find finds without an end.
func find(c *Catalogue, f *ProductFilter, prices *PriceIndex) *Found {
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
