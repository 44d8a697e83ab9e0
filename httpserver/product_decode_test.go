package httpserver

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/engine"
)

func TestAttributeName(t *testing.T) {
	for key, want := range map[string]string{
		"attributes[Colour]": "Colour", "attributes[Colour][]": "Colour", "attributes[Colour][3]": "Colour", "attributes[Size [cm]]": "Size [cm]",
		"attributes[a][b]": "a][b", "attributes[a][b][]": "a][b", "attributes[]": "", "attributes[ ]": "", "attributes[][]": "",
		"attributes": "", "attributes[Colour": "", "attributes[Colour]x": "", "Attributes[Colour]": "", "attributes[[]": "[",
	} {
		if got, ok := attributeName(key); ok != (want != "") || ok && got != want {
			t.Errorf("attributeName(%q) = %q, %t; want %q", key, got, ok, want)
		}
	}
}

// Values of a name are alternatives in either form, and blank ones are no filter.
func TestProductListsAreRead(t *testing.T) {
	var args fasthttp.Args
	args.Parse("attributes[Colour]=White&attributes[Colour][]=Grey&attributes%5BSize%5D=L&attributes[Size]=&ids[]=x&ids[0]=" + testCart +
		"&ids=+&ids[]=" + testLine)
	var f catalogue.Filter
	if ids := decodeProductLists(&args, &f); ids != 3 || len(f.IDs) != 2 || f.IDs[0].String() != testCart || f.IDs[1].String() != testLine {
		t.Errorf("%d ids, read %v", ids, f.IDs)
	}
	want := []catalogue.AttributeFilter{{Name: "Colour", Values: []string{"White"}}, {Name: "Colour", Values: []string{"Grey"}},
		{Name: "Size", Values: []string{"L"}}}
	if !reflect.DeepEqual(f.Attributes, want) {
		t.Errorf("attributes %v, want %v", f.Attributes, want)
	}
}

// FuzzProductQuery: a query is either refused or finds products of the store, each once, and never
// ends the server.
func FuzzProductQuery(f *testing.F) {
	for _, query := range []string{
		"q=shrit", "attributes[Colour]=White&attributes[colour][]=grey", "attributes[a][b][]=%ff", "ids[]=" + testLine + "&ids[]=1", "price_min=-1&price_max=1e9",
		"in_category=x&category_id=&sku=SH-W&capability=standard&sort=-price&include=facets", "attributes[]=1&attributes[=2&attributes[]]=3",
		strings.Repeat("attributes[n]=v&", 60),
	} {
		f.Add(query)
	}
	shirt := &commerce.Product{
		ID: uuid.MustParse(testLine), Name: "Shirt", Slug: "shirt", Active: true, Prices: commerce.Prices{Base: new(commerce.Amount)},
		Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Brand", Values: []string{"É"}}}},
		Variants: []commerce.Variant{
			{ID: uuid.UUID{1}, Name: "White", SKU: "SH-W", Active: true,
				Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"White"}}}}},
			{ID: uuid.UUID{2}, Name: "Grey", Active: true, Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"Grey"}}}}},
		},
	}
	index := catalogue.New(&commerce.Store{Products: []*commerce.Product{shirt, sampleBlind()}})
	prices := index.PricesIn(commerce.PriceView{})
	f.Fuzz(func(t *testing.T, query string) {
		x := &exchange{ctx: &fasthttp.RequestCtx{}, facts: &engine.Facts{Store: &commerce.Store{Country: commerce.Country{'N', 'L'}}}}
		x.ctx.Request.URI().SetQueryString(query)
		filter, sort, _, fault := decodeProductQuery(x)
		if fault != nil {
			if len(fault.Fields) == 0 {
				t.Fatalf("%q is refused without a field: %v", query, fault)
			}
			return
		}
		found, _ := index.Find(&filter, prices, func() error { return nil })
		order := found.Order()
		if sort != catalogue.SortDocument {
			order = prices.Order(sort)
		}
		seen := map[*commerce.Product]bool{}
		for _, p := range index.Page(&found.ProductSet, order, 0, found.Len()) {
			if seen[p] || p == nil {
				t.Fatalf("%q finds %v twice", query, p)
			}
			seen[p] = true
		}
		if len(seen) != found.Len() || len(seen) > 2 {
			t.Fatalf("%q finds %d products, counted %d", query, len(seen), found.Len())
		}
		index.Facets(found, prices, new(catalogue.FacetBuffer))
	})
}
