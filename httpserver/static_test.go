package httpserver

import (
	"testing"

	"github.com/valyala/fasthttp"
)

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
			if string(body) != plain.body || got.header.Get("Content-Encoding") != c.coding || got.header.Get("Cache-Control") != "public, max-age=3600" || got.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s, %q: %d bytes, %v; want %d bytes in %q", path, c.accepts, len(body), got.header, len(plain.body), c.coding)
			}
			if again := h.do(call{method: "GET", path: path, anonymous: true, header: []string{"Accept-Encoding: " + c.accepts, "If-None-Match: " + tag}}); again.status != 304 || again.body != "" {
				t.Errorf("%s, %q: got %d for its own tag %s", path, c.accepts, again.status, tag)
			}
			tags[tag] = true
		}
		if len(tags) != 3 {
			t.Errorf("%s has the tags %v, want one for each coding", path, tags)
		}
	}
}
