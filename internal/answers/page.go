package answers

import (
	"iter"
	"slices"

	"cartd/internal/field"
	"cartd/internal/openapi"
)

// PageView is a page of a list.
type PageView[R any] struct {
	// Rows yields the rows. Pages may be filled only then.
	Rows  iter.Seq[R]
	Pages *Pages
	// Grown is called after each row with the size of the answer, and may end the rows; nil if nothing counts the size.
	Grown func(size int) bool
}

// Pages are the links of a page, and its place among the others. Spec: Pagination envelope.
type Pages struct {
	First, Last string
	// Prev and Next are empty if there is no such page.
	Prev, Next string

	Number, LastNumber int
	// From and To are the first and the last row, counted from 1; 0 on an empty page.
	From, To    int
	Links       []PageLink
	Path        string
	Size, Total int
	// NextAfter and NextBefore are for pages by numbers of orders; 0 at the end.
	NextAfter, NextBefore int
	// NextQuote is for pages of a store's quotes; empty at the end.
	NextQuote string
}

// PageLink is an entry of meta.links. URL is empty if it leads nowhere.
type PageLink struct {
	URL, Label string
	Active     bool
}

// PageOf is a page of rows of a kind.
func PageOf[R any](name string, row Kind[R]) Kind[PageView[R]] {
	return field.Object(name, pageFields(row, "", PageMeta, "")...)
}

// pageFields are the fields of a page, with the sentences and the kind of meta that differ.
func pageFields[R any](row Kind[R], aboutLinks string, meta Kind[*Pages], aboutMeta string) []Field[PageView[R]] {
	pages := func(v PageView[R]) *Pages { return v.Pages }
	return field.Rows(
		field.Self("data", rowsOf(row), ""),
		field.Value("links", PageLinks, aboutLinks, pages),
		field.Value("meta", meta, aboutMeta, pages),
	)
}

// rowsOf is the kind of a page's rows.
func rowsOf[R any](row Kind[R]) Kind[PageView[R]] {
	return Kind[PageView[R]]{Schema: openapi.List(row.Schema), Append: func(dst []byte, v PageView[R]) []byte {
		dst = append(dst, '[')
		i := 0
		for r := range v.Rows {
			dst = row.Append(field.Comma(dst, i), r)
			if i++; v.Grown != nil && !v.Grown(len(dst)) {
				break
			}
		}
		return append(dst, ']')
	}}
}

// PageLinks are the links beside a page's rows.
var PageLinks = field.Object("PageLinks",
	field.Member("first", Text, "A URL, like the others.", func(p *Pages) *string { return &p.First }),
	field.Member("last", Text, "", func(p *Pages) *string { return &p.Last }),
	field.Member("prev", TextOrNull, "", func(p *Pages) *string { return &p.Prev }),
	field.Member("next", TextOrNull, "", func(p *Pages) *string { return &p.Next }),
)

// PageMeta says which part of a list a page is. NumberPageMeta is that of pages by numbers.
var (
	PageMeta       = field.Object("PageMeta", pageMeta...)
	NumberPageMeta = field.Object("NumberPageMeta", append(slices.Clip(pageMeta),
		field.Member("next_after", field.OrNull(Integer), "The `after` of the next page; null at the end.", func(p *Pages) *int { return &p.NextAfter }),
		field.Member("next_before", field.OrNull(Integer), "With sort=newest: the `before` of the next page; null at the end.",
			func(p *Pages) *int { return &p.NextBefore }))...)
)

var pageMeta = field.Rows(
	field.Member("current_page", Integer, "", func(p *Pages) *int { return &p.Number }),
	field.Member("from", field.OrNull(Integer), "The page's first row, counted from 1; null on an empty page.", func(p *Pages) *int { return &p.From }),
	field.Member("last_page", Integer, "", func(p *Pages) *int { return &p.LastNumber }),
	field.Member("links", field.List(field.Object("PageLink",
		field.Member("url", TextOrNull, "", func(l *PageLink) *string { return &l.URL }),
		field.Member("label", Text, "", func(l *PageLink) *string { return &l.Label }),
		field.Member("active", Boolean, "", func(l *PageLink) *bool { return &l.Active }),
	)), "", func(p *Pages) *[]PageLink { return &p.Links }),
	field.Member("path", Text, "", func(p *Pages) *string { return &p.Path }),
	field.Member("per_page", Integer, "The page size in force.", func(p *Pages) *int { return &p.Size }),
	field.Member("to", field.OrNull(Integer), "", func(p *Pages) *int { return &p.To }),
	field.Member("total", Integer, "", func(p *Pages) *int { return &p.Total }),
)

// The lists of records.
var (
	CartList           = PageOf("CartList", CartRow)
	OrderList          = PageOf("OrderList", OrderRow)
	QuoteList          = PageOf("QuoteList", QuoteRow)
	ShippingMethodList = PageOf("ShippingMethodList", ShippingMethod)
	StoreOrderList     = field.Object("StoreOrderList", pageFields(StoreOrder, "next repeats the query with `after` or `before`; prev is null.",
		NumberPageMeta, "from and to are the numbers of the page's first and last order.")...)
)
