package httpserver

import (
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

// With Gzip an answer above 1 KiB is packed for a client that accepts it, under the same ETag. Smaller ones,
// and those to other clients, are not.
func TestAnswersArePacked(t *testing.T) {
	off, on := start(t), start(t, func(c *Config) { c.Gzip = true })
	packed, small := 0, 0
	for i := range routes {
		r := &routes[i]
		if r.method != "GET" || r.guards == nil || r.api.media == eventStream {
			continue
		}
		for accepted, accepts := range map[string]bool{"gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "br": false} {
			off.reset()
			on.reset()
			asked := sample(r)
			asked.header = append(asked.header, "Accept-Encoding: "+accepted)
			plain, got := off.do(asked), on.do(asked)
			if plain.header.Get("Content-Encoding") != "" || strings.Contains(strings.Join(plain.header["Vary"], ","), "Accept-Encoding") {
				t.Errorf("%s is packed without --gzip", asked.path)
			}
			want := accepts && len(plain.body) > packedAbove
			coding, body := got.header.Get("Content-Encoding"), got.body
			if coding == "gzip" {
				text, err := fasthttp.AppendGunzipBytes(nil, []byte(body))
				if body = string(text); err != nil {
					t.Fatal(err)
				}
				packed++
			} else if accepts {
				small++
			}
			if (coding == "gzip") != want || body != plain.body || got.header.Get("ETag") != plain.header.Get("ETag") ||
				!strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") {
				t.Errorf("%s accepts %q: %q, ETag %q, Vary %q, %d bytes; want packed %v, ETag %q, %d bytes", asked.path, accepted, coding,
					got.header.Get("ETag"), got.header["Vary"], len(body), want, plain.header.Get("ETag"), len(plain.body))
			}
		}
	}
	if packed == 0 || small == 0 {
		t.Errorf("%d answers are packed, %d are too small", packed, small)
	}
}
