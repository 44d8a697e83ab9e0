package httpserver

import (
	"strings"

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

// SiteCall is a POST of the site's pages, or of a sender of webhooks, to a program beside the API.
type SiteCall struct {
	// Path is the path of its requests.
	Path string
	// Answer returns the status and the JSON of the answer.
	Answer func(SiteRequest) (status int, body []byte)
}

// SiteRequest is what a SiteCall is asked. It is valid until the answer.
type SiteRequest struct {
	// Header returns a header of the request, "" if there is none.
	Header func(name string) string
	Body   []byte
}

// sitePolicy lets the site's pages load scripts, styles and pictures from this server and call it.
// It forbids everything else: other origins, code and style inside a page, frames.
const sitePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ownPictures is the part of sitePolicy that names the sources of pictures.
const ownPictures = "img-src 'self'"

// pageMedia is the Content-Type of a page. A browser asks for a page each time whether it has
// changed, so that it never shows an old page with new files.
const pageMedia = "text/html; charset=utf-8"

// siteRoutes returns a row for each file and each call. The rows are no part of the API and of its
// description, and count in the metrics like unknown paths. The policy names the sources of pictures.
func siteRoutes(files []SiteFile, calls []SiteCall, pictures []string) []route {
	policy := strings.Replace(sitePolicy, ownPictures, strings.Join(append([]string{ownPictures}, pictures...), " "), 1)
	var rows []route
	for _, file := range files {
		kept := newStatic(file.Media, func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, file.Packed) })
		page := file.Media == pageMedia
		if page {
			kept.cache = noCache
		}
		rows = append(rows, route{method: fasthttp.MethodGet, path: file.Path, status: fasthttp.StatusOK, tagged: true,
			handle: func(_ *Server, x *exchange) error {
				x.setHeader(headerPolicy, policy)
				return x.answerStatic(&kept)
			}})
	}
	for _, call := range calls {
		rows = append(rows, route{method: fasthttp.MethodPost, path: call.Path, status: fasthttp.StatusOK,
			handle: func(_ *Server, x *exchange) error {
				header := func(name string) string { return string(x.ctx.Request.Header.Peek(name)) }
				status, body := call.Answer(SiteRequest{Header: header, Body: x.in.Bytes})
				x.status, x.out = status, append(x.out, body...)
				return nil
			}})
	}
	return rows
}
