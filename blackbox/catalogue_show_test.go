package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// shownSeen is a list of products with its facets.
type shownSeen struct {
	Data []struct {
		Slug       string
		Media      []object
		MediaCount int `json:"media_count"`
		Variants   []struct{ Media []object }
	}
	Facets *struct {
		Attributes []struct {
			Name   string
			Values []struct {
				Value string
				Count int
			}
		}
		Categories []struct {
			ID    string
			Count int
		}
		Price struct{ Min, Max *int }
	}
	Meta struct {
		Total     int
		Corrected json.RawMessage
	}
}

func (s shownSeen) slugs() string {
	var all []string
	for _, p := range s.Data {
		all = append(all, p.Slug)
	}
	return strings.Join(all, " ")
}

// facets is one line for each facet.
func (s shownSeen) facets() (lines []string) {
	for _, a := range s.Facets.Attributes {
		line := a.Name + ":"
		for _, v := range a.Values {
			line += fmt.Sprintf(" %s=%d", v.Value, v.Count)
		}
		lines = append(lines, line)
	}
	line := "categories:"
	for _, c := range s.Facets.Categories {
		line += fmt.Sprintf(" %s=%d", c.ID[len(c.ID)-2:], c.Count)
	}
	bounds := "price: none"
	if s.Facets.Price.Min != nil && s.Facets.Price.Max != nil {
		bounds = fmt.Sprintf("price: %d to %d", *s.Facets.Price.Min, *s.Facets.Price.Max)
	}
	return append(lines, line, bounds)
}

// shownGoods are four products: a shirt in two colours and sizes, a mug, a made-to-measure blind, and
// socks without variants.
func shownGoods(document object) {
	withCategories(document)
	variant := func(n int, name string, more object) object {
		more["id"], more["name"] = variantID(n), name
		return more
	}
	document["products"] = list{
		product(itemID(1), "Shirt", "shirt", object{
			"price_amount": 2000, "category_ids": list{handy}, "weight_grams": "210.5",
			"media":      list{object{"url": "/shirt.svg", "alt": "A shirt"}, object{"url": "https://cdn.example.org/back.jpg"}},
			"attributes": object{"Material": list{"Cotton", "Linen"}}, "metadata": object{"badge": "new"},
			"variants": list{
				variant(1, "White L", object{"attributes": object{"Colour": "White", "Size": "L"}, "media": list{object{"url": "/1.svg"}, object{"url": "/2.svg"}}, "weight_grams": 0}),
				variant(2, "Blue S", object{"attributes": object{"Colour": "Blue", "Size": "S"}, "price_amount": 2500}),
				variant(3, "Red", object{"attributes": object{"Colour": "Red"}, "active": false}),
			},
		}),
		product(itemID(2), "Mug 18 V", "mug", object{"price_amount": 500, "category_ids": list{tools}, "attributes": object{"Colour": "white", "Material": "Clay"}}),
		product(itemID(3), "Blind", "blind", object{"capability": "made_to_measure", "configurator": blindConfigurator(), "price_from_amount": 9000, "category_ids": list{garden}}),
		product(itemID(4), "Socks", "socks", object{"category_ids": list{handy, tools}, "attributes": object{"Size": "L", "Colour": "Crème brûlée"}}),
	}
}

