package convert

import (
	"strconv"
	"strings"
	"unicode"

	"cartd/commerce"
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
