package catalogue_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"cartd/commerce/catalogue"
	"cartd/commerce/storefile"
)

// What shoppers type finds what they mean. A line of a list is a query with the slugs of products that it
// must find: those after ^ come first, in this order, those after ! must not be found.
func TestQueriesFindWhatIsMeant(t *testing.T) {
	for list, file := range map[string]string{
		"demo": "../../cmd/cartd/demo/store.json", "nl": "testdata/nl.json", "de": "testdata/de.json",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := storefile.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := catalogue.New(document.Store)
		queries, err := os.ReadFile("testdata/" + list + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for line := range strings.Lines(string(queries)) {
			query, want, _ := strings.Cut(strings.TrimSpace(line), ":")
			if strings.HasPrefix(line, "#") || want == "" {
				continue
			}
			asked++
			found, _ := c.Find(&catalogue.Filter{Query: query}, nil, func() error { return nil })
			var slugs []string
			for _, p := range c.Page(&found.ProductSet, found.Order(), 0, found.Len()) {
				slugs = append(slugs, p.Slug)
			}
			first := false
			for i, slug := range strings.Fields(want) {
				slug, isFirst := strings.CutPrefix(slug, "^")
				first = first || isFirst
				slug, without := strings.CutPrefix(slug, "!")
				at := slices.Index(slugs, slug)
				if without != (at < 0) || first && isFirst && at != i {
					t.Errorf("%s, %q finds %v, corrected %v, partial %v; want %s", list, query, slugs, found.Corrected, found.Partial, want)
					break
				}
			}
		}
		if asked < 30 {
			t.Errorf("%s has %d queries", list, asked)
		}
	}
}
