package httpserver

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"
)

// The API's description and its page. The page is Redoc (docs/LICENSE.redoc), embedded, and
// requests nothing from other servers.

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

// withoutDocs returns the table without the rows of this file.
func withoutDocs(table []route) []route {
	return slices.DeleteFunc(slices.Clone(table), func(r route) bool {
		return r.path == "/openapi.json" || strings.HasPrefix(r.path, "/docs")
	})
}
