package catalogue

import (
	"strings"
	"testing"
)

// Letters without a decomposition are sorted like their plain letter.
func TestNamesAreSortedByTheirPlainLetters(t *testing.T) {
	c := shelved("Zebra", "Łódź map", "Lamp", "Øl", "Oak", "Œuvre", "Ðak", "Cup", "Ærø", "Apple")
	var names []string
	for _, at := range c.ByName(SortName) {
		names = append(names, c.products[at].Name)
	}
	if got, want := strings.Join(names, ", "), "Ærø, Apple, Cup, Ðak, Lamp, Łódź map, Oak, Œuvre, Øl, Zebra"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
