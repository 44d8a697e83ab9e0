package httpserver

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"cartd/commerce"
)

const shop = "https://shop.example"

func allowShop(c *Config) { c.CORSOrigins = []string{shop, "https://other.example"} }

func TestCORSIsSilentUnlessConfigured(t *testing.T) {
	h := start(t)
	got := h.do(call{method: "GET", path: "/v1/ping", header: []string{"Origin: " + shop}})
	for _, name := range []string{"Vary", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"} {
		if value := got.header.Get(name); value != "" {
			t.Errorf("%s: got %q, want none", name, value)
		}
	}
}

func TestCORSOrigins(t *testing.T) {
	h := start(t, allowShop)
	for _, row := range []struct {
		path, origin string
		vary, allow  string
	}{
		{"/v1/ping", shop, "Origin", shop},
		{"/v1/api/me", shop, "Origin", shop},
		{"/v1/api/unknown", shop, "Origin", shop},
		{"/v1/ping", "https://evil.example", "Origin", ""},
		{"/v1/ping", "https://shop.example.evil.example", "Origin", ""},
		{"/v1/ping", "null", "Origin", ""},
		{"/v1/ping", "", "Origin", ""},
		{"/healthz", shop, "", ""},
	} {
		c := call{method: "GET", path: row.path}
		if row.origin != "" {
			c.header = []string{"Origin: " + row.origin}
		}
		got := h.do(c)
		exposed := ""
		if row.allow != "" {
			exposed = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Idempotent-Replayed, X-Ignored-Fields, X-Ignored-Parameters, " +
				"X-Order-Token, X-Customer-Token-Status, Server-Timing, X-Request-Id"
		}
		for name, want := range map[string]string{
			"Vary": row.vary, "Access-Control-Allow-Origin": row.allow, "Access-Control-Expose-Headers": exposed,
			"Access-Control-Allow-Methods": "",
		} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s from %q: %s is %q, want %q", row.path, row.origin, name, value, want)
			}
		}
	}
}

// docs/api/keys.md lists the headers that pages can read, all of them.
func TestReadableHeadersAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/api/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "\n- Pages can read these headers of answers: ")
	list, _, _ = strings.Cut(list, ".\n")
	var named []string
	for _, found := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
		named = append(named, found[1])
	}
	if got := strings.Join(named, ", "); got != exposedHeaders {
		t.Errorf("docs/api/keys.md lists\n%s; want\n%s", got, exposedHeaders)
	}
}

// docs/api/limits.md has the limits of a cart's metadata.
func TestMetadataLimitsAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/api/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(string(text), "\n| Metadata of a cart | ")
	row, _, _ = strings.Cut(row, " |\n")
	for _, want := range []string{fmt.Sprintf("%d keys", commerce.MaxMetadataKeys), fmt.Sprintf("%d KiB", commerce.MaxMetadataBytes>>10)} {
		if !strings.Contains(row, want) {
			t.Errorf("docs/api/limits.md says %q of metadata; want %q in it", row, want)
		}
	}
}

func TestPreflight(t *testing.T) {
	h := start(t, allowShop)
	path := cartsPath + "/" + testCart
	ask := []string{"Origin: " + shop, "Access-Control-Request-Method: PATCH", "Access-Control-Request-Headers: authorization"}
	got := h.expect(call{method: "OPTIONS", path: path, anonymous: true, header: ask}, 200, "")
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":  shop,
		"Access-Control-Allow-Methods": "GET, HEAD, PATCH",
		"Access-Control-Allow-Headers": "Authorization, Content-Type, X-Customer-Token, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID",
		"Access-Control-Max-Age":       "7200",
		"Allow":                        "GET, HEAD, PATCH",
	} {
		if value := got.header.Get(name); value != want {
			t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	for _, other := range [][]string{nil, ask[:1], ask[1:2], {"Origin: https://evil.example", ask[1]}} {
		got := h.expect(call{method: "OPTIONS", path: path, anonymous: true, header: other}, 200, "")
		if value := got.header.Get("Access-Control-Allow-Methods"); value != "" {
			t.Errorf("%q: Access-Control-Allow-Methods is %q", other, value)
		}
	}
}
