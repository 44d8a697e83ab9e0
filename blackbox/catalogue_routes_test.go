package blackbox_test

import (
	"fmt"
	"strconv"
)

const (
	redirectsPath = "catalog/redirects"
	sitemapPath   = "catalog/sitemap"
)

// pageSeen is a list's envelope as a client reads it.
type pageSeen struct {
	Meta struct {
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
