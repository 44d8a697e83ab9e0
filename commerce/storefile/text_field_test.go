package storefile

import (
	"fmt"
	"strings"
	"testing"
)

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
