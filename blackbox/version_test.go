package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const cartChanged = `{"message":"The cart has changed.","code":"version_mismatch"}`

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

// A write under a wrong condition changes nothing and shows the present state.
func TestAWriteUnderAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Mini(t), keyShop)
	for _, c := range repeatable {
		path, method, at := nodes[0].hammers(c.call)
		old, _, _ := nodes[0].get(path).tag()
		nodes[1].add(path, paper, "1")
		before := nodes[0].get(path)
		now, _, _ := before.tag()
		for _, tags := range []string{old, `"x"`, "W/" + old, old + `, "x"`} {
			for _, node := range nodes {
				node.ifMatch(tags).request(method, at, c.body).want(412, cartChanged).wantHeader("ETag", now)
			}
		}
		nodes[1].get(path).want(200, string(before.body)).wantHeader("ETag", now)
		nodes[1].ifMatch(old+", W/"+now).request(method, at, c.body).wantStatus(c.status)
		nodes[0].ifMatch("*").patch(path, `{}`).wantStatus(200)
	}
	nodes[0].ifMatch("*").patch("commerce/carts/"+unknownID, `{}`).wantStatus(404)
}
