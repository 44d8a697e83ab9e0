package configurator_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the worked examples with the engine's results")

// shop reads the store of the worked examples.
func shop(t testing.TB) *commerce.Store {
	t.Helper()
	text, err := os.ReadFile("testdata/store.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Store
}

// testdata/worked.txt has one configuration and its result for each example. The figures were
// calculated by hand; -rewrite replaces them with the engine's results.
func TestWorkedExamples(t *testing.T) {
	const file = "testdata/worked.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	store := shop(t)
	var out strings.Builder
	for i, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		given, want, _ := strings.Cut(block+"\n", "----\n")
		lines := strings.Split(strings.TrimSpace(given), "\n")
		selected := selection(t, lines[len(lines)-1])
		got := outcome(store, selected)
		if !*rewrite && got != want {
			t.Errorf("%s\n got:\n%swant:\n%s", given, got, want)
		}
		if i > 0 {
			out.WriteString("\n")
		}
		out.WriteString(given + "----\n" + got)
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// selection reads "width=1200 linen": dimensions with a JSON value, and choices.
func selection(t testing.TB, line string) *commerce.Selection {
	t.Helper()
	var s commerce.Selection
	for _, word := range strings.Fields(line) {
		key, value, dimension := strings.Cut(word, "=")
		if !dimension {
			s.Choices = append(s.Choices, word)
			continue
		}
		m := commerce.Measure{Key: key}
		if json.Valid([]byte(value)) {
			m.Value, m.Whole = commerce.ParseWhole(value)
		}
		s.Dimensions = append(s.Dimensions, m)
	}
	return &s
}

func outcome(store *commerce.Store, s *commerce.Selection) string {
	var out strings.Builder
	made, faults := store.Products[0].Configurator.Engine.Price(s)
	for _, f := range faults {
		fmt.Fprintf(&out, "%s: %s\n", f.Field, strings.Join(f.Texts(), " | "))
	}
	if faults != nil {
		return out.String()
	}
	c := made.Snapshot
	fmt.Fprintf(&out, "%d of", made.UnitPrice)
	for _, d := range c.Dimensions {
		fmt.Fprintf(&out, " %s %d", d.Key, d.Value)
	}
	fmt.Fprintf(&out, ", %s, matrix %s %q, hash %x\n", strings.Join(c.Choices, " "), c.MatrixID, c.MatrixName, c.Hash[:6])
	for _, part := range c.Breakdown {
		fmt.Fprintf(&out, "%8d %s\n", part.Amount, part.Label)
	}
	for _, use := range c.Components {
		p := store.Product(use.ProductID)
		fmt.Fprintf(&out, "%12s %s %s\n", use.Quantity, p.Unit, p.Name)
	}
	return out.String()
}
