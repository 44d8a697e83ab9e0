package httpserver

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

var tagShape = regexp.MustCompile(`^"[0-9a-f]{16}\.[0-9a-f]{16}"$`)

// stamped makes the engine answer with the cart at a stamp.
func (h *harness) stamped(counter uint64) *harness {
	h.engine.reply.Stamp = engine.Stamp{Counter: counter, Writer: 8, Sequence: 9}
	return h
}

// tagOf returns the ETag of a read without conditions.
func (h *harness) tagOf(lines ...string) string {
	h.t.Helper()
	got := h.do(call{method: "GET", path: cartURL}.with(lines...))
	if tag := got.header.Get("ETag"); got.status == 200 && tagShape.MatchString(tag) {
		return tag
	}
	h.t.Fatalf("got %d, ETag %q; want 200 and a tag", got.status, got.header.Get("ETag"))
	return ""
}

// parts returns the two parts of a tag.
func parts(tag string) (version, body string) {
	version, body, _ = strings.Cut(strings.Trim(tag, `"`), ".")
	return version, body
}

func TestEveryCartAnswerCarriesItsETag(t *testing.T) {
	h := start(t).stamped(7)
	for _, c := range append(slices.Clone(writes), call{method: "GET", path: cartURL}, call{method: "HEAD", path: cartURL}) {
		got := h.do(c)
		if tag := got.header.Get("ETag"); tag != h.tagOf() {
			t.Errorf("%s %s: ETag %q, want %q", c.method, c.path, tag, h.tagOf())
		}
		if vary := got.header.Values("Vary"); !slices.Equal(vary, []string{"Authorization, X-Customer-Token"}) {
			t.Errorf("%s %s: Vary %q", c.method, c.path, vary)
		}
	}
	for _, path := range []string{"/v1/ping", "/v1/api/me", "/v1/api/foo"} {
		if tag := h.do(call{method: "GET", path: path}).header.Get("ETag"); tag != "" {
			t.Errorf("%s: ETag %q", path, tag)
		}
	}
}

func TestVaryNamesTheOriginToo(t *testing.T) {
	h := start(t, allowShop).stamped(7)
	for _, condition := range []string{"X-Other: 1", "If-None-Match: *"} {
		got := h.do(call{method: "GET", path: cartURL}.with("Origin: "+shop, condition))
		if vary := strings.Join(got.header.Values("Vary"), ", "); vary != "Origin, Authorization, X-Customer-Token" {
			t.Errorf("%s: Vary %q", condition, vary)
		}
	}
}

// The version is the record's, the hash the representation's.
func TestAnETagHasVersionAndBodyHash(t *testing.T) {
	h := start(t).stamped(7)
	first := h.tagOf()
	version, body := parts(first)
	if h.tagOf() != first {
		t.Error("the same answer has another tag")
	}
	if v, b := parts(h.stamped(8).tagOf()); v == version || b != body {
		t.Errorf("another stamp: %s.%s beside %s; want another version only", v, b, first)
	}
	h.stamped(7).engine.reply.CommitIndex = 1
	if v, b := parts(h.tagOf()); v == version || b != body {
		t.Errorf("an earlier position: %s.%s beside %s; want another version only", v, b, first)
	}
	h.engine.reply.CommitIndex = 0
	h.engine.admission.Store.Policy.MaxLines++ // like an import
	if v, b := parts(h.tagOf()); v != version || b == body {
		t.Errorf("another policy: %s.%s beside %s; want another body only", v, b, first)
	}
}

