package httpserver

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/docs"
)

// The API's description and its page, and the pages of docs/api with the rules. The description's page
// is Redoc (docs/LICENSE.redoc), embedded. No page requests anything from other servers.

//go:embed docs/page.html
var docsPage []byte

// docsScript is compressed with gzip, to be small in the program.
//
//go:embed docs/redoc.js.gz
var docsScript []byte

// docsPolicy lets the page load its own script and the description, and nothing from another
// origin.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handleDescription answers the API's description.
func handleDescription(s *Server, x *exchange) error { return x.answerStatic(&s.description) }

var (
	docsPageFile   = newStatic(pageMedia, func() ([]byte, error) { return docsPage, nil })
	docsScriptFile = newStatic("text/javascript; charset=utf-8", func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, docsScript) })
)

func handleDocsPage(_ *Server, x *exchange) error {
	x.setHeader(headerPolicy, docsPolicy)
	return x.answerStatic(&docsPageFile)
}

func handleDocsScript(_ *Server, x *exchange) error { return x.answerStatic(&docsScriptFile) }

// rulesPath is the folder of the pages with the rules.
const rulesPath = "/docs/api/"

// rulesRoutes returns a row for each page with rules. Like files of a site they are no part of the API.
func rulesRoutes() (rows []route) {
	pages, err := docs.Pages()
	if err != nil { // they are inside the program
		panic(err)
	}
	for _, page := range pages {
		kept := newStatic(pageMedia, page.HTML)
		rows = append(rows, route{method: fasthttp.MethodGet, path: page.Path, status: fasthttp.StatusOK, tagged: true,
			handle: func(_ *Server, x *exchange) error {
				x.setHeader(headerPolicy, docsPolicy)
				return x.answerStatic(&kept)
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
