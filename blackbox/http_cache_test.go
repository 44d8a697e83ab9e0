package blackbox_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// browserCache keeps answers by their paths as RFC 9111 has it. As in browsers, what Vary names does not matter
// for If-None-Match.
type browserCache map[string]answer

// get returns what a page sees of an answer: the fresh one, or the stored one with the fields of a 304.
func (c browserCache) get(visitor client, path string) answer {
	stored, there := c[path]
	if there {
		visitor = visitor.withHeader("If-None-Match", stored.header.Get("Etag"))
	}
	fresh := visitor.get(path)
	if there && fresh.status == http.StatusNotModified { // RFC 9111, 4.3.4
		stored.header = stored.header.Clone()
		maps.Copy(stored.header, fresh.header)
		c[path] = stored
		return stored
	}
	fresh.wantStatus(http.StatusOK)
	if strings.Contains(fresh.header.Get("Cache-Control"), "no-store") { // 3: what is stored stays
		return fresh
	}
	if delete(c, path); fresh.header.Get("Etag") != "" {
		c[path] = fresh
	}
	return fresh
}

// ofEachAnswer are headers that differ from answer to answer.
var ofEachAnswer = []string{"X-Request-Id", "X-Ratelimit-Remaining", "Date", "Content-Length"}

// otherHeader says which header differs from that of the answer without a cache, or nothing.
func (a answer) otherHeader(want answer, visitor client) string {
	both := a.header.Clone()
	maps.Copy(both, want.header)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		got, right := a.header.Values(name), want.header.Values(name)
		switch {
		case slices.Contains(ofEachAnswer, name):
		case strings.HasPrefix(name, "Access-Control-") && visitor.extra.Get("Origin") == "": // no page of another origin reads it
		case !slices.Equal(got, right):
			return fmt.Sprintf("%s is %q, want %q", name, got, right)
		}
	}
	return ""
}
