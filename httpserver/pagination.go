package httpserver

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// A list endpoint calls page, writes {"data":[…] with the rows on that page, and calls appendPages
// for the rest of the envelope. Spec: Pagination envelope.

// listOf returns the shape of a page of rows.
func listOf(name string, row *openapi.Schema) *openapi.Schema {
	return openapi.Object(name).
		Has("data", openapi.List(row), "").
		Has("links", pageLinksShape, "").
		Has("meta", pageMetaShape, "")
}

// The shapes of links and meta. Spec: Pagination envelope.
var (
	pageLinksShape = openapi.Object("PageLinks").
			Has("first", openapi.Text, "A URL, like the others.").Has("last", openapi.Text, "").
			Has("prev", openapi.Text.OrNull(), "").Has("next", openapi.Text.OrNull(), "")
	pageMetaShape = openapi.Object("PageMeta").
			Has("current_page", openapi.Integer, "").
			Has("from", openapi.Integer.OrNull(), "The page's first row, counted from 1; null on an empty page.").
			Has("last_page", openapi.Integer, "").
			Has("links", openapi.List(openapi.Object("PageLink").
				Has("url", openapi.Text.OrNull(), "").Has("label", openapi.Text, "").Has("active", openapi.Boolean, "")), "").
			Has("path", openapi.Text, "").
			Has("per_page", openapi.Integer, "The page size in force.").
			Has("to", openapi.Integer.OrNull(), "").
			Has("total", openapi.Integer, "")
)

// perPage is the default and the maximum number of rows on a page.
type perPage struct{ standard, max int }

// The page sizes of the lists.
var (
	catalogueRows      = perPage{standard: 25, max: 100}
	sitemapRows        = perPage{standard: 100, max: 1000}
	cartRows           = perPage{standard: 25, max: 25}
	orderRows          = perPage{standard: 25, max: 100}
	quoteRows          = perPage{standard: 25, max: 100}
	shippingMethodRows = perPage{standard: 100, max: 100}
	// The stock list shows as many rows as one request may ask for.
	stockRows = perPage{standard: commerce.MaxStockIDs, max: commerce.MaxStockIDs}
)

// page is one page of a list, as the request selects it.
type page struct {
	number, size, total int
}

// maxPage is the maximum page number. Not every client reads a greater integer exactly.
const maxPage = 1<<53 - 1

// page reads page and per_page for a list of total rows. A page that is not an integer of at least
// 1 counts as 1. A per_page that is not an integer counts as the default, and one out of range is
// clamped.
func (x *exchange) page(size perPage, total int) page {
	p := page{number: 1, size: size.standard, total: total}
	if n, ok := wholeNumber(lastArg(x, "page")); ok && n >= 1 {
		p.number = min(n, maxPage)
	}
	if n, ok := wholeNumber(lastArg(x, "per_page")); ok {
		p.size = max(1, min(n, size.max))
	}
	return p
}

// lastArg returns a query parameter. If it is sent more than once, the last value counts.
func lastArg(x *exchange, name string) string {
	all := x.ctx.QueryArgs().PeekMulti(name)
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1])
}

// wholeNumber reads digits, with an optional minus. A number beyond the range of int is clamped.
func wholeNumber(text string) (int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, _ := strconv.Atoi(text) // clamped if out of range
	return n, true
}

// last returns the number of the last page. An empty list has one page.
func (p page) last() int { return max(1, (p.total+p.size-1)/p.size) }

// bounds returns the page's rows as from ≤ row < to, counted from 0.
func (p page) bounds() (from, to int) {
	if p.number > p.last() {
		return p.total, p.total
	}
	from = (p.number - 1) * p.size
	return from, min(from+p.size, p.total)
}

// shown returns the page numbers for the links. A 0 stands for the dots in place of left-out pages.
func (p page) shown() []int {
	last := p.last()
	switch {
	case last <= 13:
		return span(nil, 1, last)
	case p.number <= 7:
		return span(append(span(nil, 1, 10), 0), last-1, last)
	case p.number > last-7:
		return span([]int{1, 2, 0}, last-9, last)
	}
	return span(append(span([]int{1, 2, 0}, p.number-3, p.number+3), 0), last-1, last)
}

