package storefile

import (
	"testing"

	"cartd/commerce"
)

// packed is a document with one product that has more members.
func packed(members string) string {
	return `{"format":1,"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":[]},"tax_rates":[{"code":"s","rate":"21"}],
		"products":[{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"s"` + members + `}]}`
}

func TestFaultsOfPacks(t *testing.T) {
	for _, c := range []struct{ members, want string }{
		{``, ""},
		{`,"min_quantity":null,"max_quantity":null,"quantity_step":null`, ""},
		{`,"min_quantity":"12","max_quantity":"60","quantity_step":"6"`, ""},
		{`,"min_quantity":"12.0","max_quantity":"12"`, ""},
		{`,"unit":"m","min_quantity":"0.5","quantity_step":"0.250"`, ""},
		{`,"min_quantity":"13","max_quantity":"61","quantity_step":"6"`,
			"products[0].min_quantity: must be a multiple of quantity_step\nproducts[0].max_quantity: must be a multiple of quantity_step"},
		{`,"min_quantity":"12","max_quantity":"6"`, "products[0].max_quantity: must be at least min_quantity"},
		{`,"min_quantity":"1.5"`, "products[0].min_quantity: must be whole: the product is sold by the piece"},
		{`,"max_quantity":"1.5","unit":"piece"`, "products[0].max_quantity: must be whole: the product is sold by the piece"},
		{`,"quantity_step":"0.5"`, "products[0].quantity_step: must be whole: the product is sold by the piece"},
		{`,"quantity_step":"0"`, "products[0].quantity_step: must be " + aQuantity},
		{`,"min_quantity":6`, "products[0].min_quantity: must be " + aQuantity},
	} {
		got := ""
		if _, err := Parse([]byte(packed(c.members))); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.members, got, c.want)
		}
	}
}

// A change of one member is judged with the product's others, and null takes a member out.
func TestPacksOfAChange(t *testing.T) {
	text := packed(`,"min_quantity":"12","quantity_step":"6"`)
	if p := mustParse(t, text).Store.Products[0]; *p.Pack != (commerce.Pack{Min: 12 * commerce.One, Step: 6 * commerce.One}) {
		t.Errorf("pack %+v", p.Pack)
	}
	a, kept := stateOf(t, text), []byte(settingsOf(t, mustParse(t, text)))
	for _, c := range []struct {
		change string
		want   []string
		pack   commerce.Pack
	}{
		{`{"max_quantity":"60"}`, nil, commerce.Pack{Min: 12 * commerce.One, Max: 60 * commerce.One, Step: 6 * commerce.One}},
		{`{"min_quantity":null}`, nil, commerce.Pack{Step: 6 * commerce.One}},
		{`{"quantity_step":"0.5","min_quantity":"0.5","unit":"m"}`, nil, commerce.Pack{Min: 500, Step: 500}},
		{`{"max_quantity":"6"}`, one("set.products[0].max_quantity: must be at least min_quantity"), commerce.Pack{}},
		{`{"quantity_step":"5"}`, one("set.products[0].min_quantity: must be a multiple of quantity_step"), commerce.Pack{}},
	} {
		set, err := ParseProductChange([]byte(c.change), id("50000000-0000-4000-8000-000000000001"))
		if err != nil {
			t.Fatalf("%s: %v", c.change, err)
		}
		if _, got := a.besideFaults(t, set); len(got) != len(c.want) {
			t.Errorf("%s: got %q, want %q", c.change, got, c.want)
		}
		merged, err := Merge(kept, []*ChangeSet{set}, nil)
		if (err == nil) != (len(c.want) == 0) {
			t.Errorf("%s: a merge says %v", c.change, err)
		}
		if err == nil {
			if got := merged.Store.Products[0].Pack.Of(); got != c.pack {
				t.Errorf("%s: pack %+v, want %+v", c.change, got, c.pack)
			}
		}
	}
}
