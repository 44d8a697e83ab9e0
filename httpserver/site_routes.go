package httpserver

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/httpserver/site"
)

// The routes of what package site shows: the API's description with its page, the pages of the rules, and
// the files of web sites.

// handleDescription answers the API's description.
func handleDescription(s *Server, x *exchange) error { return s.answerOwn(x, s.description) }

func handleDocsPage(s *Server, x *exchange) error {
	x.setHeader(headerPolicy, site.DocsPolicy)
	return x.answerFile(&s.docsPage)
}

func handleDocsScript(_ *Server, x *exchange) error { return x.answerFile(&site.DocsScript) }

// pageRoutes returns a row for each page. The rows are no part of the API and of its description, and
// count in the metrics like unknown paths.
func pageRoutes(pages []site.Page) (rows []route) {
	for i := range pages {
		page := &pages[i]
		rows = append(rows, route{method: fasthttp.MethodGet, path: page.Path, status: fasthttp.StatusOK, tagged: true,
			handle: func(s *Server, x *exchange) error {
				if page.Policy != "" {
					x.setHeader(headerPolicy, page.Policy)
				}
				if page.Private {
					x.setHeader(headerReferrer, "no-referrer")
					x.setHeader(headerOpener, "same-origin")
				}
				if page.Own != nil {
					return s.answerOwn(x, page.Own)
				}
				return x.answerFile(&page.File)
			}})
	}
	return rows
}

// siteCallRoutes returns a row for each call of a site's pages, as pageRoutes does.
func siteCallRoutes(calls []site.Call) (rows []route) {
	for _, call := range calls {
		rows = append(rows, route{method: fasthttp.MethodPost, path: call.Path, status: fasthttp.StatusOK,
			handle: func(_ *Server, x *exchange) error {
				header := func(name string) string { return string(x.ctx.Request.Header.Peek(name)) }
				status, body := call.Answer(site.Request{Header: header, Body: x.in.Bytes})
				x.status, x.out = status, append(x.out, body...)
				return nil
			}})
	}
	return rows
}

var variesByCode = []byte(fasthttp.HeaderAcceptEncoding)

// answerFile answers a file in the smallest coding that the client accepts.
func (x *exchange) answerFile(f *site.File) error {
	content, coding, err := f.Choose(x.ctx.Request.Header.Peek(fasthttp.HeaderAcceptEncoding))
	if err != nil {
		return err
	}
	h := &x.ctx.Response.Header
	x.kept = content
	if coding != nil {
		h.SetCanonical(headerEncoding, coding)
	}
	h.SetContentType(f.Media)
	h.SetCanonical(headerCache, f.Cache)
	x.writeTag(append(x.tag[:0], '"'), x.kept)
	x.vary(variesByCode)
	return x.ifChanged()
}

// withoutDocs returns the table without the description and its pages.
func withoutDocs(table []route) []route {
	return slices.DeleteFunc(slices.Clone(table), func(r route) bool {
		return r.path == "/openapi.json" || strings.HasPrefix(r.path, "/docs")
	})
}

// answerOwn answers a file with the server's address as the client knows it. The first clients of an address
// have the file packed.
func (s *Server) answerOwn(x *exchange, f *site.OwnFile) error {
	if s.proxies().Trusts(x.ctx.RemoteAddr()) {
		x.vary(variesByProxy)
	}
	if err := x.beginMaking(); err != nil {
		return err
	}
	return x.answerFile(f.At(s.ownOrigin(x)))
}

var variesByProxy = []byte("X-Forwarded-Host, X-Forwarded-Proto")

// ownOrigin returns the address at which the client reached the server: a trusted proxy's
// X-Forwarded-Host (the first one, if several proxies wrote it) and X-Forwarded-Proto, else the Host
// header. Samples are pasted into shells, so a host that is none is replaced by the connection's own
// address.
func (s *Server) ownOrigin(x *exchange) string {
	host := string(x.ctx.Host())
	if s.proxies().Trusts(x.ctx.RemoteAddr()) {
		first, _, _ := strings.Cut(string(x.ctx.Request.Header.Peek(headerForwardedHost)), ",")
		if first = strings.TrimSpace(first); isHost(first) {
			host = first
		}
	}
	if !isHost(host) {
		host = x.ctx.LocalAddr().String()
	}
	return s.scheme(x.ctx) + "://" + host
}

// hostName is a name or an IPv4 address, with a port or without.
var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)

// isHost reports whether a text is a host with an optional port.
func isHost(text string) bool {
	if len(text) > 255 {
		return false
	}
	if strings.HasPrefix(text, "[") {
		address, port, found := strings.Cut(text, "]:")
		if !found {
			address = strings.TrimSuffix(text, "]")
		} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		ip, err := netip.ParseAddr(address[1:])
		return err == nil && ip.Is6() && ip.Zone() == "" && (found || address != text)
	}
	return hostName.MatchString(text)
}
