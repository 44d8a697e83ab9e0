package blackbox_test

import (
	"fmt"
	"strconv"
	"testing"
)

// pageSeen is a list's envelope as a client reads it.
type pageSeen struct {
	Links struct{ Last string }
	Meta  struct {
		CurrentPage int `json:"current_page"`
		From, To    *int
		LastPage    int `json:"last_page"`
		PerPage     int `json:"per_page"`
		Total       int
	}
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

// manyItems sells n products with no optional field.
func manyItems(n int) func(object) {
	goods := list{}
	for i := range n {
		goods = append(goods, product(itemID(i), fmt.Sprint("Item ", i), fmt.Sprint("i", i), nil))
	}
	return selling(goods...)
}

// The conventions, pagination links: absolute, with the other parameters, page last.
func TestLinksKeepTheOtherParameters(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), manyItems(45), withCategories))
	at := shop.node.base + "/v1/api/" + productsPath
	for query, want := range map[string]string{
		"": "?page=2", "q=%C3%A9+x%26y": "?q=%C3%A9+x%26y&page=1", "page=1&q=i&page=2": "?q=i&page=2",
		"sort=-name&page=2&per_page=10&utm=1":                "?sort=-name&per_page=10&utm=1&page=5",
		"q=item&capability=standard&category_id=&page=&sku=": "?q=item&capability=standard&category_id=&sku=&page=2",
	} {
		if got := decoded[pageSeen](shop.get(productsPath + "?" + query)).Links.Last; got != at+want {
			t.Errorf("%s: the last link is %s, want …%s", query, got, want)
		}
	}
}
