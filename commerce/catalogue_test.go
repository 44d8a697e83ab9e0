package commerce

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"
)

func TestFoldText(t *testing.T) {
	for text, want := range map[string]string{
		"Crème BRÛLÉE": "creme brulee", "ﬁlter": "filter", "Straße": "strasse", "ΣΟΦΌΣ": "σοφοσ", "İ": "i", "x²": "x2",
		"RB-1": "rb-1", "": "", "Ǆ": "dz", "한": "\u1112\u1161\u11ab",
	} {
		if got := FoldText(text); got != want {
			t.Errorf("FoldText(%q) = %q, want %q", text, got, want)
		}
	}
}

// A search finds the same products in the same order as a slow, obvious model of the rules.
func TestSearchMatchesTheModel(t *testing.T) {
	r := dice(t)
	for range 60 {
		s := randomShop(r)
		c := NewCatalogue(s)
		for range 60 {
			f, sort := randomFilter(r), ProductSort(r.IntN(5))
			view := PriceView{Pricing: Pricing{GroupID: []uuid.UUID{{}, tradeGroup}[r.IntN(2)]}, Hidden: r.IntN(5) == 0}
			var order []int32
			if up, down := c.PriceOrders(view); sort == SortPrice {
				order = up
			} else if sort == SortPriceDown {
				order = down
			} else {
				order = c.ByName(sort)
			}
			want := modelFind(s, &f, sort, view)
			found := c.Find(&f)
			if found.Len() != len(want) {
				t.Fatalf("%+v: %d products, want %d of %s", f, found.Len(), len(want), described(s.Products))
			}
			from := r.IntN(len(want) + 1)
			to := from + r.IntN(len(want)-from+1)
			if got := c.Page(&found, order, from, to); !slices.Equal(got, want[from:to]) {
				t.Fatalf("%+v, sort %d in %+v, %d to %d:\n got %s\nwant %s\n  of %s", f, sort, view, from, to, described(got), described(want[from:to]), described(s.Products))
			}
		}
	}
}

func randomShop(r *rand.Rand) *Store {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	sku := func() string { return pick("", "RB-1", "RB-10", "rb 2", "Ä.1", "x/ya") }
	s := &Store{}
	for i := range r.IntN(150) {
		p := &Product{
			ID: testID(i), Slug: fmt.Sprint("p", i), Active: r.IntN(8) > 0, SKU: sku(), Capability: Capability(r.IntN(2)),
			Name:        pick("Roller", "röller", "ROLL", "Äpfel", "") + pick(" ", "-", "") + pick("Blind", "blïnd 2", "Ölfarbe", "№5"),
			CategoryIDs: [][]uuid.UUID{nil, {testID(1)}, {testID(1), testID(2), testID(1)}}[r.IntN(3)],
		}
		if r.IntN(4) > 0 {
			p.Prices.Base = price(Amount(r.IntN(4)))
		}
		if r.IntN(4) == 0 {
			p.Prices.Group = []GroupPrice{{tradeGroup, Amount(r.IntN(4))}}
		}
		for v := range r.IntN(3) * int(1-p.Capability) {
			variant := Variant{ID: testID(1000 + 2*i + v), Active: r.IntN(3) > 0, SKU: sku()}
			if r.IntN(2) == 0 {
				variant.Prices.Base = price(Amount(r.IntN(4)))
			}
			p.Variants = append(p.Variants, variant)
		}
		s.Products = append(s.Products, p)
	}
	return s
}

func randomFilter(r *rand.Rand) (f ProductFilter) {
	if r.IntN(3) == 0 {
		f.Category = []*uuid.UUID{{}, ptr(testID(1)), ptr(testID(2)), ptr(testID(3))}[r.IntN(4)]
	}
	if r.IntN(4) == 0 {
		f.SKU = []string{"RB-1", "RB-10", "rb-1", "x/ya", "none"}[r.IntN(5)]
	}
	if r.IntN(4) == 0 {
		f.Capability = ptr(Capability(r.IntN(2)))
	}
	for range r.IntN(4) {
		f.Query += []string{"ro", "ROLLER", "bl", "1", "rb", "olf", "ä", "x", "no", "5", "zz", "blind", "b"}[r.IntN(13)] + []string{" ", "-", "/", ""}[r.IntN(4)]
	}
	return f
}

func modelFind(s *Store, f *ProductFilter, sort ProductSort, view PriceView) (found []*Product) {
	for _, p := range s.Products {
		skus := []string{p.SKU}
		for _, v := range p.Variants {
			if v.Active {
				skus = append(skus, v.SKU)
			}
		}
		keep := p.Active && (f.Category == nil || slices.Contains(p.CategoryIDs, *f.Category)) &&
			(f.SKU == "" || slices.Contains(skus, f.SKU)) && (f.Capability == nil || p.Capability == *f.Capability)
		has := modelWords(p.Name + " " + strings.Join(skus, " "))
		for _, word := range modelWords(f.Query) {
			keep = keep && slices.ContainsFunc(has, func(w string) bool { return strings.HasPrefix(w, word) })
		}
		if keep {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b *Product) int { return modelCompare(a, b, sort, view) })
	return found
}

func modelCompare(a, b *Product, sort ProductSort, view PriceView) int {
	x, hasX := view.Price(a)
	y, hasY := view.Price(b)
	switch sort {
	case SortName:
		return strings.Compare(FoldText(a.Name), FoldText(b.Name))
	case SortNameDown:
		return strings.Compare(FoldText(b.Name), FoldText(a.Name))
	case SortPrice, SortPriceDown:
		switch {
		case !hasX && !hasY:
			return 0
		case !hasX:
			return 1
		case !hasY:
			return -1
		case sort == SortPrice:
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	}
	return 0
}

// modelWords folds letter by letter; lower case is enough for the test's texts.
func modelWords(text string) (words []string) {
	word := ""
	for _, r := range norm.NFKD.String(text) + " " {
		switch {
		case unicode.IsMark(r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word += string(unicode.ToLower(r))
		case word != "":
			words, word = append(words, word), ""
		}
	}
	return words
}

func described(products []*Product) string {
	var b strings.Builder
	for _, p := range products {
		fmt.Fprintf(&b, "\n  %s %q %q active %v", p.Slug, p.Name, p.SKU, p.Active)
	}
	return b.String()
}

func TestPriceView(t *testing.T) {
	s := testShop()
	view := func(v Visitor) PriceView { return s.PriceView(&v) }
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
		{"hidden from guests", hiding.PriceView(&guest), tile, "none", ""},
		{"hidden, but not from an account", hiding.PriceView(&ada), tile, "1000", "10:900 20:990 "},
	} {
		p := s.Product(c.product)
		got := "none"
		if price, ok := c.view.Price(p); ok {
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
			c.PriceOrders(PriceView{})
		}
	})
	for _, query := range []string{"r", "rb", "roller colour1", "rb 000123", "r v b c f l", strings.Repeat("r ", 127), "0 1 2 3 4 5 6 7 8 9"} {
		b.Run(fmt.Sprintf("q=%.16s", query), func(b *testing.B) {
			for b.Loop() {
				found := c.Find(&ProductFilter{Query: query})
				c.Page(&found, c.ByName(SortName), max(0, found.Len()-25), found.Len())
			}
		})
	}
	for place, from := range map[string]int{"first": 0, "middle": products / 2} {
		b.Run(place+" page", func(b *testing.B) {
			for b.Loop() {
				found := c.Find(&ProductFilter{})
				c.Page(&found, c.ByName(SortName), from, from+25)
			}
		})
	}
}

// heap is what the heap holds, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
