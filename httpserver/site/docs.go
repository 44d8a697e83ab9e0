package site

import (
	_ "embed"
	"regexp"

	"github.com/valyala/fasthttp"

	"cartd/docs"
)

// The page of the API's description is Redoc (docs/LICENSE.redoc), embedded. No page requests anything
// from other servers.

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

// DocsPolicy lets a page of the documentation load its own script and the description, and nothing from
// another origin.
const DocsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// DocsScript is the script of the description's page.
var DocsScript = MakeFile(ScriptMedia, func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, docsScript) })

// ScriptMedia is the Content-Type of a script.
const ScriptMedia = "text/javascript; charset=utf-8"

// demoOnly are the lines of the page that only a server with a shop has: a link to the shop, and the
// script that tries requests with the demo's keys.
var demoOnly = regexp.MustCompile(`(?m)^.*data-demo.*\n`)

// DocsPage returns the page of the description.
func DocsPage(shop bool) File {
	return MakeFile(PageMedia, func() ([]byte, error) {
		if shop {
			return docsPage, nil
		}
		return demoOnly.ReplaceAll(docsPage, nil), nil
	})
}

// RulesPath is the folder of the pages with the rules.
const RulesPath = "/docs/api/"

// Docs returns the pages of docs/api with the rules, and the scripts of the description's page. With a
// shop there is a link to it, and a script that tries requests.
func Docs(shop bool) (all []Page) {
	script := func(path string, content []byte) {
		all = append(all, Page{Path: path, File: MakeFile(ScriptMedia, func() ([]byte, error) { return content, nil })})
	}
	script("/docs/page.js", docsPageScript)
	if shop {
		script("/docs/try.js", docsTryScript)
	}
	pages, err := docs.Pages()
	if err != nil { // they are inside the program
		panic(err)
	}
	for _, page := range pages {
		all = append(all, Page{Path: page.Path, Policy: DocsPolicy, Own: NewOwnFile(PageMedia, func() ([]byte, error) { return page.HTML(shop) })})
	}
	return all
}
