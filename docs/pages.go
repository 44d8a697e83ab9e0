// Package docs has the pages of docs/api, and makes HTML of them: a server shows them beside the API's
// description, whose operations link to their rules.
//
// It knows nothing of the server. Open first: pages.go, then markdown.go.
package docs

import (
	"embed"
	"fmt"
	"html"
	"path"
	"strings"
)

//go:embed api/*.md
var files embed.FS

// Page is a page of docs/api.
type Page struct {
	// Path is where a server shows the page, and where it is in the sources.
	Path string
	// title is the page's heading.
	title string
	text  string
}

// Pages returns all pages in the order of their paths.
func Pages() ([]Page, error) {
	entries, err := files.ReadDir("api")
	if err != nil {
		return nil, err
	}
	all := make([]Page, len(entries))
	for i, entry := range entries {
		text, err := files.ReadFile(path.Join("api", entry.Name()))
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		all[i] = Page{Path: path.Join("/docs/api", entry.Name()), title: title, text: string(text)}
	}
	return all, nil
}

// pageStyle has light and dark colours, and lets wide tables and code scroll on a phone.
const pageStyle = `
html { color-scheme: light dark; background: Canvas; color: CanvasText; --line: #8884; --code: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
nav { font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; border-bottom: 1px solid var(--line); padding-bottom: .8rem; }
nav a { padding: .2rem 0; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
:target { scroll-margin-top: 1rem; background: #fd06; }
.wide, pre { overflow-x: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
code { font: .9em ui-monospace, monospace; background: var(--code); padding: .1em .25em; } pre { background: var(--code); padding: .8rem; }
pre code { background: none; padding: 0; }
`

// HTML returns the page with links to all pages, and to the shop at / if there is one. It loads
// nothing.
func (p Page) HTML(shop bool) ([]byte, error) {
	pages, err := Pages()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>%s</style>\n<nav aria-label=\"Pages\">", html.EscapeString(p.title), pageStyle)
	if shop {
		out.WriteString(`<a href="/">The shop</a> `)
	}
	out.WriteString(`<a href="/docs">All operations</a>`)
	for _, page := range pages {
		short, _, _ := strings.Cut(page.title, ":")
		current := ""
		if page.Path == p.Path {
			current = ` aria-current="page"`
		}
		fmt.Fprintf(&out, ` <a href="%s"%s>%s</a>`, page.Path, current, html.EscapeString(short))
	}
	out.WriteString("</nav>\n<main>\n")
	if err := render(&out, p.text); err != nil {
		return nil, err
	}
	out.WriteString("</main>\n</html>\n")
	return []byte(out.String()), nil
}
