package blackbox_test

import (
	"net/http"
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

func (c client) ifMatch(tag string) client     { return c.withHeader("If-Match", tag) }
func (c client) ifNoneMatch(tag string) client { return c.withHeader("If-None-Match", tag) }

// Every node gives one answer the same tag. A write's tag is the tag of the next read.
func TestEveryAnswerOfACartHasItsVersion(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Mini(t), keyShop)
	created := nodes[0].post("commerce/carts", "")
	path := "commerce/carts/" + created.cart(201).ID
	last, _, _ := created.tag()
	seen := map[string]bool{}
	for i := range 6 {
		node := nodes[i%2]
		for _, reader := range nodes {
			reader.get(path).wantHeader("ETag", last).wantHeader("Vary", "Authorization, X-Customer-Token")
			reader.request("HEAD", path, "").wantHeader("ETag", last)
			unchanged := reader.ifNoneMatch(`"x", W/`+last).get(path).wantStatus(http.StatusNotModified).wantHeader("ETag", last)
			if len(unchanged.body) != 0 {
				t.Errorf("%v\nwant: no body", unchanged)
			}
			reader.ifNoneMatch(last).request("HEAD", path, "").wantStatus(http.StatusNotModified)
		}
		if seen[last] {
			t.Errorf("the tag %s is not new", last)
		}
		seen[last] = true
		next, _, _ := node.post(path+"/lines", addBody(hammer, "1")).wantStatus(201).tag()
		nodes[0].ifNoneMatch(last).get(path).wantStatus(200).wantHeader("ETag", next)
		last = next
	}
}

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