func TestIfNoneMatch(t *testing.T) {
	h := start(t).stamped(7)
	tag := h.tagOf()
	version, body := parts(tag)
	for _, c := range []struct {
		rule      string
		lines     []string
		unchanged bool
	}{
		{"the tag", []string{"If-None-Match: " + tag}, true},
		{"the tag, weak", []string{"If-None-Match: W/" + tag}, true},
		{"the tag, packed", []string{"If-None-Match: " + strings.TrimSuffix(tag, `"`) + `-br"`}, true},
		{"the tag, packed and weak", []string{"If-None-Match: W/" + strings.TrimSuffix(tag, `"`) + `-gzip"`}, true},
		{"the asterisk", []string{"If-None-Match: *"}, true},
		{"in a list", []string{`If-None-Match: "a", W/` + tag + `,"b"`}, true},
		{"in a list without spaces", []string{`If-None-Match: "a",` + tag}, true},
		{"in a second line", []string{`If-None-Match: "a"`, "If-None-Match: " + tag}, true},
		{"another body of the same version", []string{`If-None-Match: "` + version + `.0000000000000000"`}, false},
		{"the same body of another version", []string{`If-None-Match: "0000000000000000.` + body + `"`}, false},
		{"in capitals", []string{"If-None-Match: " + strings.ToUpper(tag) + "X"}, false},
		{"a foreign tag", []string{`If-None-Match: "abc"`}, false},
		{"nothing", []string{"If-None-Match:"}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h.t = t
			for _, method := range []string{"GET", "HEAD"} {
				h.wantConditional(call{method: method, path: cartURL}.with(c.lines...), c.unchanged, tag)
			}
		})
	}
	h.t = t
}

// wantConditional wants a 304 without a body if the client has the answer already.
func (h *harness) wantConditional(c call, unchanged bool, tag string) {
	h.t.Helper()
	got, status := h.do(c), 200
	if unchanged {
		status = 304
	}
	if got.status != status || (got.body != "") != (!unchanged && c.method == "GET") {
		h.t.Errorf("%s %q: got %d, %d bytes; want %d", c.method, c.header, got.status, len(got.body), status)
	}
	if got.header.Get("ETag") != tag || got.header.Get("Vary") == "" || got.header.Get("Cache-Control") != "no-cache, private" {
		h.t.Errorf("%s %q: headers %v; want those of a 200", c.method, c.header, got.header)
	}
	if got.header.Get("X-RateLimit-Remaining") != "119" {
		h.t.Errorf("%s %q: no budget on %d", c.method, c.header, got.status)
	}
}

// Neither a write nor a refusal is answered 304.
func TestIfNoneMatchIsForReads(t *testing.T) {
	h := start(t).stamped(7)
	for _, c := range writes {
		if got := h.do(c.with("If-None-Match: *")); got.status/100 != 2 || got.body == "" {
			t.Errorf("%s %s: got %d", c.method, c.path, got.status)
		}
	}
	h.engine.reply, h.engine.err = engine.Reply{}, commerce.CartOwned
	h.expect(call{method: "GET", path: cartURL}.with("If-None-Match: *"), 403, message("This cart belongs to a customer."))
}

