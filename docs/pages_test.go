package docs

import (
	"regexp"
	"strings"
	"testing"
)

// Each kind of block and each kind of text in a line.
func TestRender(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Carts: a `b` & c\n", "<h1 id=\"carts-a-b--c\">Carts: a <code>b</code> &amp; c</h1>\n"},
		{"one\ntwo **three** *four* `<x>`\n\nfive", "<p>one two <strong>three</strong> <em>four</em> <code>&lt;x&gt;</code></p>\n<p>five</p>\n"},
		{"```sh\na | b\n\n# **c**\n```\nd", "<pre tabindex=\"0\"><code>a | b\n\n# **c**</code></pre>\n<p>d</p>\n"},
		{"| a | b |\n| --- | --- |\n| `c` |  |\nd", "<div class=\"wide\" tabindex=\"0\"><table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td><code>c</code></td><td></td></tr>\n</table></div>\n<p>d</p>\n"},
		{"- a\n  b\n  - c\n- d\n\ne", "<ul>\n<li>a b\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n<p>e</p>\n"},
		{"1. a\n   b\n   - d\n     e\n2. c", "<ol>\n<li>a b\n<ul>\n<li>d e</li>\n</ul>\n</li>\n<li>c</li>\n</ol>\n"},
		{"[a `b`](lines.md#lines), [c](#d), [e](../demo.md), [f](../openapi.json), [g](https://example.org), h[0]",
			`<p><a href="lines.md#lines">a <code>b</code></a>, <a href="#d">c</a>, e, <a href="/openapi.json">f</a>, <a href="https://example.org">g</a>, h[0]</p>` + "\n"},
	} {
		var out strings.Builder
		if render(&out, c.text); out.String() != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, &out, c.want)
		}
	}
}

var (
	code    = regexp.MustCompile(`(?s)<pre.*?</pre>|<code>.*?</code>|<style>.*?</style>`)
	tag     = regexp.MustCompile(`<[^>]*>`)
	unknown = regexp.MustCompile("(?m)\\*|`|\\]\\(|^\\s*(#|\\||>|- |[0-9]+\\. )")
	goesTo  = regexp.MustCompile(`href="([^"]*)"`)
	named   = regexp.MustCompile(`id="([^"]*)"`)
)

// No page uses a form of Markdown that render does not know, and every link between pages has a
// target.
func TestPages(t *testing.T) {
	pages, err := Pages()
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	targets, shown := map[string]bool{"/docs": true, "/openapi.json": true, "data:,": true}, map[string]string{}
	for _, page := range pages {
		body, err := page.HTML()
		if err != nil {
			t.Fatal(err)
		}
		shown[page.Path] = string(body)
		targets[page.Path] = true
		for _, id := range named.FindAllStringSubmatch(string(body), -1) {
			at := page.Path + "#" + id[1]
			if targets[at] {
				t.Errorf("%s: two headings have this name", at)
			}
			targets[at] = true
		}
	}
	for path, body := range shown {
		text := strings.ReplaceAll(code.ReplaceAllString(body, "code"), "<td>", "cell ") // a cell may begin with anything
		text = tag.ReplaceAllString(text, "")
		if left := unknown.FindString(text); left != "" {
			at := strings.Index(text, left)
			t.Errorf("%s: %q is not rendered: %.80q", path, left, text[at:])
		}
		for _, link := range goesTo.FindAllStringSubmatch(body, -1) {
			target := link[1]
			switch {
			case strings.HasPrefix(target, "https://"):
				continue
			case strings.HasPrefix(target, "#"):
				target = path + target
			case !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "data:"):
				target = "/docs/api/" + target
			}
			if !targets[target] {
				t.Errorf("%s links to %s, which does not exist", path, target)
			}
		}
	}
}
