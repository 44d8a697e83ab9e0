package storefile

import (
	"fmt"
	"strings"
	"testing"

	"cartd/commerce"
)

func TestMediaFaults(t *testing.T) {
	const url, path = `"url": "https://cdn.example.org/roller.jpg"`, "products[0].media[0]"
	const wrong = ": must be an https:// URL, or a path that begins with one slash"
	long := strings.Repeat("é", 2047)
	pictures := func(n int) string {
		return `"metadata": {"hex": "#fff"}, "media": [` + strings.TrimSuffix(strings.Repeat(`{"url": "/a"},`, n), ",") + `]`
	}
	const variantMedia = `"media": [{"url": "/white.jpg", "alt": "White"}], "attributes": {"Size": "L", "Colour": "White"}, "metadata": {"hex": "#fff"}`
	check(t, []change{
		{url, `"url": "http://cdn.example.org/roller.jpg"`, one(path + ".url" + wrong)},
		{url, `"url": "https://"`, one(path + ".url" + wrong)},
		{url, `"url": "//cdn.example.org/roller.jpg"`, one(path + ".url" + wrong)},
		{url, `"url": 1`, one(path + ".url: must be a string")},
		{url, `"url": "/` + long + `"`, nil},
		{url, `"url": "/x` + long + `"`, one(path + ".url: must have at most 2048 characters")},
		{url + `, "alt": "A roller blind"`, `"alt": "A"`, one(path + ".url: is required")},
		{`"alt": "A roller blind"`, `"alt": "` + long[:510] + `"`, nil},
		{`"alt": "A roller blind"`, `"alt": "` + long[:512] + `"`, one(path + ".alt: must have at most 255 characters")},
		{`"alt": "A roller blind"`, `"altt": "A"`, one(path + ".altt: is not a known field")},
		{variantMedia, pictures(20), nil},
		{variantMedia, pictures(21), one("products[0].variants[0].media: must have at most 20 pictures")},
		{`"media": [{"url": "/media/roller.svg"}]`, `"media": ["/media/roller.svg"]`, one("categories[0].media[0]: must be an object")},
	})
}

func TestAttributeFaults(t *testing.T) {
	const attributes, path = `"attributes": {"Size": "L", "Colour": "White"}`, "products[0].variants[0].attributes"
	many := func(n int) string {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf(`"N%d": "v"`, i))
		}
		return `"attributes": {` + strings.Join(names, ", ") + `}`
	}
	texts := func(n int) string {
		return `"attributes": {"Size": [` + strings.TrimSuffix(strings.Repeat(`"v",`, n), ",") + `]}`
	}
	const wrong = ": must be a text of 1 to 255 characters"
	check(t, []change{
		{attributes, `"attributes": ["L"]`, one(path + ": must be an object")},
		{attributes, `"attributes": {"Size": 5}`, one(path + ".Size: must be a string or a list of strings")},
		{attributes, `"attributes": {"Size": null}`, nil},
		{attributes, `"attributes": {"Size": ""}`, one(path + ".Size" + wrong)},
		{attributes, `"attributes": {"Size": "` + strings.Repeat("é", 255) + `"}`, nil},
		{attributes, `"attributes": {"Size": "` + strings.Repeat("é", 256) + `"}`, one(path + ".Size" + wrong)},
		{attributes, `"attributes": {"Size": ["L", "", 1]}`, []string{path + ".Size[1]" + wrong, path + ".Size[2]: must be a string"}},
		{attributes, `"attributes": {"": "L"}`, one(path + `[""]: must have a name of 1 to 64 characters`)},
		{attributes, `"attributes": {"` + strings.Repeat("é", 64) + `": "L"}`, nil},
		{attributes, `"attributes": {"` + strings.Repeat("n", 65) + `": "L"}`,
			one(path + "." + strings.Repeat("n", 65) + ": must have a name of 1 to 64 characters")},
		{attributes, `"attributes": {"Size": "L", "Size": "M"}`, one(path + ".Size: is given more than once")},
		{attributes, texts(20), nil},
		{attributes, texts(21), one(path + ".Size: must have at most 20 texts")},
		{attributes, many(50), nil},
		{attributes, many(51), one(path + ": must have at most 50 names")},
	})
}

// The metadata of a document has the rules of a cart's.
func TestMetadataFaults(t *testing.T) {
	const metadata = `"metadata": {"hex": "#fff"}`
	many := func(n int) string {
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprintf(`"k%d": %d`, i, i))
		}
		return `"metadata": {` + strings.Join(keys, ", ") + `}`
	}
	for at, path := range map[string]string{metadata: "products[0].variants[0].metadata", `"metadata": {"icon": "roller"}`: "categories[0].metadata"} {
		check(t, []change{
			{at, `"metadata": "x"`, one(path + ": must be an object")},
			{at, `"metadata": {"a": 1.50, "b": "x", "c": false, "d": null}`, nil},
			{at, `"metadata": {"a": []}`, one(path + ".a: must be a string, number, boolean or null")},
			{at, `"metadata": {"a": {}}`, one(path + ".a: must be a string, number, boolean or null")},
			{at, `"metadata": {"a": 1, "a": 2}`, one(path + ".a: is given more than once")},
			{at, many(16), nil},
			{at, many(17), one(path + ": must have at most 16 keys")},
			{at, `"metadata": {"abcd": "` + strings.Repeat("v", 16380) + `"}`, nil},
			{at, `"metadata": {"abcd": "` + strings.Repeat("v", 16381) + `"}`, one(path + ": must have at most 16384 bytes of keys and values")},
		})
	}
}

