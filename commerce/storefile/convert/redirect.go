package convert

import (
	"net/url"
	"strings"

	"cartd/internal/strictjson"
)

// redirects are the redirects of the document.
type redirects struct {
	all  []any
	from map[string]bool
	// handles are the handles that are redirected to an address.
	handles map[string][]string
}

func newRedirects() redirects {
	return redirects{from: map[string]bool{}, handles: map[string][]string{}}
}

const productPages = "/products/"

// address is the path of a product's page, as the sitemap shows it.
func address(slug string) string { return productPages + url.PathEscape(slug) }

// base takes over a redirect of the earlier document.
func (r *redirects) base(v strictjson.Value) {
	m := membersOf(v)
	from, to := m.text("from"), m.text("to")
	r.all = append(r.all, v)
	r.from[from] = true
	if path, is := strings.CutPrefix(from, productPages); is {
		if handle, err := url.PathUnescape(path); err == nil {
			r.handles[to] = append(r.handles[to], handle)
		}
	}
}

// add adds a redirect from the page of a handle to that of a slug, and reports whether it is new.
func (r *redirects) add(handle, slug string) bool {
	from := address(handle)
	if r.from[from] || len(from) > maxAddress {
		return false
	}
	r.from[from] = true
	r.all = append(r.all, members{{"from", from}, {"to", address(slug)}})
	return true
}

// maxAddress is the length of the longest path that a browser is expected to send.
const maxAddress = 2048
