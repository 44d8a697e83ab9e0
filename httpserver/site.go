package httpserver

import (
	"github.com/valyala/fasthttp"
)

// SiteFile is a file of a web site that the server has beside the API.
type SiteFile struct {
	// Path is the path of its requests, such as "/shop.js".
	Path string
	// Media is the Content-Type.
	Media string
	// Packed is the content, compressed with gzip.
	Packed []byte
}

// sitePolicy lets the site's pages load scripts, styles and pictures from this server and call it.
// It forbids everything else: other origins, code and style inside a page, frames.
const sitePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pageMedia is the Content-Type of a page. A browser asks for a page each time whether it has
// changed, so that it never shows an old page with new files.
const pageMedia = "text/html; charset=utf-8"

// siteRoutes returns a row for each file. The rows are no part of the API and of its description,
// and count in the metrics like unknown paths.
func siteRoutes(files []SiteFile) []route {
	var rows []route
	for _, file := range files {
		kept := newStatic(file.Media, func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, file.Packed) })
		page := file.Media == pageMedia
		if page {
			kept.cache = noCache
		}
		rows = append(rows, route{method: fasthttp.MethodGet, path: file.Path, status: fasthttp.StatusOK, tagged: true,
			handle: func(_ *Server, x *exchange) error {
				x.setHeader(headerPolicy, sitePolicy)
				return x.answerStatic(&kept)
			}})
	}
	return rows
}
