package blackbox_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// pageSeen is a list's envelope as a client reads it.
type pageSeen struct {
	Data  []struct{ Slug string }
	Links struct{ First, Last, Prev, Next *string }
	Meta  struct {
		CurrentPage int `json:"current_page"`
		From, To    *int
		LastPage    int `json:"last_page"`
		Links       []struct {
			URL    *string
			Label  string
			Active bool
		}
		Path    string
		PerPage int `json:"per_page"`
		Total   int
	}
}

// labels writes meta.links, the active one in brackets.
func (p pageSeen) labels() string {
	var all []string
	for _, l := range p.Meta.Links {
		if l.Active {
			l.Label = "[" + l.Label + "]"
		}
		all = append(all, l.Label)
	}
	return strings.Join(all, " ")
}

// numbers writes current and last page, page size, total, from and to.
func (p pageSeen) numbers() string {
	number := func(n *int) string {
		if n == nil {
			return "null"
		}
		return strconv.Itoa(*n)
	}
	m := p.Meta
	return fmt.Sprintf("%d/%d %d of %d: %s-%s", m.CurrentPage, m.LastPage, m.PerPage, m.Total, number(m.From), number(m.To))
}

// manyItems sells n products without anything.
func manyItems(n int) func(object) {
	goods := list{}
	for i := range n {
		goods = append(goods, product(itemID(i), fmt.Sprint("Item ", i), fmt.Sprint("i", i), nil))
	}
	return selling(goods...)
}

// The conventions, pagination links, for a list of 325 products.
func TestPagesOfALongList(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), manyItems(325)))
	at := shop.node.base + "/v1/api/" + productsPath
	for _, c := range []struct{ query, numbers, labels string }{
		{"per_page=10", "1/33 10 of 325: 1-10", "[1] 2 3 4 5 6 7 8 9 10 ... 32 33"},
		{"per_page=10&page=7", "7/33 10 of 325: 61-70", "1 2 3 4 5 6 [7] 8 9 10 ... 32 33"},
		{"per_page=10&page=8", "8/33 10 of 325: 71-80", "1 2 ... 5 6 7 [8] 9 10 11 ... 32 33"},
		{"per_page=10&page=26", "26/33 10 of 325: 251-260", "1 2 ... 23 24 25 [26] 27 28 29 ... 32 33"},
		{"per_page=10&page=27", "27/33 10 of 325: 261-270", "1 2 ... 24 25 26 [27] 28 29 30 31 32 33"},
		{"per_page=10&page=33", "33/33 10 of 325: 321-325", "1 2 ... 24 25 26 27 28 29 30 31 32 [33]"},
		{"per_page=10&page=34", "34/33 10 of 325: null-null", "1 2 ... 24 25 26 27 28 29 30 31 32 33"},
		{"per_page=24&page=7", "7/14 24 of 325: 145-168", "1 2 3 4 5 6 [7] 8 9 10 ... 13 14"},
		{"per_page=24&page=8", "8/14 24 of 325: 169-192", "1 2 ... 5 6 7 [8] 9 10 11 12 13 14"},
		{"page=13", "13/13 25 of 325: 301-325", "1 2 3 4 5 6 7 8 9 10 11 12 [13]"},
		{"sku=none", "1/1 25 of 0: null-null", "[1]"},
		{"sku=none&page=4", "4/1 25 of 0: null-null", "1"},
		{"per_page=100", "1/4 100 of 325: 1-100", "[1] 2 3 4"},
		{"per_page=101", "1/4 100 of 325: 1-100", "[1] 2 3 4"},
		{"per_page=x&page=y", "1/13 25 of 325: 1-25", "[1] 2 3 4 5 6 7 8 9 10 11 12 13"},
		{"per_page=1.5&page=1.5", "1/13 25 of 325: 1-25", "[1] 2 3 4 5 6 7 8 9 10 11 12 13"},
		{"per_page=50&page=0", "1/7 50 of 325: 1-50", "[1] 2 3 4 5 6 7"},
		{"per_page=50&page=-2", "1/7 50 of 325: 1-50", "[1] 2 3 4 5 6 7"},
		{"per_page=5&per_page=90&page=2&page=3", "3/4 90 of 325: 181-270", "1 2 [3] 4"},
		{"per_page=0", "1/325 1 of 325: 1-1", "[1] 2 3 4 5 6 7 8 9 10 ... 324 325"},
		{"per_page=-7&page=300", "300/325 1 of 325: 300-300", "1 2 ... 297 298 299 [300] 301 302 303 ... 324 325"},
	} {
		got := decoded[pageSeen](shop.get(productsPath + "?" + c.query))
		if labels := "&laquo; Previous " + c.labels + " Next &raquo;"; got.numbers() != c.numbers || got.labels() != labels {
			t.Errorf("%s:\n got: %s, %s\nwant: %s, %s", c.query, got.numbers(), got.labels(), c.numbers, labels)
		}
		if first := got.Meta.From; got.Meta.Path != at || first != nil && got.Data[0].Slug != fmt.Sprint("i", *first-1) {
			t.Errorf("%s: path %s, rows %v", c.query, got.Meta.Path, got.Data)
		}
	}
}

// The conventions, pagination links: absolute, with the other parameters, the page last.
func TestLinksKeepTheOtherParameters(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), manyItems(45), withCategories))
	at := shop.node.base + "/v1/api/" + productsPath
	for _, c := range []struct{ query, kept string }{
		{"", "?"},
		{"page=2", "?"},
		{"sort=-name&page=2&per_page=10&utm=1", "?sort=-name&per_page=10&utm=1&"},
		{"q=item&capability=standard&category_id=&sku=", "?q=item&capability=standard&category_id=&sku=&"},
		{"page=1&q=i&page=2", "?q=i&"},
	} {
		got := decoded[pageSeen](shop.get(productsPath + "?" + c.query))
		current, last := got.Meta.CurrentPage, got.Meta.LastPage
		link := func(page int) string { return fmt.Sprint(at, c.kept, "page=", page) }
		wantLink := func(name string, got *string, page int) {
			t.Helper()
			want := "null"
			if page >= 1 && page <= last {
				want = link(page)
			}
			if orNull(got) != want {
				t.Errorf("%q, %s: %s, want %s", c.query, name, orNull(got), want)
			}
		}
		wantLink("first", got.Links.First, 1)
		wantLink("last", got.Links.Last, last)
		wantLink("prev", got.Links.Prev, current-1)
		wantLink("next", got.Links.Next, current+1)
		wantLink("previous", got.Meta.Links[0].URL, current-1)
		wantLink("following", got.Meta.Links[last+1].URL, current+1)
		for page := 1; page <= last; page++ {
			wantLink("page", got.Meta.Links[page].URL, page)
		}
	}
	beyond := decoded[pageSeen](shop.get(productsPath + "?page=7"))
	if orNull(beyond.Links.Prev) != at+"?page=6" || beyond.Links.Next != nil || beyond.Data == nil {
		t.Errorf("beyond the last page: %+v", beyond)
	}
	for query, want := range map[string]string{"q=%C3%A9+x%26y": "?q=%C3%A9+x%26y&page=1", "q=a%20b": "?q=a%20b&page=1"} {
		if got := decoded[pageSeen](shop.get(productsPath + "?" + query)).Links.First; orNull(got) != at+want {
			t.Errorf("%s: the first link is %s, want …%s", query, orNull(got), want)
		}
	}
}

func orNull(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}
