package httpserver

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"cartd/httpserver/site"
)

// Samples and links call the address at which the client reached the server. Headers of proxies count
// from trusted ones only, and no text that is no host gets into a command.
func TestDescriptionNamesTheServersOwnAddress(t *testing.T) {
	direct := start(t)
	peer := netip.MustParsePrefix("0.0.0.0/32") // of the harness
	behind := start(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{peer} })
	for _, c := range []struct {
		h      *harness
		host   string
		header []string
		want   string
	}{
		{direct, "127.0.0.1:8081", []string{}, "http://127.0.0.1:8081"},
		{direct, "shop.example", []string{}, "http://shop.example"},
		{direct, "[::1]:8080", []string{}, "http://[::1]:8080"},
		{direct, "shop.example", []string{"X-Forwarded-Host: other.example", "X-Forwarded-Proto: https"}, "http://shop.example"},
		{behind, "10.0.0.7:8080", []string{"X-Forwarded-Host: shop.example", "X-Forwarded-Proto: https"}, "https://shop.example"},
		{behind, "shop.example", []string{"X-Forwarded-Proto: https"}, "https://shop.example"},
		{behind, "10.0.0.7", []string{"X-Forwarded-Host: shop.example:8443, inner.example"}, "http://shop.example:8443"},
		{behind, "shop.example", []string{"X-Forwarded-Host: $(rm -rf)"}, "http://shop.example"},
		{behind, "shop.example", []string{"X-Forwarded-Host: a'b"}, "http://shop.example"},
	} {
		for _, path := range []string{"/openapi.json", "/docs/api/lines.md"} {
			got := c.h.do(call{method: "GET", path: path, host: c.host, anonymous: true, header: c.header})
			if got.status != 200 || !strings.Contains(got.body, c.want+"/v1/api") || strings.Contains(got.body, site.SampleOrigin) {
				t.Errorf("%s, Host %s, %v: got %d, without %s/v1/api, or with %s", path, c.host, c.header, got.status, c.want, site.SampleOrigin)
			}
			if trusted := strings.Contains(strings.Join(got.header.Values("Vary"), ", "), "X-Forwarded-Host"); trusted != (c.h == behind) {
				t.Errorf("%s with %v: Vary is %q", path, c.header, got.header.Values("Vary"))
			}
		}
	}
}

// The addresses that clients send cost a bounded amount of memory: later ones get the sample's address.
func TestOwnAddressesAreBounded(t *testing.T) {
	h := start(t)
	ask := func(host, want string) {
		t.Helper()
		for _, path := range []string{"/openapi.json", "/docs/api/lines.md"} {
			got := h.do(call{method: "GET", path: path, anonymous: true, host: host})
			if got.status != 200 || !strings.Contains(got.body, want+"/v1/api") || want == site.SampleOrigin && strings.Contains(got.body, host) {
				t.Errorf("%s, Host %s: got %d, without %s", path, host, got.status, want)
			}
			packed := h.do(call{method: "GET", path: path, anonymous: true, host: host, header: []string{"Accept-Encoding: gzip"}})
			if packed.header.Get("Content-Encoding") != "gzip" {
				t.Errorf("%s, Host %s: is not packed", path, host)
			}
		}
	}
	for i := range site.MaxOrigins {
		host := fmt.Sprintf("host-%d.example", i)
		ask(host, "http://"+host)
	}
	ask("host-100.example", site.SampleOrigin)
	ask("host-101.example", site.SampleOrigin)
	ask("host-0.example", "http://host-0.example")
}

func TestHosts(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "shop.example": true, "Shop-1.example:8080": true, "127.0.0.1": true, "[::1]": true, "[2001:db8::1]:443": true, "my_host": true,
		"": false, "a b": false, "a;b": false, "a'": false, "a:": false, "a:b": false, "a:123456": false, "-a": false, "a/": false, "a@b": false, "[::1": false,
		"[a]": false, "[1.2.3.4]": false, "[::1]:": false, "[::1]:x": false, "[::1]:99999": false, "[fe80::1%eth0]": false, strings.Repeat("a", 256): false,
	} {
		if got := isHost(text); got != want {
			t.Errorf("%q is a host: %v, want %v", text, got, want)
		}
	}
}

// Only a server with the demo's shop links to it, and can try requests with its keys.
func TestOnlyTheDemosPagesKnowTheShop(t *testing.T) {
	with, without := start(t, sampleSite), start(t)
	for _, path := range []string{"/docs", "/docs/api/carts.md"} {
		ask := call{method: "GET", path: path, anonymous: true}
		if body := with.do(ask).body; !strings.Contains(body, `href="/"`) {
			t.Errorf("%s does not link to the shop:\n%s", path, body)
		}
		if body := without.do(ask).body; strings.Contains(body, `href="/"`) || strings.Contains(body, "try.js") || strings.Contains(body, "data-demo") {
			t.Errorf("%s knows a shop:\n%s", path, body)
		}
	}
	ask := call{method: "GET", path: "/docs/try.js", anonymous: true}
	if got := with.do(ask); got.status != 200 || got.header.Get("Content-Type") != site.ScriptMedia {
		t.Errorf("the demo's script: got %d, %s", got.status, got.header.Get("Content-Type"))
	}
	without.expect(ask, 404, message("The route docs/try.js could not be found."))
}
