package storefile

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

// The table of members in docs/store-document.md is written from the schema. `make openapi` renews it.
func TestTableOfMembersIsCurrent(t *testing.T) {
	const path, begin, end = "../../docs/store-document.md", "<!-- begin members: written by make openapi -->\n", "<!-- end members -->"
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	root, err := strictjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	table := "| part | required | may be absent, with the default | limits |\n| --- | --- | --- | --- |\n" + membersRow("document", root)
	definitions, _ := root.Get("$defs")
	for name, definition := range definitions.Members() {
		table += membersRow(strings.ReplaceAll(name, "_", " "), definition)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, marked := bytes.Cut(page, []byte(begin))
	got, tail, ended := bytes.Cut(rest, []byte(end))
	switch {
	case !marked || !ended:
		t.Fatalf("%s has no marks of the table", path)
	case *update:
		if err := os.WriteFile(path, bytes.Join([][]byte{head, []byte(begin + table + end), tail}, nil), 0o644); err != nil {
			t.Fatal(err)
		}
	case string(got) != table:
		t.Errorf("%s: the table of members is not that of the document's rows: make openapi", path)
	}
}

// membersRow is the row of a part of the document, empty if the part is no object with members.
func membersRow(part string, object strictjson.Value) string {
	properties, _ := object.Get("properties")
	required, _ := object.Get("required")
	var must, may, limits []string
	for name, schema := range properties.Members() {
		spelt := "`" + name + "`"
		if limit := limitOf(schema); limit != "" {
			limits = append(limits, spelt+" "+limit)
		}
		isRequired := false
		for _, one := range required.Items() {
			isRequired = isRequired || one.Is(name)
		}
		if isRequired {
			must = append(must, spelt)
			continue
		}
		if value, ok := schema.Get("default"); ok {
			spelt += " " + string(value)
		}
		may = append(may, spelt)
	}
	if len(must)+len(may) == 0 {
		return ""
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", part, strings.Join(must, ", "), strings.Join(may, ", "), strings.Join(limits, ", "))
}

// limitOf is what a member's own schema says about size; empty if it says nothing.
func limitOf(schema strictjson.Value) string {
	number := func(name string) string {
		value, _ := schema.Get(name)
		return grouped(string(value))
	}
	switch {
	case number("maximum") != "":
		return number("minimum") + " to " + number("maximum")
	case number("maxLength") != "":
		return "up to " + number("maxLength") + " characters"
	case number("minItems") != "" && number("maxItems") != "":
		return number("minItems") + " to " + number("maxItems") + " entries"
	case number("maxItems") != "":
		return "up to " + number("maxItems") + " entries"
	case number("minItems") != "":
		return "at least " + number("minItems") + " entry"
	}
	return ""
}

// grouped writes a number with a comma between thousands.
func grouped(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1000 {
		return number
	}
	return grouped(strconv.Itoa(n/1000)) + fmt.Sprintf(",%03d", n%1000)
}