func span(numbers []int, from, to int) []int {
	for n := from; n <= to; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// appendPages writes links and meta, and ends the envelope.
func (x *exchange) appendPages(dst []byte, s *Server, p page) []byte {
	path := s.scheme(x.ctx) + "://" + x.hostAndPath()
	link := pageLink(path, x.ctx.URI().QueryString(), "page")
	from, to := p.bounds()
	dst = link.append(append(dst, `,"links":{"first":`...), 1)
	dst = link.append(append(dst, `,"last":`...), p.last())
	dst = link.appendIf(append(dst, `,"prev":`...), p.number-1, p.number > 1)
	dst = link.appendIf(append(dst, `,"next":`...), p.number+1, p.number < p.last())
	dst = appendInt(append(dst, `},"meta":{"current_page":`...), p.number)
	dst = appendIntIf(append(dst, `,"from":`...), from+1, from < to)
	dst = appendInt(append(dst, `,"last_page":`...), p.last())
	dst = link.appendAll(append(dst, `,"links":[`...), p)
	dst = appendString(append(dst, `],"path":`...), path)
	dst = appendInt(append(dst, `,"per_page":`...), p.size)
	dst = appendIntIf(append(dst, `,"to":`...), to, from < to)
	dst = appendInt(append(dst, `,"total":`...), p.total)
	return append(dst, "}}"...)
}

// linkPrefix is a list's URL up to the page number.
type linkPrefix string

// pageLink begins a link with the parameter name, without those of others. It keeps the further
// parameters of the query as they were sent.
func pageLink(path string, query []byte, name string, others ...string) linkPrefix {
	var b strings.Builder
	b.WriteString(path + "?")
	for _, pair := range bytes.Split(query, []byte{'&'}) {
		sent, _, _ := strings.Cut(string(pair), "=")
		if plain, err := url.QueryUnescape(sent); err == nil {
			sent = plain
		}
		if len(pair) > 0 && sent != name && !slices.Contains(others, sent) {
			b.Write(append(pair, '&'))
		}
	}
	return linkPrefix(b.String() + name + "=")
}

func (l linkPrefix) append(dst []byte, number int) []byte {
	return appendString(dst, string(l)+strconv.Itoa(number))
}

func (l linkPrefix) appendIf(dst []byte, number int, there bool) []byte {
	if !there {
		return append(dst, "null"...)
	}
	return l.append(dst, number)
}

// appendAll writes meta.links: the previous page, the numbered pages, the next page.
func (l linkPrefix) appendAll(dst []byte, p page) []byte {
	dst = l.appendOne(dst, p.number-1, p.number > 1, "&laquo; Previous", false)
	for _, n := range p.shown() {
		label := "..."
		if n > 0 {
			label = strconv.Itoa(n)
		}
		dst = l.appendOne(append(dst, ','), n, n > 0, label, n == p.number)
	}
	return l.appendOne(append(dst, ','), p.number+1, p.number < p.last(), "Next &raquo;", false)
}

func (l linkPrefix) appendOne(dst []byte, number int, there bool, label string, active bool) []byte {
	dst = l.appendIf(append(dst, `{"url":`...), number, there)
	dst = appendString(append(dst, `,"label":`...), label)
	dst = strconv.AppendBool(append(dst, `,"active":`...), active)
	return append(dst, '}')
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

func appendIntIf(dst []byte, n int, there bool) []byte {
	if !there {
		return append(dst, "null"...)
	}
	return appendInt(dst, n)
}

// hostAndPath returns the host that the client named and the path of the request, without a slash
// at the end.
func (x *exchange) hostAndPath() string {
	host := string(x.ctx.Host())
	if host == "" { // HTTP/1.0
		host = x.ctx.LocalAddr().String()
	}
	return host + strings.TrimSuffix(string(sentPath(x.ctx)), "/")
}

// scheme returns the scheme of the client's request: https if a trusted proxy says so.
func (s *Server) scheme(ctx *fasthttp.RequestCtx) string {
	forwarded := ctx.Request.Header.Peek(headerForwardedProto)
	if s.proxies.Trusts(ctx.RemoteAddr()) && strings.EqualFold(string(bytes.TrimSpace(forwarded)), "https") {
		return "https"
	}
	return "http"
}