// Showing products: every sentence on the members of a product, filters, facets and search.
func TestProductsAreShown(t *testing.T) {
	t.Parallel()
	hidden := setting("policy", object{"pricing": object{"guest_price_visibility": "hidden"}})
	hides := another(storeHidden, keyHidden, []func(object){shownGoods, hidden})
	shop := serveFiles(t, storeFile(t, base(), shownGoods), storeFile(t, hides))
	whole := decoded[object](shop.get(productsPath + "/shirt"))
	text := func(v any) string {
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(written)
	}
	for member, want := range map[string]string{
		"media":        `[{"alt":"A shirt","url":"/shirt.svg"},{"alt":null,"url":"https://cdn.example.org/back.jpg"}]`,
		"attributes":   `{"Material":["Cotton","Linen"]}`,
		"metadata":     `{"badge":"new"}`,
		"options":      `[{"name":"Colour","values":["White","Blue"]},{"name":"Size","values":["L","S"]}]`,
		"weight_grams": `210.5`, "price_from": `null`, "media_count": `2`,
	} {
		if got := text(whole[member]); got != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	if got := text(decoded[object](shop.get(productsPath + "/blind"))["price_from"]); got != `{"amount":9000,"currency":"EUR"}` {
		t.Errorf("price_from of the blind: %s", got)
	}
	if got := text(decoded[object](shop.withKey(keyHidden).get(productsPath + "/blind"))["price_from"]); got != `null` {
		t.Errorf("price_from where prices are hidden: %s", got)
	}
	if row := decoded[shownSeen](shop.get(productsPath)).Data[0]; len(row.Media) != 1 || row.MediaCount != 2 || len(row.Variants[0].Media) != 1 {
		t.Errorf("a row has %d of %d pictures, its variant %d; want one each", len(row.Media), row.MediaCount, len(row.Variants[0].Media))
	}

	ids := func(n ...int) string {
		var all []string
		for _, i := range n {
			all = append(all, "ids[]="+itemID(i))
		}
		return strings.Join(all, "&")
	}
	for _, c := range []struct{ query, want string }{
		{"in_category=tools", "shirt mug socks"}, {"in_category=" + handy, "shirt socks"}, {"category_id=" + tools, "mug socks"}, {"in_category=none", ""},
		{ids(4, 9, 1, 4), "socks shirt"}, {ids(4, 1) + "&ids[]=none", "socks shirt"}, {ids(4, 1) + "&sort=name", "shirt socks"}, {"ids[]=none", ""},
		{ids(4, 1) + "&in_category=tools&q=shirt", "shirt"},
		{"price_min=500", "shirt mug blind"}, {"price_min=501&price_max=9000", "shirt blind"}, {"price_max=-1", ""}, {"price_max=499", ""},
		{"sort=price", "mug shirt blind socks"}, {"sort=-price", "blind shirt mug socks"},
		{"attributes[Colour]=White", "shirt mug"}, {"attributes[COLOUR]=WHITE", "shirt mug"}, {"attributes[Colour][]=White&attributes[Colour][]=creme+brulee", "shirt mug socks"},
		{"attributes[Colour]=White&attributes[Size]=L", "shirt"}, {"attributes[Colour]=White&attributes[Size]=S", ""}, {"attributes[Colour]=Red", ""},
		{"attributes[Colour]=Blue&attributes[Material]=cotton", "shirt"}, {"attributes[None]=White", ""}, {"attributes[Colour]=", "shirt mug blind socks"},
		{"q=18v", "mug"}, {"q=cotton", "shirt"}, {"q=blue+shirt", "shirt"}, {"q=red", ""}, {"q=creme", "socks"},
	} {
		if got := decoded[shownSeen](shop.get(productsPath + "?" + c.query)); got.slugs() != c.want || got.Meta.Total != len(got.Data) {
			t.Errorf("%s: %q of %d, want %q", c.query, got.slugs(), got.Meta.Total, c.want)
		}
	}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{"Colour: white=2 Blue=1 Crème brûlée=1", "Material: Clay=1 Cotton=1 Linen=1", "Size: L=2 S=1", "categories: 01=3 03=1 04=0", "price: 500 to 9000"}},
		{"attributes[Colour]=white", []string{"Colour: white=2 Blue=1 Crème brûlée=1", "Material: Clay=1 Cotton=1 Linen=1", "Size: L=1", "categories: 01=2 03=0 04=0", "price: 500 to 2000"}},
		{"in_category=tools&price_max=600", []string{"Colour: white=1", "Material: Clay=1", "categories: 02=0", "price: 500 to 2000"}},
		{"category_id=" + tools, []string{"Colour: Crème brûlée=1 white=1", "Material: Clay=1", "Size: L=1", "categories: 02=2", "price: 500 to 500"}},
		{"category_id=" + tools + "&in_category=" + handy, []string{"Colour: Crème brûlée=1", "Size: L=1", "categories:", "price: none"}},
		{"q=nothing+here", []string{"categories: 01=0 03=0 04=0", "price: none"}},
	} {
		got := decoded[shownSeen](shop.get(productsPath + "?include=facets&" + c.query)).facets()
		for i := range got { // the first spelling of the value may be either product's
			got[i] = strings.ReplaceAll(got[i], "White", "white")
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("facets of %q:\n got %q\nwant %q", c.query, got, c.want)
		}
	}
	for query, want := range map[string]string{"q=Shrit": `{"shrit":"shirt"}`, "q=shirt": "", "q=shrt": "", "q=wihte+sokcs": `{"wihte":"white","sokcs":"socks"}`} {
		if got := decoded[shownSeen](shop.get(productsPath + "?" + query)); string(got.Meta.Corrected) != want {
			t.Errorf("%s: corrected %s, want %s", query, got.Meta.Corrected, want)
		}
	}
	guest := shop.withKey(keyHidden)
	if got := decoded[shownSeen](guest.get(productsPath + "?sort=-price&include=facets")); got.slugs() != "shirt mug blind socks" || got.Facets.Price.Min != nil || got.Facets.Price.Max != nil {
		t.Errorf("where prices are hidden: %q, %v", got.slugs(), got.facets())
	}
	if got := decoded[shownSeen](guest.get(productsPath + "?price_min=0")); len(got.Data) != 0 {
		t.Errorf("price_min where prices are hidden: %q", got.slugs())
	}
	if got := decoded[shownSeen](shop.get(productsPath)); got.Facets != nil {
		t.Errorf("facets that no one asked for: %v", got.Facets)
	}
}

// Too many ids, names or values and prices that are no integer are 422.
func TestProductFiltersAreRefused(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), shownGoods))
	many := func(format string, n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return strings.Join(all, "&")
	}
	for _, c := range []struct{ query, want string }{
		{"price_min=1.5", `{"message":"The price min field must be an integer.","errors":{"price_min":["The price min field must be an integer."]}}`},
		{"price_max=abc", `{"message":"The price max field must be an integer.","errors":{"price_max":["The price max field must be an integer."]}}`},
		{many("ids[]=%d", 101), `{"message":"The ids field must not have more than 100 items.","errors":{"ids":["The ids field must not have more than 100 items."]}}`},
		{many("attributes[n%d]=v", 11), `{"message":"The attributes field must not have more than 10 items.","errors":{"attributes":["The attributes field must not have more than 10 items."]}}`},
		{many("attributes[n][]=v%d", 51), `{"message":"The attributes field must not have more than 50 items.","errors":{"attributes":["The attributes field must not have more than 50 items."]}}`},
	} {
		a := shop.get(productsPath + "?" + c.query)
		if a.wantStatus(422); string(a.body) != c.want {
			t.Errorf("%.60s: %s, want %s", c.query, a.body, c.want)
		}
	}
	for _, query := range []string{many("ids[]=%d", 100), many("attributes[n%d]=v", 10), many("attributes[n][]=v%d", 50), "price_min=" + url.QueryEscape("99999999999999999999")} {
		shop.get(productsPath + "?" + query).wantStatus(200)
	}
}
