package catalogue

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/dice"
)

// A list has the same products in the same order, with the same facets and corrected words, as a slow,
// obvious model of the rules.
func TestListMatchesTheModel(t *testing.T) { compareRandomLists(t, 8) }

func compareRandomLists(t *testing.T, shops int) {
	t.Helper()
	r := dice.New(t)
	corrected, partial, ranked, facets, filtered, buffer := 0, 0, 0, 0, 0, new(FacetBuffer)
	for range shops {
		s := randomShop(r)
		c, m := New(s), makeShelf(s)
		for i := range s.Products {
			if p := s.Products[i]; p.Active && !reflect.DeepEqual(c.Options(p), m.options(p)) {
				t.Fatalf("options of %s are %v, want %v", frozen(t, p), c.Options(p), m.options(p))
			}
		}
		for i := range c.Categories {
			if got, want := c.Categories[i].ProductsTotal, len(m.within(&s.Categories[i])); got != want {
				t.Fatalf("category %s has %d products with its descendants, want %d", c.Categories[i].Slug, got, want)
			}
		}
		for range 40 {
			f, sort := m.randomFilter(r), Sort(r.IntN(5))
			view := commerce.PriceView{Pricing: commerce.Pricing{GroupID: []uuid.UUID{{}, tradeGroup}[r.IntN(2)]}, Hidden: r.IntN(5) == 0}
			earlier := view
			view.Pricing.Now, earlier.Pricing.Now = someMoment(r), someMoment(r)
			prices := c.PricesIn(view)
			if moved := c.MovePrices(c.PricesIn(earlier), view); !reflect.DeepEqual(moved, prices) {
				t.Fatalf("the prices of %v moved to %v are\n%+v; want\n%+v", earlier.Pricing.Now, view.Pricing.Now, moved, prices)
			}
			found := find(c, &f, prices)
			order := found.Order()
			if sort.ByPrice() {
				order = prices.Order(sort)
			} else if sort != SortDocument {
				order = c.ByName(sort)
			}
			want, said := m.find(&f, sort, view)
			if found.Len() != len(want) {
				t.Fatalf("%s: %d products, want %d of %s", frozen(t, f), found.Len(), len(want), frozen(t, s.Products))
			}
			from := r.IntN(len(want) + 1)
			to := from + r.IntN(len(want)-from+1)
			if got := c.Page(&found.ProductSet, order, from, to); !slices.Equal(got, want[from:to]) {
				t.Fatalf("%s, sort %d in %+v, %d to %d:\n got %s\nwant %s\n  of %s", frozen(t, f), sort, view, from, to, frozen(t, got),
					frozen(t, want[from:to]), frozen(t, s.Products))
			}
			if !slices.Equal(found.Corrected, said.corrected) || found.Partial != said.partial {
				t.Fatalf("%s: corrected %v, partial %v, want %v, %v in %s, %s", frozen(t, f), found.Corrected, found.Partial, said.corrected, said.partial,
					frozen(t, s.Products), frozen(t, s.Categories))
			}
			if got, want := c.Facets(found, prices, buffer), m.facets(&f, view); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %+v:\n got %s\nwant %s\n  of %s", frozen(t, f), view, frozen(t, got), frozen(t, want), frozen(t, s.Products))
			}
			corrected += len(said.corrected)
			if said.partial {
				partial++
			}
			if len(said.own) < len(said.all) {
				ranked++
			}
			facets += len(c.Facets(found, prices, buffer).Attributes)
			if n := found.Len(); n > 0 && n < len(c.products) && len(f.Attributes) > 0 {
				filtered++
			}
		}
	}
	said := fmt.Sprintf("%d corrected words, %d lists of most words, %d with categories, %d attributes in facets, %d lists filtered by attributes",
		corrected, partial, ranked, facets, filtered)
	t.Log(said)
	if corrected < shops || partial < shops || ranked < shops || facets < 20*shops || filtered < shops {
		t.Error("too few to show anything: " + said)
	}
}

// shelf answers from the store's products, one by one. It keeps what does not depend on a filter.
type shelf struct {
	*commerce.Store
	rowsOf    map[*commerce.Product][]modelRow
	namedOf   map[*commerce.Product][]modelWord
	spellings map[string]string // the first spelling, by normalized name and value
}

func makeShelf(s *commerce.Store) shelf {
	m := shelf{s, map[*commerce.Product][]modelRow{}, map[*commerce.Product][]modelWord{}, map[string]string{}}
	for _, p := range s.Products {
		m.rowsOf[p], m.namedOf[p] = m.rows(p), m.named(p)
	}
	m.eachAttribute(func(a commerce.Attribute) {
		for _, text := range a.Values {
			if key := commerce.NormalizeText(a.Name) + "=" + commerce.NormalizeText(text); m.spellings[key] == "" {
				m.spellings[key] = text
			}
		}
	})
	return m
}

