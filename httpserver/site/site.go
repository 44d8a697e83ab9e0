package site

import (
	"strings"

	"github.com/valyala/fasthttp"
)

// Source is a file of a web site that the server has beside the API.
type Source struct {
	// Path is the path of its requests, such as "/shop.js".
	Path string
	// Media is the Content-Type.
	Media string
	// Packed is the content, compressed with gzip.
	Packed []byte
}

// Page is a file with the path of its requests, and what a browser may load from it.
type Page struct {
	Path, Policy string
	File         File
	// Own is there instead of File if the page names the server's address.
	Own *OwnFile
	// Private pages tell no other site their address, share no window with a page of another origin, and
	// are kept by no browser.
	Private bool
}

// Call is a POST of the site's pages, or of a sender of webhooks, to a program beside the API.
type Call struct {
	// Path is the path of its requests.
	Path string
	// Answer returns the status and the JSON of the answer.
	Answer func(Request) (status int, body []byte)
}

// Request is what a Call is asked. It is valid until the answer.
type Request struct {
	// Header returns a header of the request, "" if there is none.
	Header func(name string) string
	Body   []byte
}

// Policy lets the site's pages load scripts, styles and pictures from this server and call it.
// It forbids everything else: other origins, code and style inside a page, frames.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ownPictures is the part of Policy that names the sources of pictures.
const ownPictures = "img-src 'self'"

// PageMedia is the Content-Type of a page.
const PageMedia = "text/html; charset=utf-8"

// Files returns the files of a site. pictures are the origins of pictures beside this server.
func Files(sources []Source, pictures []string) (all []Page) {
	policy := strings.Replace(Policy, ownPictures, strings.Join(append([]string{ownPictures}, pictures...), " "), 1)
	for _, s := range sources {
		file := MakeFile(s.Media, func() ([]byte, error) { return fasthttp.AppendGunzipBytes(nil, s.Packed) })
		if s.Media == PageMedia {
			file.Cache = eachTime
		}
		all = append(all, Page{Path: s.Path, Policy: policy, File: file})
	}
	return all
}

// Desk returns the files of the merchant's desk. Its pages see the store's customers: they show pictures of
// this server only.
func Desk(sources []Source) (all []Page) {
	for _, page := range Files(sources, nil) {
		page.Private, page.File.Cache = true, never
		all = append(all, page)
	}
	return all
}
