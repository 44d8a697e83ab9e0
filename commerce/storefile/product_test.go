package storefile

import (
	"fmt"
	"strings"
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

func TestTextFieldFaults(t *testing.T) {
	const field, path = `{"key": "Gift-note_2", "label": "Gift note"}`, "products[0].text_fields[1]"
	const wrong = `: must be 1 to 40 of A–Z, a–z, 0–9, "_" and "-", not beginning with "_"`
	fields := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"key": "k%d", "label": "L"}`, i)
		}
		return strings.Join(all, ", ")
	}
	check(t, []change{
		{`"Gift-note_2"`, `"` + strings.Repeat("k", 40) + `"`, nil},
		{`"Gift-note_2"`, `"-"`, nil},
		{`"Gift-note_2"`, `"` + strings.Repeat("k", 41) + `"`, one(path + ".key" + wrong)},
		{`"Gift-note_2"`, `"_note"`, one(path + ".key" + wrong)},
		{`"Gift-note_2"`, `"Größe"`, one(path + ".key" + wrong)},
		{`"Gift-note_2"`, `"gift note"`, one(path + ".key" + wrong)},
		{`"Gift-note_2"`, `""`, one(path + ".key" + wrong)},
		{`"Gift-note_2"`, `1`, one(path + ".key: must be a string")},
		{`"Gift-note_2"`, `"engraving"`, one(path + ".key: is a duplicate of products[0].text_fields[0].key")},
		{`"Gift-note_2"`, `"Engraving"`, nil},
		{`"key": "Gift-note_2", `, ``, one(path + ".key: is required")},
		{field, `{"key": "note"}`, one(path + ".label: is required")},
		{field, `{"key": "note", "label": " "}`, one(path + ".label: must not be empty")},
		{field, `{"key": "note", "label": "\u200b\u00a0"}`, one(path + ".label: must not be empty")},
		{field, `{"key": "note", "label": ""}`, one(path + ".label: must not be empty")},
		{field, `{"key": "note", "label": "` + strings.Repeat("é", 100) + `"}`, nil},
		{field, `{"key": "note", "label": "` + strings.Repeat("é", 101) + `"}`, one(path + ".label: must have at most 100 characters")},
		{field, `{"key": "note", "label": "a\nb"}`, one(path + ".label: must not contain control characters")},
		{field, `{"key": "note", "label": "L", "required": 1}`, one(path + ".required: must be true or false")},
		{field, `{"key": "note", "label": "L", "max_length": 1}`, nil},
		{field, `{"key": "note", "label": "L", "max_length": 500}`, nil},
		{field, `{"key": "note", "label": "L", "max_length": 0}`, one(path + ".max_length: must be an integer of at least 1")},
		{field, `{"key": "note", "label": "L", "max_length": 501}`, one(path + ".max_length: must be an integer of at most 500")},
		{field, `{"key": "note", "label": "L", "maximum": 5}`, one(path + ".maximum: is not a known field")},
		{field, fields(9), nil},
		{field, fields(10), one("products[0].text_fields: must have at most 10 text fields")},
		{`"text_fields": []`, `"text_fields": [{"key": "engraving", "label": "The key of another product"}]`, nil},
		{`"text_fields": []`, `"text_fields": {}`, one("products[1].text_fields: must be a list")},
	})
}

// Only a product that has the member takes properties, an empty list too.
func TestAnEmptyListOfTextFieldsIsKept(t *testing.T) {
	for _, c := range []struct {
		member string
		takes  bool
	}{{`"text_fields": []`, true}, {`"text_fields": null`, false}, {`"active": true`, false}} {
		text := strings.Replace(full(t), `"text_fields": []`, c.member, 1)
		doc := mustParse(t, text)
		kept, err := ParseKept([]byte(settingsOf(t, doc)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []bool{doc.Store.Products[1].TakesProperties(), kept.Products[1].TakesProperties()} {
			if s != c.takes {
				t.Errorf("%s: takes properties is %v", c.member, s)
			}
		}
	}
}
