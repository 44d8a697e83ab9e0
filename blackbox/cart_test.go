package blackbox_test

import (
	"strings"
)

// wantLines compares the lines' names, quantities, unit prices and totals.
func (a answer) wantLines(status int, want ...string) cart {
	a.t.Helper()
	c := a.cart(status)
	if got := c.plain(); got != strings.Join(want, "; ") {
		a.t.Errorf("%v\n got lines: %s\nwant lines: %s", a, got, strings.Join(want, "; "))
	}
	return c
}
