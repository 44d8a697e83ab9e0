//go:build long

package catalogue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// shelfOf is a store of products with five attributes, three of them on two variants each, in a tree
// of 500 categories.
func shelfOf(products int) *commerce.Store {
	s := &commerce.Store{Languages: commerce.Languages(0).With(commerce.English).With(commerce.Dutch).With(commerce.German)}
	for i := range 500 {
		c := commerce.Category{ID: testID(i + 1), Slug: fmt.Sprint("c", i), Name: fmt.Sprintf("Range %d, shelves and ladders", i)}
		if i >= 20 {
			c.ParentID = testID(i/20 + 1)
		}
		s.Categories = append(s.Categories, c)
	}
	kinds := []string{"Roller blind", "Venetian slat", "Bracket steel", "Curtain rail", "Fabric washed", "Lift cord"}
	one := func(name, format string, n int) commerce.Attribute {
		return commerce.Attribute{Name: name, Values: []string{fmt.Sprintf(format, n)}}
	}
	for i := range products {
		p := &commerce.Product{
			ID: testID(1000 + i), Slug: fmt.Sprint("p-", i), Active: true, SKU: fmt.Sprintf("RB-%06d", i),
			Name: fmt.Sprintf("%s %d", kinds[i%len(kinds)], i%500), Prices: commerce.Prices{Base: price(commerce.Amount(i * 7919 % 100_003))},
		}
		p.CategoryIDs = append(p.CategoryIDs, testID(i%500+1))
		p.Attributes = []commerce.Attribute{one("Brand", "Maker %d", i%700), one("Material", "Cloth %d", i%30)}
		for v := range 2 {
			variant := commerce.Variant{ID: testID(1_000_000 + 2*i + v), Active: true, Name: fmt.Sprint("Kind ", v), SKU: fmt.Sprintf("RB-%06d-%d", i, v)}
			variant.Attributes = []commerce.Attribute{one("Colour", "Shade %d", (i+v)%40), one("Size", "%d cm", (i*3+v)%20), one("Room", "Room %d", i%12)}
			p.Variants = append(p.Variants, variant)
		}
		s.Products = append(s.Products, p)
	}
	return s
}

// docs/api/catalogue.md#size: the goals at 100,000 products with five attributes each.
func TestLongCatalogueGoals(t *testing.T) {
	const products, runs = 100_000, 300
	s := shelfOf(products)
	before, began := heap(), time.Now()
	c := New(s)
	t.Logf("built in %v, %d B a product", time.Since(began), (heap()-before)/products)
	two := []AttributeFilter{{"Colour", []string{"Shade 3", "Shade 4"}}, {"Size", []string{"9 cm", "10 cm"}}}
	var prices *PriceIndex
	var buffer FacetBuffer
	list := func(f Filter, facets bool, sort Sort) func() {
		return func() {
			if prices == nil {
				prices = c.PricesIn(commerce.PriceView{})
			}
			found := find(c, &f, prices)
			order := c.ByName(sort)
			if sort.ByPrice() {
				order = prices.Order(sort)
			}
			c.Page(&found.ProductSet, order, 0, min(25, found.Len()))
			if facets {
				c.Facets(found, prices, &buffer)
			}
		}
	}
	for _, goal := range []struct {
		name        string
		p99, first  time.Duration
		do          func()
		newContexts bool
	}{
		{"two filters and facets", 10 * time.Millisecond, 80 * time.Millisecond, list(Filter{Attributes: two}, true, SortPrice), true},
		{"facets of all products", 10 * time.Millisecond, 80 * time.Millisecond, list(Filter{}, true, SortDocument), true},
		{"a category, prices and facets", 10 * time.Millisecond, 80 * time.Millisecond,
			list(Filter{InCategory: "c1", PriceMin: price(1000), PriceMax: price(90_000)}, true, SortName), true},
		{"a corrected word", 10 * time.Millisecond, 80 * time.Millisecond, list(Filter{Query: "rolller"}, false, SortDocument), false},
		{"a query of corrected words", 10 * time.Millisecond, 80 * time.Millisecond, list(Filter{Query: "vennetian sltas makre clohd colurs"}, true, SortName),
			false},
		{"words of categories", 15 * time.Millisecond, 80 * time.Millisecond, list(Filter{Query: "ranges shelf ladder"}, true, SortDocument), true},
		{"most words", 15 * time.Millisecond, 80 * time.Millisecond, list(Filter{Query: "a roller blind for ranges of shelves nowhere"}, true, SortPrice), true},
		{"no filter, sorted by name", time.Millisecond, 80 * time.Millisecond, list(Filter{}, false, SortName), false},
	} {
		// The best of a few series counts: another program of the machine makes one slower, none faster.
		if goal.newContexts {
			took := time.Hour
			for range 3 {
				prices = nil
				began := time.Now()
				goal.do()
				took = min(took, time.Since(began))
			}
			if took > goal.first {
				t.Errorf("%s: the first request of a pricing context took %v, want under %v", goal.name, took, goal.first)
			} else {
				t.Logf("%s: the first request of a pricing context: %v", goal.name, took)
			}
		}
		var took []time.Duration
		for range 5 {
			series := make([]time.Duration, runs)
			for i := range series {
				began := time.Now()
				goal.do()
				series[i] = time.Since(began)
			}
			slices.Sort(series)
			if took == nil || series[runs*99/100] < took[runs*99/100] {
				took = series
			}
		}
		p99 := took[runs*99/100]
		t.Logf("%s: median %v, 99th percentile %v", goal.name, took[runs/2], p99)
		if p99 > goal.p99 {
			t.Errorf("%s: 99th percentile %v, want under %v", goal.name, p99, goal.p99)
		}
	}
}

