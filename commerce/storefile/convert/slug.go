package convert

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// slugOf makes a slug of a name: lower-case letters, digits and their marks, joined by hyphens. It is
// empty for a name without letters and digits.
func slugOf(name string) string {
	var b strings.Builder
	gap := false
	for _, c := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c) && b.Len() > 0 && !gap:
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(c)
		default:
			gap = true
		}
	}
	slug, _ := shortened(b.String(), commerce.MaxName)
	return strings.TrimSuffix(slug, "-")
}

// slugs are the slugs of a document's products or categories. No two are equal.
type slugs struct {
	used map[string]bool
	// next is the last number that a slug got.
	next map[string]int
}

func newSlugs() slugs { return slugs{used: map[string]bool{}, next: map[string]int{}} }

// take returns wanted, or wanted with the next number if it is used.
func (s slugs) take(wanted string) string {
	slug := wanted
	for s.used[slug] {
		s.next[wanted] = max(s.next[wanted], 1) + 1
		number := "-" + strconv.Itoa(s.next[wanted])
		short, _ := shortened(wanted, commerce.MaxName-len(number))
		slug = short + number
	}
	s.used[slug] = true
	return slug
}

// redirects are the redirects of the document.
type redirects struct {
	all  []any
	from map[string]bool // by commerce.PathKey
	// handles are the handles that are redirected to an address.
	handles map[string][]string
}

func newRedirects() redirects {
	return redirects{from: map[string]bool{}, handles: map[string][]string{}}
}

const productPages = "/products/"

// address is the path of a product's page, as the sitemap shows it.
func address(slug string) string { return productPages + url.PathEscape(slug) }

// oldAddress is the path of a handle's page as it is read. A percent sign is escaped, so that it is not taken
// for an escape, and so are control characters, which a document cannot have.
func oldAddress(handle string) string {
	var b strings.Builder
	for _, c := range handle {
		if c == '%' || commerce.IsControl(c) {
			b.WriteString(url.PathEscape(string(c)))
			continue
		}
		b.WriteRune(c)
	}
	return productPages + b.String()
}

// base takes over a redirect of the earlier document.
func (r *redirects) base(v strictjson.Value) {
	m := membersOf(v)
	from, to := m.text("from"), m.text("to")
	r.all = append(r.all, v)
	r.from[commerce.PathKey(from)] = true
	if handle, is := strings.CutPrefix(commerce.PathKey(from), productPages); is {
		r.handles[to] = append(r.handles[to], handle)
	}
}

// add adds a redirect from the page of a handle to that of a slug, and reports whether it is new.
func (r *redirects) add(handle, slug string) bool {
	from := oldAddress(handle)
	key := commerce.PathKey(from)
	if r.from[key] || len(address(handle)) > maxAddress {
		return false
	}
	r.from[key] = true
	r.all = append(r.all, members{{"from", from}, {"to", address(slug)}})
	return true
}

// maxAddress is the length of the longest path that a browser is expected to send.
const maxAddress = 2048