func randomAttributes(r *rand.Rand) (all []commerce.Attribute) {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	for _, name := range [][]string{{"Colour", "colour", "Cölour"}, {"Size"}, {"Material"}} {
		if r.IntN(2) == 0 {
			continue
		}
		a := commerce.Attribute{Name: pick(name...), Values: []string{pick("White", "white", "Black", "Blue 18V", "L", "XXL")}}
		if r.IntN(4) == 0 {
			a.List = true
			a.Values = [][]string{nil, {"White", "Black"}, {"Black", "White", "White"}, {"Linen"}}[r.IntN(4)]
		}
		all = append(all, a)
	}
	if r.IntN(10) == 0 {
		all = append(all, commerce.Attribute{Name: fmt.Sprint("Rare ", r.IntN(60)), Values: []string{fmt.Sprint("v", r.IntN(200))}})
	}
	return all
}

func randomShop(r *rand.Rand) *commerce.Store {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	sku := func() string { return pick("", "RB-1", "RB10", "rb 2", "Ä.1", "x/ya", "skuonly") }
	s := &commerce.Store{Languages: commerce.Languages(r.IntN(3)) << commerce.German} // none, German, English
	for i := range 1 + r.IntN(12) {                                                   // testID(1) to testID(12); a parent may follow its children
		s.Categories = append(s.Categories, commerce.Category{
			ID: testID(i + 1), Slug: fmt.Sprint("c", i+1), Name: pick("", "Blinds", "Rolling fabrics", "Tools", "Paint", "Whites", "Öle 5"),
		})
	}
	for i := range s.Categories {
		if i > 0 && r.IntN(3) > 0 {
			s.Categories[i].ParentID = s.Categories[r.IntN(i)].ID
		}
	}
	r.Shuffle(len(s.Categories), func(i, j int) { s.Categories[i], s.Categories[j] = s.Categories[j], s.Categories[i] })
	for i := range r.IntN(60) {
		p := &commerce.Product{
			ID: testID(100 + i), Slug: fmt.Sprint("p", i), Active: r.IntN(8) > 0, SKU: sku(), Capability: commerce.Capability(r.IntN(2)),
			Name: pick("Roller", "röller", "ROLL", "Äpfel", "") + pick(" ", "-", "") + pick("Blind", "blïnd 2", "Ölfarbe", "№5", "Drill 18V", "rollar"),
		}
		for range r.IntN(3) {
			p.CategoryIDs = append(p.CategoryIDs, s.Categories[r.IntN(len(s.Categories))].ID)
		}
		p.Attributes = randomAttributes(r)
		if p.Capability == commerce.MadeToMeasure && r.IntN(2) == 0 {
			p.PriceFrom = price(commerce.Amount(r.IntN(4)))
		}
		if r.IntN(4) > 0 {
			p.Prices.Base = price(commerce.Amount(r.IntN(4)))
		}
		if r.IntN(4) == 0 {
			p.Prices.Group = []commerce.GroupPrice{{GroupID: tradeGroup, Price: commerce.Amount(r.IntN(4))}}
		}
		if p.Capability == commerce.Standard {
			p.Prices.Periods = somePeriods(r)
		}
		for v := range r.IntN(4) * int(1-p.Capability) {
			variant := commerce.Variant{ID: testID(1000 + 4*i + v), Name: pick("White", "Wide body", "blacks"), Active: r.IntN(3) > 0, SKU: sku()}
			variant.Attributes = randomAttributes(r)
			if r.IntN(2) == 0 {
				variant.Prices.Base = price(commerce.Amount(r.IntN(4)))
			}
			variant.Prices.Periods = somePeriods(r)
			p.Variants = append(p.Variants, variant)
		}
		s.Products = append(s.Products, p)
	}
	return s
}

