package httpserver

import (
	_ "embed"
	"slices"
	"strings"
)

// The API's description and its page. The page is Redoc (docs/LICENSE.redoc), embedded, and
// requests nothing from other servers.

//go:embed docs/page.html
var docsPage []byte

// docsScript is compressed with gzip, which every browser accepts.
//
//go:embed docs/redoc.js.gz
var docsScript []byte

// docsPolicy lets the page load its own script and the description, and nothing from another
// origin.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handleDescription answers the API's description.
func handleDescription(s *Server, x *exchange) (err error) {
	x.kept, err = s.description()
	return err
}

func handleDocsPage(_ *Server, x *exchange) error {
	x.setHeader(headerPolicy, docsPolicy)
	return x.answerFile(docsPage)
}

func handleDocsScript(_ *Server, x *exchange) error {
	x.setHeader(headerEncoding, "gzip")
	return x.answerFile(docsScript)
}

func (x *exchange) answerFile(content []byte) error {
	x.ctx.Response.Header.SetContentType(x.route.api.media + "; charset=utf-8")
	x.kept = content
	return nil
}

// withoutDocs returns the table without the rows of this file.
func withoutDocs(table []route) []route {
	return slices.DeleteFunc(slices.Clone(table), func(r route) bool {
		return r.path == "/openapi.json" || strings.HasPrefix(r.path, "/docs")
	})
}
