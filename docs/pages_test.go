package docs

import (
	"regexp"
	"strings"
	"testing"
)

// What is not goldmark's own: the names of headings, what scrolls, and where links lead.
func TestRender(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Carts: a `b` & c_d\n", "<h1 id=\"carts-a-b--c_d\">Carts: a <code>b</code> &amp; c_d</h1>\n"},
		{"```sh\n<a> | b\n\n# **c**\n```\n", "<pre tabindex=\"0\"><code>&lt;a&gt; | b\n\n# **c**\n</code></pre>\n"},
		{"| a |\n| --- |\n", "<div class=\"wide\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table></div>\n"},
		{"[a `b`](lines.md#lines), [c](#d), [e **f**](../demo.md), [f](../openapi.json), [g](https://example.org), h[0]",
			`<p><a href="lines.md#lines">a <code>b</code></a>, <a href="#d">c</a>, e <strong>f</strong>, <a href="/openapi.json">f</a>, <a href="https://example.org">g</a>, h[0]</p>` + "\n"},
	} {
		var out strings.Builder
		if err := render(&out, c.text); err != nil || out.String() != c.want {
			t.Errorf("%q: %v\n got %q\nwant %q", c.text, err, &out, c.want)
		}
	}
}

var (
	goesTo = regexp.MustCompile(`href="([^"]*)"`)
	named  = regexp.MustCompile(`id="([^"]*)"`)
)

// Every link between pages has a target, and no text looks like HTML, which is left out.
func TestPages(t *testing.T) {
	pages, err := Pages()
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	const omitted = "raw HTML omitted"
	targets, shown := map[string]bool{"/docs": true, "/openapi.json": true, "data:,": true}, map[string]string{}
	for _, page := range pages {
		body, err := page.HTML()
		if err != nil {
			t.Fatal(err)
		}
		shown[page.Path] = string(body)
		if comments := strings.Count(page.text, "<!--"); strings.Count(string(body), omitted) > comments {
			t.Errorf("%s has HTML outside code", page.Path)
		}
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