func (m shelf) randomFilter(r *rand.Rand) (f Filter) {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	if r.IntN(6) == 0 {
		f.Category = []*uuid.UUID{{}, ptr(testID(1)), ptr(testID(2)), ptr(testID(3))}[r.IntN(4)]
	}
	if r.IntN(4) == 0 {
		f.InCategory = pick("c1", "c2", "c3", "c9", "none", testID(1).String(), testID(4).String())
	}
	if r.IntN(8) == 0 {
		f.SKU = pick("RB-1", "RB10", "rb-1", "x/ya", "none")
	}
	if r.IntN(8) == 0 {
		f.Capability = ptr(commerce.Capability(r.IntN(2)))
	}
	if r.IntN(6) == 0 {
		f.IDs = []uuid.UUID{}
		for range r.IntN(60) {
			f.IDs = append(f.IDs, testID(100+r.IntN(70)))
		}
	}
	if r.IntN(5) == 0 {
		f.PriceMin = ptr(commerce.Amount(r.IntN(6) - 1))
	}
	if r.IntN(5) == 0 {
		f.PriceMax = ptr([]commerce.Amount{0, 1, 2, 3, 9, 1<<63 - 1}[r.IntN(6)])
	}
	for range max(0, r.IntN(5)-2) {
		f.Attributes = append(f.Attributes, AttributeFilter{pick("Colour", "COLOUR", "Size", "Material", "Rare 1", "None"),
			[]string{pick("White", "WHITE", "Black", "Linen", "none", "L")}})
	}
	if len(f.Attributes) > 0 && r.IntN(2) == 0 {
		f.Attributes[0].Values = append(f.Attributes[0].Values, pick("Black", "Blue 18v"))
	}
	if r.IntN(2) == 0 {
		for range r.IntN(4) {
			f.Query += pick("ro", "ROLLER", "bl", "1", "rb", "olf", "ä", "x", "no", "5", "zz", "blind", "b", "18v", "rb1", "rolller", "rloler",
				"rollr", "balck", "blinds", "whiting", "tool", "painted", "fabric", "rolls", "paimt",
				"whitte", "skuonlx", "drlll", "colour", "body", "linne") + pick(" ", "-", "/", "")
		}
	}
	return f
}

// find is the list with what the search says of it.
func (m shelf) find(f *Filter, sort Sort, view commerce.PriceView) (found []*commerce.Product, said modelSearch) {
	said = m.search(f.Query)
	for _, p := range m.Products {
		if p.Active && m.matchesPrice(p, f, view) && m.matchesOther(p, f, said) && m.matchesAttributes(p, f.Attributes) && m.matchesCategory(p, f) {
			found = append(found, p)
		}
	}
	if f.IDs != nil && sort == SortDocument {
		slices.SortStableFunc(found, func(a, b *commerce.Product) int {
			return cmp.Compare(slices.Index(f.IDs, a.ID), slices.Index(f.IDs, b.ID))
		})
	} else if sort == SortDocument && said.all != nil {
		rank := map[bool]int{false: 1}
		slices.SortStableFunc(found, func(a, b *commerce.Product) int { return cmp.Compare(rank[said.own[a]], rank[said.own[b]]) })
	}
	slices.SortStableFunc(found, func(a, b *commerce.Product) int { return modelCompare(a, b, sort, view) })
	return found, said
}

func (m shelf) category(idOrSlug string) *commerce.Category {
	for i := range m.Categories {
		if c := &m.Categories[i]; c.ID.String() == idOrSlug || c.Slug == idOrSlug {
			return c
		}
	}
	return nil
}

// within are the active products that name a category or one below it.
func (m shelf) within(c *commerce.Category) (all []*commerce.Product) {
	for _, p := range m.Products {
		if p.Active && slices.ContainsFunc(p.CategoryIDs, func(id uuid.UUID) bool { return m.below(id, c.ID) }) {
			all = append(all, p)
		}
	}
	return all
}

// below reports whether a category is another one or below it.
func (m shelf) below(id, ancestor uuid.UUID) bool {
	for c := m.category(id.String()); c != nil; c = m.category(c.ParentID.String()) {
		if c.ID == ancestor {
			return true
		}
	}
	return false
}

func (m shelf) matchesCategory(p *commerce.Product, f *Filter) bool {
	if f.Category != nil && !slices.Contains(p.CategoryIDs, *f.Category) {
		return false
	}
	if f.InCategory == "" {
		return true
	}
	c := m.category(f.InCategory)
	return c != nil && slices.Contains(m.within(c), p)
}

func (m shelf) matchesPrice(p *commerce.Product, f *Filter, view commerce.PriceView) bool {
	price, ok := shownPrice(p, view)
	switch {
	case f.PriceMin == nil && f.PriceMax == nil:
		return true
	case !ok:
		return false
	}
	return (f.PriceMin == nil || price >= *f.PriceMin) && (f.PriceMax == nil || price <= *f.PriceMax)
}

func shownPrice(p *commerce.Product, view commerce.PriceView) (commerce.Amount, bool) {
	if price, _, ok := view.Price(p); ok {
		return price, true
	}
	if view.Hidden || p.PriceFrom == nil {
		return 0, false
	}
	return *p.PriceFrom, true
}

