package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// citation finds what a comment quotes of the contract: a name, and perhaps the number of a rule.
var citation = regexp.MustCompile(`// (?:.*[^A-Za-z])?Spec: ([A-Z][A-Za-z ]*[A-Za-z](?: \((?:Carts|Addresses|Cart lines)\))?|[a-z]+\[\]|policy|money|totals|discounts|attributes)(?: ([0-9]))?[.,:;\n ]`)

// Every rule that a comment quotes can be found in docs/api/contract.md.
func TestQuotedRulesStandInTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/api/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	contract, quoted := string(text), 0
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
			if name, number := strings.TrimSuffix(found[1], " rule"), found[2]; !stands(contract, name, number) {
				t.Errorf("%s quotes %q, which docs/api/contract.md does not have", file, name+" "+number)
			}
		}
		return nil
	})
	if err != nil || quoted < 100 {
		t.Errorf("%d quotations, %v; want many", quoted, err)
	}
}

// stands reports whether the contract has a heading or a bold name, and below it a rule of this
// number.
func stands(contract, name, number string) bool {
	at := regexp.MustCompile(`(?m)^(#+ ` + regexp.QuoteMeta(name) + `|.*\*\*` + regexp.QuoteMeta(name) + `|\| ` + regexp.QuoteMeta(name) + ` )`).FindStringIndex(contract)
	if at == nil {
		return false
	}
	section, _, _ := strings.Cut(contract[at[1]:], "\n#")
	return number == "" || strings.Contains(section, "\n"+number+". ")
}
