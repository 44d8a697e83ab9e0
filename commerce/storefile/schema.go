package storefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Schema returns the JSON Schema (draft 2020-12) of the store document, as ASCII
// text with indents. For shape it accepts and refuses what Parse does; what shows
// only beside other values (what is unique, refers to something or has to be in
// order) is for Parse alone. Every call returns the same.
func Schema() []byte {
	root := describe()
	w := schemaWriter{written: map[string]bool{}}
	text := tree{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "urn:cartd:store-document:1"},
		{"title", "The store document, format 1"},
		{"description", "The settings, keys, customers and catalogue of one store. Amounts are in minor units. A member that may be null may also be absent, which means the same."},
	}
	text = append(text, w.schema(root, false)...)
	text = append(text, entry{"$defs", w.definitions})
	return ascii(indented(text))
}

// describe returns what the functions that read a document ask for.
func describe() *schema {
	var root slot
	d := newDocument(nil)
	d.read(field{r: &d.reader, slot: &root})
	return root.holds
}

// tree is a JSON object with its members in the order of writing.
type tree []entry

type entry struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (t tree) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, e := range t {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, encoded(e.name)...), ':'), encoded(e.value)...)
	}
	return append(text, '}'), nil
}

// encoded is a value's compact JSON, with signs as they are.
func encoded(value any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // a schema is made of texts, integers, lists and trees
	}
	return bytes.TrimSpace(text.Bytes())
}

func indented(value any) []byte {
	var text bytes.Buffer
	_ = json.Indent(&text, encoded(value), "", "  ") // cannot fail on what was just encoded
	text.WriteByte('\n')
	return text.Bytes()
}

// ascii escapes what is beyond ASCII: white space of many widths shows in patterns.
func ascii(text []byte) []byte {
	var escaped bytes.Buffer
	for _, r := range string(text) {
		if r < utf8.RuneSelf {
			escaped.WriteByte(byte(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	return escaped.Bytes()
}