func TestIfMatch(t *testing.T) {
	h := start(t).stamped(7)
	tag := h.tagOf()
	version, _ := parts(tag)
	mine := h.engine.reply.Stamp.Version(0)
	for _, c := range []struct {
		rule  string
		lines []string
		want  *engine.Match
	}{
		{"not sent", nil, nil},
		{"nothing", []string{"If-Match:"}, nil},
		{"the tag", []string{"If-Match: " + tag}, &engine.Match{Versions: []engine.Version{mine}}},
		{"another body of the version", []string{`If-Match: "` + version + `.0000000000000000"`}, &engine.Match{Versions: []engine.Version{mine}}},
		{"the asterisk", []string{"If-Match: *"}, &engine.Match{Any: true}},
		{"a list", []string{`If-Match: "x" , ` + tag + `,"0000000000000001.0000000000000000"`}, &engine.Match{Versions: []engine.Version{mine, 1}}},
		{"two lines", []string{`If-Match: "x"`, "If-Match: " + tag}, &engine.Match{Versions: []engine.Version{mine}}},
		{"weak", []string{"If-Match: W/" + tag}, &engine.Match{Versions: []engine.Version{mine}}},
		{"weak, in a list", []string{`If-Match: "x",W/` + tag}, &engine.Match{Versions: []engine.Version{mine}}},
		{"packed by Apache", []string{"If-Match: " + strings.TrimSuffix(tag, `"`) + `-gzip"`}, &engine.Match{Versions: []engine.Version{mine}}},
		{"packed by Caddy", []string{"If-Match: " + strings.TrimSuffix(tag, `"`) + `-zstd"`}, &engine.Match{Versions: []engine.Version{mine}}},
		{"with another end", []string{"If-Match: " + strings.TrimSuffix(tag, `"`) + `-b"`}, &engine.Match{}},
		{"foreign and packed", []string{`If-Match: "-gzip"`}, &engine.Match{}},
		{"weak in lower case", []string{"If-Match: w/" + tag}, &engine.Match{}},
		{"weak twice", []string{"If-Match: W/W/" + tag}, &engine.Match{}},
		{"weak and foreign", []string{`If-Match: W/"abc"`}, &engine.Match{}},
		{"foreign", []string{`If-Match: "abc"`}, &engine.Match{}},
		{"foreign, of our length", []string{`If-Match: "0123456789abcdef.0123456789abcdeg"`}, &engine.Match{}},
		{"foreign, with capitals", []string{`If-Match: "0123456789ABCDEF.0123456789abcdef"`}, &engine.Match{}},
		{"without its end", []string{"If-Match: " + tag[:len(tag)-1] + "0"}, &engine.Match{}},
		{"without quotes", []string{"If-Match: " + strings.Trim(tag, `"`)}, &engine.Match{}},
		{"an asterisk in a list", []string{`If-Match: "a", *`}, &engine.Match{}},
		{"an asterisk inside a tag", []string{`If-Match: "a,*,b"`}, &engine.Match{}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h.t = t
			for _, write := range writes[1:] {
				h.do(write.with(c.lines...))
				got := h.lastRequest().Match
				if (got == nil) != (c.want == nil) || got != nil && (got.Any != c.want.Any || !slices.Equal(got.Versions, c.want.Versions)) {
					t.Errorf("%s: got %+v, want %+v", write.path, got, c.want)
				}
			}
		})
	}
	h.t = t
}

// The refusal shows the ETag for the next try.
func TestA412CarriesTheCurrentETag(t *testing.T) {
	h := start(t).stamped(7)
	tag := h.tagOf()
	h.engine.err = commerce.CartChanged
	for _, c := range writes[1:] {
		got := h.expect(c.with(`If-Match: "x"`), 412, `{"message":"The cart has changed.","code":"version_mismatch"}`)
		if got.header.Get("ETag") != tag || got.header.Get("Vary") == "" {
			t.Errorf("%s %s: ETag %q, want %q", c.method, c.path, got.header.Get("ETag"), tag)
		}
	}
	for _, err := range []error{commerce.CartOwned, commerce.IdempotencyKeyReused, engine.ErrUnavailable} {
		h.engine.err = err
		if tag := h.do(writes[1]).header.Get("ETag"); tag != "" {
			t.Errorf("%v: ETag %q", err, tag)
		}
	}
}

// A header may have any value. A version that is read from it is part of the header.
func FuzzIfMatch(f *testing.F) {
	for _, seed := range []string{"*", "", `"0123456789abcdef.0123456789abcdef"`, `W/"a", "b"`, ",,,", `"a,*`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		for tag := range tags([]byte(header)) {
			unpacked(tag) // changes nothing in the header
			version, ok := versionOf(tag)
			if ok && !(tagShape.Match(tag) && strings.HasPrefix(string(tag), `"`+string(appendHex(nil, uint64(version))))) {
				t.Fatalf("%q is read as version %x", tag, version)
			}
			if !strings.Contains(header, string(tag)) {
				t.Fatalf("%q is no part of %q", tag, header)
			}
		}
	})
}
