package main

import (
	"strings"
	"testing"
)

// docs/operations.md#what-is-shown: the shopper's texts of a line, and texts with commas and quotation marks among others, look like
// no other member.
func TestTextsInRowsAreQuoted(t *testing.T) {
	var out strings.Builder
	record := `{"data":{"note":"a, b","lines":[{"name":"Mug, large","sku":"M-1","properties":{"engraving":"x, quantity 9","_a":"plain\ntext"}}],
		"codes":["A","B, C \"D\""]}}`
	if err := printRows(&out, []byte(record)); err != nil {
		t.Fatal(err)
	}
	want := `note     a, b
lines.1  name "Mug, large", sku M-1, properties engraving "x, quantity 9", _a "plain\ntext"
codes.1  A
codes.2  B, C "D"
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
