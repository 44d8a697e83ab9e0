package httpserver

import (
	"bytes"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// A list endpoint calls page, and writePage with the rows on that page. Spec: Pagination envelope.

// writePage writes a page of a list. Errors: noRoomForAnswer.
func writePage[R any](x *exchange, list answers.Kind[answers.PageView[R]], p page, rows iter.Seq[R]) error {
	from, to := p.bounds()
	if err := x.makesList(to - from + x.linkRows()); err != nil {
		return err
	}
	return appendPage(x, list, x.pages(p), rows)
}

// appendPage is writePage for a page whose turn has come.
func appendPage[R any](x *exchange, list answers.Kind[answers.PageView[R]], pages *answers.Pages, rows iter.Seq[R]) (err error) {
	x.out = list.Append(x.out, pageView(x, pages, rows, &err))
	return err
}

// maxLinks is the maximum number of links of a page. Each has the host and the query of the request.
const maxLinks = 19

// linkRows is the estimate of a page's links, in rows.
func (x *exchange) linkRows() int {
	return maxLinks * (len(x.ctx.Host()) + len(x.ctx.Request.Header.RequestURI())) / listRow
}

// pageView is a page whose rows end if there is no room for them. Errors: noRoomForAnswer.
func pageView[R any](x *exchange, pages *answers.Pages, rows iter.Seq[R], err *error) answers.PageView[R] {
	return answers.PageView[R]{Rows: rows, Pages: pages, Grown: func(size int) bool {
		*err = x.grown(size)
		return *err == nil
	}}
}

// pointers yields pointers to the elements of a list.
func pointers[E any](list []E) iter.Seq[*E] {
	return func(yield func(*E) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

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

// pages returns the links and the place of a page.
func (x *exchange) pages(p page) *answers.Pages {
	path := x.server.scheme(x.ctx) + "://" + x.hostAndPath()
	link := pageLink(path, x.ctx.URI().QueryString(), "page")
	all := &answers.Pages{
		First: link.to(1), Last: link.to(p.last()), Prev: link.toIf(p.number-1, p.number > 1), Next: link.toIf(p.number+1, p.number < p.last()),
		Number: p.number, LastNumber: p.last(), Path: path, Size: p.size, Total: p.total,
	}
	if from, to := p.bounds(); from < to {
		all.From, all.To = from+1, to
	}
	all.Links = append(all.Links, answers.PageLink{URL: all.Prev, Label: previousLabel})
	for _, n := range p.shown() {
		label := "..."
		if n > 0 {
			label = strconv.Itoa(n)
		}
		all.Links = append(all.Links, answers.PageLink{URL: link.toIf(n, n > 0), Label: label, Active: n == p.number})
	}
	all.Links = append(all.Links, answers.PageLink{URL: all.Next, Label: nextLabel})
	return all
}

// The labels of the links to the pages beside a page.
const (
	previousLabel = "&laquo; Previous"
	nextLabel     = "Next &raquo;"
)

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

func (l linkPrefix) to(number int) string { return string(l) + strconv.Itoa(number) }

// toIf is a link, or none.
func (l linkPrefix) toIf(number int, there bool) string {
	if !there {
		return ""
	}
	return l.to(number)
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
	if s.proxies().Trusts(ctx.RemoteAddr()) && strings.EqualFold(string(bytes.TrimSpace(forwarded)), "https") {
		return "https"
	}
	return "http"
}

// merchantRows is the page size of the merchant's lists.
var merchantRows = perPage{standard: 25, max: 100}

// cursorQuery are the parameters of a list whose pages begin after a cursor.
func cursorQuery(others ...openapi.Parameter) []openapi.Parameter {
	return append(others,
		queryOf("after", openapi.Text, "`meta.next_after` of the page before."),
		queryOf("per_page", openapi.Integer.Min(1).Max(merchantRows.max).Default(merchantRows.standard), "Rows on a page. A number out of range is clamped."))
}

// cursor reads those parameters.
func (x *exchange) cursor() (after string, size int) {
	return commerce.Trim(lastArg(x, "after")), x.page(merchantRows, 0).size
}

// writeCursorPage writes a page of a list. Errors: noRoomForAnswer.
func writeCursorPage[R any](x *exchange, list answers.Kind[answers.CursorView[R]], rows []R, size int, next string) (err error) {
	if err = x.makesList(len(rows)); err != nil {
		return err
	}
	x.out = list.Append(x.out, answers.CursorView[R]{
		Rows: func(yield func(R) bool) {
			for _, row := range rows {
				if !yield(row) {
					return
				}
			}
		}, Size: size, NextAfter: next,
		Grown: func(size int) bool { err = x.grown(size); return err == nil },
	})
	return err
}
