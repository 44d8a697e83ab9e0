package blackbox_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	flagInHelp = regexp.MustCompile(`(?m)^  --(\S+).*\n.*?(?:\(default "?([^")]*)"?\))?$`)
	flagInDocs = regexp.MustCompile("(?m)^\\| `--(\\S+)` \\| (.*?) \\|")
)

// docs/operations.md lists exactly the flags of cartd serve, with their defaults.
func TestTheDocsListEveryFlag(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "## Flags of `cartd serve`")
	table, _, _ := strings.Cut(rest, "\n## ")
	docs := map[string]string{}
	for _, row := range flagInDocs.FindAllStringSubmatch(table, -1) {
		docs[row[1]] = row[2]
	}
	help := flagInHelp.FindAllStringSubmatch(runs(t, "serve", "--help").stdout, -1)
	if len(help) == 0 {
		t.Fatal("cartd serve --help lists no flag")
	}
	for _, flag := range help {
		name, standard := flag[1], flag[2]
		documented, listed := docs[name]
		if !listed {
			t.Errorf("docs/operations.md does not list --%s", name)
		} else if standard != "" && !sameDefault(documented, standard) {
			t.Errorf("docs/operations.md has %s as the default of --%s, which is %s", documented, name, standard)
		}
		delete(docs, name)
	}
	for name := range docs {
		t.Errorf("docs/operations.md lists --%s, which there is not", name)
	}
}

// sameDefault compares two texts. Durations are compared by value: 15m is 15m0s.
func sameDefault(documented, standard string) bool {
	a, err := time.ParseDuration(documented)
	b, err2 := time.ParseDuration(standard)
	return documented == standard || err == nil && err2 == nil && a == b
}