// No query takes above 15 ms at 100,000 products, in any script, with as many typing errors as it has
// room for. The best of a few tries counts.
func TestLongQueriesInAnyScript(t *testing.T) {
	const products, goal = 100_000, 15 * time.Millisecond
	for _, script := range []struct {
		name  string
		first rune
		n     int // letters
	}{
		{"Latin", 'a', 26}, {"Cyrillic", 'а', 32}, {"Hiragana", 'ぁ', 80}, {"Hangul", '가', 11_000}, {"Han, 3,500 letters", '一',
			3_500}, {"Han, 8,000 letters", '一', 8_000},
	} {
		dice := rand.New(rand.NewPCG(1, 2))
		word := func(letters int) string {
			text := make([]rune, letters)
			for i := range text {
				text[i] = script.first + rune(dice.IntN(script.n))
			}
			return string(text)
		}
		var names []string
		for range products {
			names = append(names, word(5+dice.IntN(4))+" "+word(2+dice.IntN(8)))
		}
		c := shelved(names...)
		wrong := func(beginning int) string { // words that agree with a name up to a letter
			var words []string
			for n := 0; ; n++ {
				name := []rune(names[n*7919%products])[:5]
				for i := beginning; i < len(name); i++ {
					name[i] = script.first + rune(dice.IntN(script.n))
				}
				if len(words)*6+5 > MaxQuery {
					return strings.Join(words, " ")
				}
				words = append(words, string(name))
			}
		}
		letters := strings.Join(strings.Split(word(MaxQuery/2), ""), " ")
		for what, query := range map[string]string{
			"errors from the first letter": wrong(0), "from the second": wrong(1), "from the third": wrong(2), "from the last": wrong(4),
			"single letters": letters, "one long word": word(MaxQuery), "a name and more": names[0] + word(200),
		} {
			best := time.Hour
			for range 5 {
				began := time.Now()
				found := find(c, &Filter{Query: query}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), 0, min(25, found.Len()))
				best = min(best, time.Since(began))
			}
			if best > goal {
				t.Errorf("%s, %s: %v, want under %v", script.name, what, best, goal)
			} else {
				t.Logf("%s, %s: %v", script.name, what, best)
			}
		}
	}
}
