package blackbox_test

import (
	"strings"
)

// tag is the answer's ETag, with its version and the hash of its body.
func (a answer) tag() (tag, version, body string) {
	a.t.Helper()
	tag = a.header.Get("ETag")
	version, body, ok := strings.Cut(strings.Trim(tag, `"`), ".")
	if !ok || len(tag) != 35 || len(version) != 16 {
		a.t.Fatalf("%v\nETag %q, want \"<version>.<body hash>\"", a, tag)
	}
	return tag, version, body
}

func (c client) ifMatch(tag string) client { return c.withHeader("If-Match", tag) }

func (c client) ifNoneMatch(tag string) client { return c.withHeader("If-None-Match", tag) }