// modelRow has the texts of each attribute, by normalized name.
type modelRow map[string][]string

func (m shelf) rows(p *commerce.Product) (rows []modelRow) {
	row := func(own []commerce.Attribute) {
		all := modelRow{}
		for _, a := range own {
			all[commerce.NormalizeText(a.Name)] = append(all[commerce.NormalizeText(a.Name)], a.Values...)
			if len(a.Values) == 0 && all[commerce.NormalizeText(a.Name)] == nil {
				all[commerce.NormalizeText(a.Name)] = []string{}
			}
		}
		under := modelRow{}
		for _, a := range p.Attributes {
			if _, has := all[commerce.NormalizeText(a.Name)]; !has {
				under[commerce.NormalizeText(a.Name)] = append(under[commerce.NormalizeText(a.Name)], a.Values...)
			}
		}
		for name, texts := range under {
			all[name] = texts
		}
		rows = append(rows, all)
	}
	if len(p.Variants) == 0 {
		row(nil)
	}
	for _, v := range p.Variants {
		if v.Active {
			row(v.Attributes)
		}
	}
	return rows
}

func (r modelRow) matches(f AttributeFilter) bool {
	return slices.ContainsFunc(r[commerce.NormalizeText(f.Name)], func(text string) bool {
		return slices.ContainsFunc(f.Values, func(value string) bool { return commerce.NormalizeText(value) == commerce.NormalizeText(text) })
	})
}

// merged are filters in which each name occurs once.
func merged(filters []AttributeFilter) (all []AttributeFilter) {
	for _, f := range filters {
		if i := slices.IndexFunc(all, func(other AttributeFilter) bool {
			return commerce.NormalizeText(other.Name) == commerce.NormalizeText(f.Name)
		}); i >= 0 {
			all[i].Values = slices.Concat(all[i].Values, f.Values)
			continue
		}
		all = append(all, f)
	}
	return all
}

func (m shelf) matchesAttributes(p *commerce.Product, filters []AttributeFilter) bool {
	return len(filters) == 0 || slices.ContainsFunc(m.rowsOf[p], func(row modelRow) bool {
		return !slices.ContainsFunc(merged(filters), func(f AttributeFilter) bool { return !row.matches(f) })
	})
}

func (m shelf) matchesOther(p *commerce.Product, f *Filter, said modelSearch) bool {
	skus := []string{p.SKU}
	for _, v := range p.Variants {
		if v.Active {
			skus = append(skus, v.SKU)
		}
	}
	if f.IDs != nil && !slices.Contains(f.IDs, p.ID) || f.SKU != "" && !slices.Contains(skus, f.SKU) || f.Capability != nil && p.Capability != *f.Capability {
		return false
	}
	return said.all == nil || said.all[p]
}

// named are the words of a product's names and attributes.
func (m shelf) named(p *commerce.Product) []modelWord {
	texts := []string{p.Name}
	attributes := slices.Clone(p.Attributes)
	for _, v := range p.Variants {
		if v.Active {
			texts, attributes = append(texts, v.Name), append(attributes, v.Attributes...)
		}
	}
	for _, a := range attributes {
		texts = append(texts, a.Values...)
	}
	return modelWords(strings.Join(texts, " "))
}

// oneEdit reports whether b is a with one letter inserted, deleted or replaced, or two neighbours
// swapped. It tries every edit.
func oneEdit(a, b []rune) bool {
	for i := range len(a) + 1 {
		for _, r := range b {
			if slices.Equal(slices.Insert(slices.Clone(a), i, r), b) {
				return true
			}
			if i < len(a) {
				replaced := slices.Clone(a)
				replaced[i] = r
				if slices.Equal(replaced, b) {
					return true
				}
			}
		}
		if i < len(a) && slices.Equal(slices.Delete(slices.Clone(a), i, i+1), b) {
			return true
		}
		if i+1 < len(a) {
			swapped := slices.Clone(a)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			if slices.Equal(swapped, b) {
				return true
			}
		}
	}
	return false
}

func modelCompare(a, b *commerce.Product, sort Sort, view commerce.PriceView) int {
	x, hasX := shownPrice(a, view)
	y, hasY := shownPrice(b, view)
	switch sort {
	case SortName:
		return strings.Compare(commerce.NormalizeText(a.Name), commerce.NormalizeText(b.Name))
	case SortNameDown:
		return strings.Compare(commerce.NormalizeText(b.Name), commerce.NormalizeText(a.Name))
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
