package site

import (
	_ "embed"

	"github.com/valyala/fasthttp"

	"cartd/docs"
)

// The page of the API's description is Redoc (docs/LICENSE.redoc), embedded. No page requests anything
// from other servers.

//go:embed docs/page.html
var docsPage []byte

// docsScript is compressed with gzip, to be small in the program.
//
//go:embed docs/redoc.js.gz
var docsScript []byte

// DocsPolicy lets a page of the documentation load its own script and the description, and nothing from
// another origin.
const DocsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// DocsPage is the page of the API's description, DocsScript its script.
var (
	DocsPage   = MakeFile(PageMedia, func() ([]byte, error) { return docsPage, nil })
	DocsScript = MakeFile("text/javascript; charset=utf-8", func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, docsScript) })
)

// RulesPath is the folder of the pages with the rules.
const RulesPath = "/docs/api/"

// Rules returns the pages of docs/api.
func Rules() (all []Page) {
	pages, err := docs.Pages()
	if err != nil { // they are inside the program
		panic(err)
	}
	for _, page := range pages {
		all = append(all, Page{page.Path, DocsPolicy, MakeFile(PageMedia, page.HTML)})
	}
	return all
}
