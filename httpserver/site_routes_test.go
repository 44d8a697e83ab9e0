package httpserver

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/httpserver/site"
)

// sampleSite is a site of a page and a script.
func sampleSite(c *Config) {
	c.Site = []site.Source{
		{Path: "/", Media: site.PageMedia, Packed: fasthttp.AppendGzipBytes(nil, []byte("<p>page</p>"))},
		{Path: "/shop.js", Media: "text/javascript; charset=utf-8", Packed: fasthttp.AppendGzipBytes(nil, []byte("script()"))},
	}
}

// A file of the site is unpacked where gzip is not accepted. A page is asked for each time, its
// files are kept for an hour. All of them have the policy.
func TestFilesOfTheSite(t *testing.T) {
	h := start(t, sampleSite)
	for _, want := range []struct{ path, media, cache, body string }{
		{"/", "text/html; charset=utf-8", "no-cache, private", "<p>page</p>"},
		{"/shop.js", "text/javascript; charset=utf-8", "public, max-age=3600", "script()"},
		{"/shop.js?v=2", "text/javascript; charset=utf-8", "public, max-age=3600", "script()"},
	} {
		got := h.do(call{method: "GET", path: want.path, anonymous: true})
		if got.status != 200 || got.body != want.body || got.header.Get("Content-Type") != want.media || got.header.Get("Cache-Control") != want.cache {
			t.Errorf("%s: got %d %v %q, want %+v", want.path, got.status, got.header, got.body, want)
		}
		if policy := got.header.Get("Content-Security-Policy"); policy != site.Policy {
			t.Errorf("%s: got the policy %q", want.path, policy)
		}
		packed := h.do(call{method: "GET", path: want.path, anonymous: true, header: []string{"Accept-Encoding: gzip"}})
		if body, err := fasthttp.AppendGunzipBytes(nil, []byte(packed.body)); err != nil || string(body) != want.body {
			t.Errorf("%s, packed: got %q, %v", want.path, body, err)
		}
		if again := h.do(call{method: "GET", path: want.path, anonymous: true, header: []string{"If-None-Match: " + got.header.Get("ETag")}}); again.status != 304 {
			t.Errorf("%s: got %d for its own tag, want 304", want.path, again.status)
		}
	}
}

// No cache and no other site gets anything of the desk, and its pages load nothing from elsewhere, whatever
// pictures the site shows.
func TestFilesOfTheDesk(t *testing.T) {
	h := start(t, sampleSite, func(c *Config) {
		c.SitePictures = []string{"https://pictures.example"}
		c.Desk = []site.Source{{Path: "/desk", Media: site.PageMedia, Packed: fasthttp.AppendGzipBytes(nil, []byte("<p>desk</p>"))}}
	})
	for _, path := range []string{"/desk", "/desk/"} {
		got := h.do(call{method: "GET", path: path, anonymous: true})
		if got.status != 200 || got.body != "<p>desk</p>" {
			t.Errorf("%s: got %d %q", path, got.status, got.body)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Content-Security-Policy": site.Policy, "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s: got %s %q, want %q", path, name, value, want)
			}
		}
	}
	if got := start(t, sampleSite).do(call{method: "GET", path: "/desk", anonymous: true}); got.status != 404 {
		t.Errorf("without the desk: got %d, want 404", got.status)
	}
}

// The site takes no other path: they stay JSON, and so does every path of a server without a site.
func TestPathsBesideTheSiteAreJSON(t *testing.T) {
	with, without := start(t, sampleSite), start(t)
	for _, c := range []struct {
		h      *harness
		path   string
		method string
		status int
		body   string
	}{
		{with, "/shop.css", "GET", 404, `{"message":"The route shop.css could not be found."}`},
		{with, "/products", "GET", 404, `{"message":"The route products could not be found."}`},
		{with, "/", "POST", 405, `{"message":"The POST method is not supported for route /. Supported methods: GET, HEAD."}`},
		{without, "/", "GET", 404, `{"message":"The route / could not be found."}`},
		{without, "/shop.js", "GET", 404, `{"message":"The route shop.js could not be found."}`},
	} {
		got := c.h.do(call{method: c.method, path: c.path, anonymous: true})
		if got.status != c.status || got.body != c.body || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: got %d %s, want %d %s", c.method, c.path, got.status, got.body, c.status, c.body)
		}
	}
}

