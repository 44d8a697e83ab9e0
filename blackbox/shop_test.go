package blackbox_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"
)

const shopPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// maxShop is the maximum size of the first page with its files, compressed.
const maxShop = 100_000

var shopMedia = map[string]string{
	"": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// The demo has a shop at /. The page and each file that it names, and each picture of the
// catalogue, are small files of this server under a policy that forbids all others.
func TestTheShopOfTheDemo(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
	page, size := n.shopFile(t, "/")
	named := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(named) < 3 {
		t.Errorf("the page names %d files, want its script, style and icon:\n%s", len(named), page)
	}
	for _, file := range named {
		if file[1] == "/docs" { // a link
			continue
		}
		_, more := n.shopFile(t, file[1])
		size += more
	}
	if size > maxShop {
		t.Errorf("the page and its files have %d bytes compressed, want at most %d", size, maxShop)
	}
	if strings.Contains(page, "://") {
		t.Errorf("the page names another server:\n%s", page)
	}
	for _, c := range []struct{ path, want string }{
		{"/products", "404 application/json"},
		{"/index.html", "404 application/json"},
		{"/shop", "404 application/json"},
		{"/v1/api/shop", "404 application/json"},
		{"/docs", "200 text/html; charset=utf-8"},
	} {
		if got := n.plainGet(t, c.path); got != c.want {
			t.Errorf("%s: got %s, want %s", c.path, got, c.want)
		}
	}
}

// Only --demo serves the shop.
func TestNoShopWithoutDemo(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", stores: []string{"../cmd/cartd/demo/store.json"}})
	for _, file := range []string{"/", "/shop.js", "/style.css", "/icon.svg"} {
		if got := n.plainGet(t, file); got != "404 application/json" {
			t.Errorf("%s: got %s, want 404", file, got)
		}
	}
}

// plainGet returns the status and type of an answer.
func (n *node) plainGet(t *testing.T, path string) string {
	t.Helper()
	answer, err := http.Get(n.base + path)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.Status[:4] + answer.Header.Get("Content-Type")
}

// shopFile reads a file of the shop, compressed, checks its headers, and returns its content and its
// size as it was sent.
func (n *node) shopFile(t *testing.T, name string) (content string, size int) {
	t.Helper()
	ask, err := http.NewRequest("GET", n.base+name, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	packed, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	h := answer.Header
	media, known := shopMedia[path.Ext(ask.URL.Path)]
	if answer.StatusCode != 200 || !known || h.Get("Content-Type") != media || h.Get("Content-Encoding") != "gzip" ||
		h.Get("Content-Security-Policy") != shopPolicy || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Etag") == "" {
		t.Errorf("%s: got %s %v, want %s", name, answer.Status, h, media)
		return "", 0
	}
	unpacked, err := gzip.NewReader(strings.NewReader(string(packed)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(text), len(packed)
}
