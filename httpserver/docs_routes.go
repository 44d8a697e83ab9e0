package httpserver

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/docs"
)

// The API's description and its page, and the pages of docs/api with the rules. The description's page
// is Redoc (docs/LICENSE.redoc), embedded. No page requests anything from other servers.

//go:embed docs/page.html
var docsPage []byte

//go:embed docs/page.js
var docsPageScript []byte

//go:embed docs/try.js
var docsTryScript []byte

// docsScript is compressed with gzip, to be small in the program.
//
//go:embed docs/redoc.js.gz
var docsScript []byte

// docsPolicy lets the page load its own script and the description, and nothing from another
// origin.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handleDescription answers the API's description.
func handleDescription(s *Server, x *exchange) error { return s.answerOwn(x, s.description) }

var (
	docsScriptFile = newStatic(scriptMedia, func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, docsScript) })
)

const scriptMedia = "text/javascript; charset=utf-8"

// demoOnly are the lines of the page that only a server with a shop has: a link to the shop, and the
// script that tries requests with the demo's keys.
var demoOnly = regexp.MustCompile(`(?m)^.*data-demo.*\n`)

// newDocsPage returns the page of the description.
func newDocsPage(shop bool) staticFile {
	return newStatic(pageMedia, func() ([]byte, error) {
		if shop {
			return docsPage, nil
		}
		return demoOnly.ReplaceAll(docsPage, nil), nil
	})
}

func handleDocsPage(s *Server, x *exchange) error {
	x.setHeader(headerPolicy, docsPolicy)
	return x.answerStatic(&s.docsPage)
}

func handleDocsScript(_ *Server, x *exchange) error { return x.answerStatic(&docsScriptFile) }

// rulesPath is the folder of the pages with the rules.
const rulesPath = "/docs/api/"

// docsRoutes returns a row for each page with rules and for the scripts of the description's page. Like
// files of a site they are no part of the API. With a shop there is a link to it, and a script that tries requests.
func docsRoutes(shop bool) (rows []route) {
	scripts := map[string][]byte{"/docs/page.js": docsPageScript}
	if shop {
		scripts["/docs/try.js"] = docsTryScript
	}
	for path, script := range scripts {
		kept := newStatic(scriptMedia, func() ([]byte, error) { return script, nil })
		rows = append(rows, route{method: fasthttp.MethodGet, path: path, status: fasthttp.StatusOK, tagged: true,
			handle: func(_ *Server, x *exchange) error { return x.answerStatic(&kept) }})
	}
	pages, err := docs.Pages()
	if err != nil { // they are inside the program
		panic(err)
	}
	for _, page := range pages {
		kept := newOwnFile(pageMedia, func() ([]byte, error) { return page.HTML(shop) })
		rows = append(rows, route{method: fasthttp.MethodGet, path: page.Path, status: fasthttp.StatusOK, tagged: true,
			handle: func(s *Server, x *exchange) error {
				x.setHeader(headerPolicy, docsPolicy)
				return s.answerOwn(x, kept)
			}})
	}
	return rows
}

// withoutDocs returns the table without the rows of this file.
func withoutDocs(table []route) []route {
	return slices.DeleteFunc(slices.Clone(table), func(r route) bool {
		return r.path == "/openapi.json" || strings.HasPrefix(r.path, "/docs")
	})
}