func TestWeightAndPriceFromFaults(t *testing.T) {
	const weight = ": must be a number or a decimal string from 0 to 1000000000 with at most 3 decimals"
	check(t, []change{
		{`"weight_grams": "1200.5"`, `"weight_grams": 1200.5`, nil},
		{`"weight_grams": "1200.5"`, `"weight_grams": 0.0001`, one("products[0].weight_grams" + weight)},
		{`"weight_grams": 0`, `"weight_grams": "1000000000.001"`, one("products[0].variants[0].weight_grams" + weight)},
		{`"weight_grams": 0`, `"weight_gram": 0`, one("products[0].variants[0].weight_gram: is not a known field")},
		{`"price_from_amount": 4900`, `"price_from_amount": -1`, one("products[1].price_from_amount: must be an integer of at least 0")},
		{`"slug": "rail", `, `"slug": "rail", "price_from_amount": 1, `, one("products[2].price_from_amount: is only for made_to_measure products")},
	})
}

// The fault of a misspelt member says the line and the name that was probably meant.
func TestDisplayFaultsHaveLineValueAndSuggestion(t *testing.T) {
	text := strings.Replace(full(t), `"price_from_amount": 4900`, `"price_from_amout": 4900`, 1)
	_, err := Parse([]byte(text))
	faults := err.(*Faults).List()
	if len(faults) != 1 || faults[0].DidYouMean != "price_from_amount" || faults[0].Line != 1+strings.Count(text[:strings.Index(text, "price_from_amout")], "\n") {
		t.Errorf("faults %+v", faults)
	}
	_, err = Parse([]byte(strings.Replace(full(t), `"/white.jpg"`, `"white.jpg"`, 1)))
	if faults := err.(*Faults).List(); len(faults) != 1 || !strings.HasPrefix(faults[0].Details(), `, not "white.jpg" (line `) {
		t.Errorf("faults %+v", faults)
	}
}

// A product's media, attributes and metadata have 64 KiB, with those of its variants.
func TestDisplayBytesOfAProduct(t *testing.T) {
	document := func(more int) string {
		variant := `{"id":"51000000-0000-4000-8000-%012d","name":"V","metadata":{"k":"` + strings.Repeat("v", 16383) + `"}}`
		var variants []string
		for i := range 3 {
			variants = append(variants, fmt.Sprintf(variant, i))
		}
		product := fmt.Sprintf(`"media":[{"url":"/a","alt":"é"}],"attributes":{"a":["b","c"]},"metadata":{"k":"%s"},"variants":[%s]`,
			strings.Repeat("v", 16384-8+more), strings.Join(variants, ","))
		return strings.Replace(sparse, `"variants":[{"id":"51000000-0000-4000-8000-000000000001","name":"V"}]`, product, 1)
	}
	const fits = commerce.MaxDisplayBytes
	if doc := mustParse(t, document(0)); doc.Store.Products[0].DisplayBytes() != fits {
		t.Fatalf("%d bytes, want %d", doc.Store.Products[0].DisplayBytes(), fits)
	}
	want := "products[0]: must have at most 65536 bytes of media, attributes and metadata, those of its variants included"
	if got := faultsOf(t, document(1)); len(got) != 1 || got[0] != want {
		t.Errorf("one byte more: %q, want %q", got, want)
	}
}

// categoryChain is a document with a chain of categories, the children first.
func categoryChain(levels int) string {
	var all []string
	for i := range levels {
		parent := "null"
		if i < levels-1 {
			parent = fmt.Sprintf(`"40000000-0000-4000-8000-%012d"`, i+1)
		}
		all = append(all, fmt.Sprintf(`{"id":"40000000-0000-4000-8000-%012d","name":"C","slug":"c%d","parent_id":%s}`, i, i, parent))
	}
	return string(with(`"categories":[` + strings.Join(all, ",") + `]`))
}

// Stores of a release without the limit go on: it is judged at an import only.
func TestCategoryLevels(t *testing.T) {
	mustParse(t, categoryChain(32))
	for levels, at := range map[int]string{33: "0", 40: "7"} {
		want := "categories[" + at + "].parent_id: makes more than 32 levels of categories"
		if got := faultsOf(t, categoryChain(levels)); len(got) != 1 || got[0] != want {
			t.Errorf("%d levels: %q, want %q", levels, got, want)
		}
	}
	if _, err := ParseKept([]byte(categoryChain(40))); err != nil {
		t.Errorf("a kept store of 40 levels: %v", err)
	}
}

// shownSorted sorts the attributes and metadata of the full document, whose order counts.
var shownSorted = strings.NewReplacer(
	`{"Size": "L", "Colour": "White"}`, `{"Colour": "White", "Size": "L"}`,
	`{"Room": ["Kitchen", "Bath"], "Material": "Linen"}`, `{"Material": "Linen", "Room": ["Kitchen", "Bath"]}`,
	`{"style": "plain", "new": true, "badge": null}`, `{"badge": null, "new": true, "style": "plain"}`,
)

// The order of attributes and metadata is shown, so it is kept, and documents that differ in it are
// not the same.
func TestOrderOfAttributesAndMetadataIsKept(t *testing.T) {
	doc := mustParse(t, full(t))
	kept, err := ParseKept([]byte(settingsOf(t, doc)))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "kept", kept.Products[0], doc.Store.Products[0])
	again := mustParse(t, exported(t, exportOf(doc)))
	expect(t, "exported", again.Store.Products[0], doc.Store.Products[0])
	for _, swap := range [][2]string{
		{`{"Size": "L", "Colour": "White"}`, `{"Colour": "White", "Size": "L"}`},
		{`{"style": "plain", "new": true, "badge": null}`, `{"new": true, "style": "plain", "badge": null}`},
	} {
		if other := mustParse(t, strings.Replace(full(t), swap[0], swap[1], 1)); other.Hash == doc.Hash {
			t.Errorf("%s instead of %s is the same document", swap[1], swap[0])
		}
	}
}
