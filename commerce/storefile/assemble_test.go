package storefile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// pagesOf cuts the canonical text of a document into small pages.
func pagesOf(t *testing.T, document []byte, cut int) (Table, map[PageName][]byte) {
	t.Helper()
	entries, rest, err := sequence(document)
	if err != nil {
		t.Fatal(err)
	}
	table, texts := cutAll(entries, cut, maxPageText)
	table.Rest = rest
	return table, texts
}

// assembleFrom is Assemble with the texts of the pages that the store lacks, and no others.
func assembleFrom(p *PagedStore, table Table, texts map[PageName][]byte) (*PagedStore, error) {
	lacks := p.Lacks(&table)
	return p.Assemble(table, func(name PageName) ([]byte, error) {
		if !slices.Contains(lacks, name) {
			return nil, fmt.Errorf("page %s is asked for, but not lacking", name)
		}
		return texts[name], nil
	})
}

// A page may have the rates of other countries, and another one the store's own country, by which they were judged.
func TestRatesOfCountriesAreApartFromTheStoresCountry(t *testing.T) {
	document := `{"format":1,"store":{"id":"e0000000-0000-4000-8000-000000000009","name":"A","country":"NL","export_countries":["US"],` +
		`"modules":["commerce"],"languages":["en"]},"tax_rates":[{"code":"high","rate":"21","countries":{"DE":"19"}}]}`
	whole, err := Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for cut := range 8 {
		table, texts := pagesOf(t, []byte(settingsOf(t, whole)), 1+cut)
		state, err := assembleFrom(new(PagedStore), table, texts)
		if err != nil {
			t.Fatalf("pages of %d entries: %v", 1+cut, err)
		}
		if rates := state.Store.TaxRates[0].Countries; len(rates) != 1 || state.Store.Country.String() != "NL" {
			t.Errorf("pages of %d entries: rates %v, country %v", 1+cut, rates, state.Store.Country)
		}
	}
}

// After random change sets a store that was assembled from the pages that differ is the one that is read from the whole
// document, and what has not changed keeps its pointer.
func TestAssembledStoreIsTheWholeDocument(t *testing.T) { assembledIsWhole(t, 60) }

func assembledIsWhole(t *testing.T, documents int) {
	t.Helper()
	steps, reused, kept := 0, 0, 0
	for seed := range uint64(documents) {
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 73))}
		whole, err := Parse([]byte(spelt(d.document())))
		if err != nil {
			continue
		}
		settings, cut := []byte(settingsOf(t, whole)), 1+d.IntN(6)
		state := new(PagedStore)
		for range 6 {
			table, texts := pagesOf(t, settings, cut)
			next, err := assembleFrom(state, table, texts)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, settings)
			}
			want, err := ParseKept(settings)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := indexed(*next.Store), indexed(*want); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %s\n got %+v\nwant %+v", seed, settings, got, want)
			}
			steps++
			reused += len(table.Pages) - len(state.Lacks(&table))
			if state.Store != nil {
				kept += keepsPointers(t, state.Store, next.Store)
			}
			state = next
			if set := d.anySet(state.Store); set != nil {
				if merged, err := Merge(settings, []*ChangeSet{set}, nil); err == nil {
					settings = merged.Settings
				}
			}
		}
	}
	if t.Logf("%d stores, of %d pages and %d products that were there", steps, reused, kept); steps < 300 || reused < 300 || kept < 300 {
		t.Error("too few to show anything")
	}
}

// keepsPointers fails if an equal product has another pointer, or an equal list another array. It returns the number
// of equal products.
func keepsPointers(t *testing.T, before, next *commerce.Store) (equal int) {
	t.Helper()
	for _, p := range next.Products {
		if was := before.Product(p.ID); was != nil && reflect.DeepEqual(was, p) {
			if equal++; was != p {
				t.Fatalf("product %s is copied", p.ID)
			}
		}
	}
	sameArray := func(name string, a, b any) {
		v, w := reflect.ValueOf(a), reflect.ValueOf(b)
		if v.Len() > 0 && reflect.DeepEqual(a, b) && v.Pointer() != w.Pointer() {
			t.Fatalf("%s are copied", name)
		}
	}
	sameArray("categories", before.Categories, next.Categories)
	sameArray("discounts", before.Discounts, next.Discounts)
	sameArray("redirects", before.Redirects, next.Redirects)
	sameArray("tax rates", before.TaxRates, next.TaxRates)
	return equal
}

// A changed tax rate copies the products that name it, and no others, also those of pages that stay.
func TestAssembleTaxesAgain(t *testing.T) {
	document := func(rate int) []byte {
		var products []string
		for i := range 40 {
			products = append(products, fmt.Sprintf(`{"id":"50000000-0000-4000-8000-%012d","name":"P","slug":"p%d","tax":"%s"}`, i, i, []string{"high", "low"}[i%2]))
		}
		whole, err := Parse([]byte(`{"format":1,"products":[` + strings.Join(products, ",") + `],"tax_rates":[{"code":"high","rate":"` + fmt.Sprint(rate) +
			`"},{"code":"low","rate":"9"}],"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":[]}}`))
		if err != nil {
			t.Fatal(err)
		}
		return []byte(settingsOf(t, whole))
	}
	table, texts := pagesOf(t, document(21), 4)
	before, err := assembleFrom(new(PagedStore), table, texts)
	if err != nil {
		t.Fatal(err)
	}
	table, texts = pagesOf(t, document(25), 4)
	if n := len(before.Lacks(&table)); n > 2 {
		t.Fatalf("%d pages differ", n)
	}
	after, err := assembleFrom(before, table, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range after.Store.Products {
		was := before.Store.Products[i]
		if high := i%2 == 0; high == (p == was) || high && (p.Tax.Rate != commerce.Hundred/4 || was.Tax.Rate != 21*commerce.Hundred/100) {
			t.Errorf("product %d has the rate %v, it had %v; same pointer: %v", i, p.Tax, was.Tax, p == was)
		}
	}
}

// A page that cannot be read is an error, and the store before stays as it is.
func TestPagesThatCannotBeAssembled(t *testing.T) {
	settings := `"store":{"id":"11111111-1111-4111-8111-111111111111","modules":[],"name":"Shop"}`
	gone := errors.New("gone")
	for what, c := range map[string]struct{ page, rest, want string }{
		"no settings":       {`{"redirects":[]}`, `{"format":1}`, "no page has the settings"},
		"an unknown member": {`{"later":1,` + settings + `}`, `{"format":1}`, "later: is not a known field"},
		"a later format":    {`{` + settings + `}`, `{"format":2}`, "format"},
		"an entry in rest":  {`{` + settings + `}`, `{"format":1,"redirects":[{"from":"/a","status":301,"to":"/b"}]}`, "1 entries without a page"},
		"no tax rate":       {`{"products":[{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"x"}],` + settings + `}`, `{"format":1}`, `no tax rate "x"`},
		"no page":           {"", `{"format":1}`, "gone"},
	} {
		table := Table{Cut: 64, Rest: []byte(c.rest), Pages: []PageName{NameOf([]byte(c.page))}}
		_, err := new(PagedStore).Assemble(table, func(PageName) ([]byte, error) {
			if c.page == "" {
				return nil, gone
			}
			return []byte(c.page), nil
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}
