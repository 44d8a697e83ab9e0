package cluster

import "testing"

func TestAPatchNeedsItsTextExactlyOnce(t *testing.T) {
	p := Patch{File: "a.go", Old: "x == y", New: "true"}
	for _, c := range []struct{ text, want string }{
		{"if x == y {", "if true {"},
		{"if x != y {", ""},
		{"if x == y && x == y {", ""},
	} {
		got, err := p.apply(c.text)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("apply(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
}
