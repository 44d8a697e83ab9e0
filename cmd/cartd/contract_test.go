package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// citation matches a quotation of the contract in a comment: a name, and perhaps the number of a
// rule.
var citation = regexp.MustCompile(`// (?:.*[^A-Za-z])?Spec: ([A-Z][A-Za-z ]*[A-Za-z](?: \((?:Carts|Addresses|Cart lines)\))?|[a-z]+\[\]|policy|money|totals|discounts|attributes)(?: ([0-9]))?[.,:;\n ]`)

// Every rule that a comment quotes is in docs/api.
func TestQuotedRulesStandInTheContract(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/api/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("docs/api: %v, %v", pages, err)
	}
	contract := ""
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		contract += "\n" + string(text)
	}
	quoted, known := 0, map[string]bool{}
	err = filepath.WalkDir("../..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, found := range citation.FindAllStringSubmatch(string(text), -1) {
			quoted++
			name, number := strings.TrimSuffix(found[1], " rule"), found[2]
			if known[name+" "+number] {
				continue
			}
			if known[name+" "+number] = stands(contract, name, number); !known[name+" "+number] {
				t.Errorf("%s quotes %q, which no page of docs/api has", file, name+" "+number)
			}
		}
		return nil
	})
	if err != nil || quoted < 100 {
		t.Errorf("%d quotations, %v; want many", quoted, err)
	}
}

// stands reports whether the contract has a heading or a bold name, and below it a rule with this
// number.
func stands(contract, name, number string) bool {
	name = regexp.QuoteMeta(name)
	for _, at := range regexp.MustCompile(`(?m)^(#+ `+name+`|.*\*\*`+name+`|\| `+name+` )`).FindAllStringIndex(contract, -1) {
		section, _, _ := strings.Cut(contract[at[1]:], "\n#")
		if number == "" || strings.Contains(section, "\n"+number+". ") {
			return true
		}
	}
	return false
}