// The site is no part of the API's description.
func TestTheSiteIsNotDescribed(t *testing.T) {
	h, plain := start(t, sampleSite), start(t)
	ask := call{method: "GET", path: "/openapi.json", anonymous: true}
	if got := h.do(ask); got.status != 200 || got.body != plain.do(ask).body || strings.Contains(got.body, "shop.js") {
		t.Errorf("got %d and another description with a site", got.status)
	}
}

// With OpenTiming every caller sees Server-Timing, if it asks. Other headers of proxies still need
// a trusted one.
func TestOpenTiming(t *testing.T) {
	h := start(t, func(c *Config) { c.OpenTiming = true })
	read := call{method: "GET", path: cartsPath + "/" + testCart}
	if got := h.do(read).header.Get("Server-Timing"); got != "" {
		t.Errorf("got Server-Timing %q, want none: nobody asked", got)
	}
	read.header = fromProxy
	got := h.do(read).header
	if !strings.Contains(got.Get("Server-Timing"), "total;dur=") || got.Get("X-Request-Id") == "front-17" {
		t.Errorf("got Server-Timing %q, X-Request-Id %q; want the times and an id of our own", got.Get("Server-Timing"), got.Get("X-Request-Id"))
	}
	if login := h.do(call{method: "POST", path: contactsPath + "/login", body: `{}`, header: fromProxy}).header.Get("Server-Timing"); login != "" {
		t.Errorf("login: got Server-Timing %q, want none: it must not show whether an address is known", login)
	}
}

// Each of the static files is the same in every coding, may be kept, and is not sent twice.
func TestStaticFilesArePacked(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/openapi.json", "/docs", "/docs/redoc.js"} {
		plain := h.do(call{method: "GET", path: path, anonymous: true})
		tags := map[string]bool{}
		for _, c := range []struct {
			accepts, coding string
			unpack          func(dst, src []byte) ([]byte, error)
		}{
			{"", "", nil},
			{"identity", "", nil},
			{"gzip;q=0, br;q=0.0", "", nil},
			{"gzip", "gzip", fasthttp.AppendGunzipBytes},
			{"deflate, GZIP;q=0.5", "gzip", fasthttp.AppendGunzipBytes},
			{"gzip, deflate, br", "br", fasthttp.AppendUnbrotliBytes},
		} {
			got := h.do(call{method: "GET", path: path, anonymous: true, header: []string{"Accept-Encoding: " + c.accepts}})
			body := []byte(got.body)
			if c.unpack != nil {
				var err error
				if body, err = c.unpack(nil, body); err != nil {
					t.Fatalf("%s, %s: %v", path, c.accepts, err)
				}
			}
			tag := got.header.Get("ETag")
			if string(body) != plain.body || got.header.Get("Content-Encoding") != c.coding || got.header.Get("Cache-Control") != "public, max-age=3600" ||
				got.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s, %q: %d bytes, %v; want %d bytes in %q", path, c.accepts, len(body), got.header, len(plain.body), c.coding)
			}
			if again := h.do(call{method: "GET", path: path, anonymous: true,
				header: []string{"Accept-Encoding: " + c.accepts, "If-None-Match: " + tag}}); again.status != 304 || again.body != "" {
				t.Errorf("%s, %q: got %d for its own tag %s", path, c.accepts, again.status, tag)
			}
			tags[tag] = true
		}
		if len(tags) != 3 {
			t.Errorf("%s has the tags %v, want one for each coding", path, tags)
		}
	}
}

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
