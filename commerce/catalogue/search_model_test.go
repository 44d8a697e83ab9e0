package catalogue

import (
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"cartd/commerce"
)

// modelWord is a word without accents, and with them.
type modelWord struct{ plain, accented string }

// modelWords normalizes letter by letter; lower case is enough for the test's texts. A word ends where
// letters and digits meet.
func modelWords(text string) (words []modelWord) {
	var one modelWord
	end := func() {
		if one.plain != "" {
			words, one = append(words, one), modelWord{}
		}
	}
	for _, r := range norm.NFKC.String(text) {
		plain := strings.Map(func(r rune) rune {
			if unicode.IsMark(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, norm.NFKD.String(string(r)))
		switch {
		case plain == "": // a mark
		case unicode.IsLetter(r):
			if strings.ContainsAny(one.plain, "0123456789") {
				end()
			}
		case unicode.IsDigit(r):
			if !strings.ContainsAny(one.plain, "0123456789") {
				end()
			}
		default:
			end()
			continue
		}
		one.plain, one.accented = one.plain+plain, one.accented+string(unicode.ToLower(r))
	}
	end()
	return words
}

// sameStem reports whether two words have one stem in a language of the store.
func (m shelf) sameStem(a, b modelWord) bool {
	for language, stem := range map[commerce.Language]func(*snowballstem.Env) bool{commerce.English: english.Stem, commerce.German: german.Stem} {
		of := func(w modelWord) string {
			env := snowballstem.NewEnv(w.accented)
			stem(env)
			return commerce.NormalizeText(env.Current())
		}
		if m.Languages.Has(language) && !strings.ContainsAny(a.plain+b.plain, "0123456789") && of(a) == of(b) {
			return true
		}
	}
	return false
}

func (m shelf) finds(w modelWord, in []modelWord) bool {
	return slices.ContainsFunc(in, func(other modelWord) bool { return strings.HasPrefix(other.plain, w.plain) || m.sameStem(w, other) })
}

// modelSearch are the products of a query; all is nil without one. own are those that no category is
// needed for.
type modelSearch struct {
	all, own  map[*commerce.Product]bool
	corrected []Correction
	partial   bool
}

// search looks at each product for each word, for each way to correct the words.
func (m shelf) search(query string) (said modelSearch) {
	var words []modelWord
	all := modelWords(query)
	for i, w := range all {
		if !slices.ContainsFunc(all[i+1:], func(o modelWord) bool { return strings.HasPrefix(o.plain, w.plain) && o.plain != w.plain }) &&
			!slices.ContainsFunc(all[:i], func(o modelWord) bool { return strings.HasPrefix(o.plain, w.plain) }) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		if commerce.Trim(query) != "" {
			said.all = map[*commerce.Product]bool{}
		}
		return said
	}
	looked := map[string]string{}
	nearest := func(w modelWord) string {
		if _, known := looked[w.plain]; !known && len([]rune(w.plain)) >= 5 && !strings.ContainsAny(w.plain, "0123456789") && len(looked) < 3 {
			looked[w.plain] = m.nearest(w.plain)
		}
		return looked[w.plain]
	}
	count := func(words []modelWord, want int) (all, own map[*commerce.Product]bool) {
		all, own = map[*commerce.Product]bool{}, map[*commerce.Product]bool{}
		for _, p := range m.Products {
			n, byOwn := 0, 0
			for _, w := range words {
				if m.finds(w, m.ownWords(p)) {
					n, byOwn = n+1, byOwn+1
				} else if m.finds(w, m.categoryWords(p)) {
					n++
				}
			}
			if p.Active && n == want {
				all[p] = true
				if byOwn == want {
					own[p] = true
				}
			}
		}
		return all, own
	}
	some := true
	for i, w := range words {
		if found, _ := count(words[i:i+1], 1); len(found) > 0 {
			continue
		}
		if by := nearest(w); by != "" {
			words[i] = modelWord{by, by}
			said.corrected = append(said.corrected, Correction{w.plain, by})
		} else {
			some = false
		}
	}
	if said.all, said.own = count(words, len(words)); len(said.all) > 0 {
		return said
	}
	for i, w := range words {
		if !some || slices.ContainsFunc(said.corrected, func(c Correction) bool { return c.By == w.plain }) {
			continue
		}
		if by := nearest(w); by != "" {
			other := slices.Clone(words)
			other[i] = modelWord{by, by}
			if all, own := count(other, len(other)); len(all) > 0 {
				return modelSearch{all: all, own: own, corrected: append(said.corrected, Correction{w.plain, by})}
			}
		}
	}
	for n := len(words) - 1; n > 0; n-- {
		if all, own := count(words, n); len(all) > 0 {
			return modelSearch{all, own, said.corrected, true}
		}
	}
	return said
}

func (m shelf) ownWords(p *commerce.Product) []modelWord {
	all := slices.Clone(m.namedOf[p])
	for sku := range shownSKUs(p) {
		all = append(all, modelWords(sku)...)
	}
	return all
}

func (m shelf) categoryWords(p *commerce.Product) (all []modelWord) {
	for i := range m.Categories {
		if slices.ContainsFunc(p.CategoryIDs, func(id uuid.UUID) bool { return m.below(id, m.Categories[i].ID) }) {
			all = append(all, modelWords(m.Categories[i].Name)...)
		}
	}
	return all
}

// nearest is the word at one error with the most products, else with the most categories.
func (m shelf) nearest(text string) string {
	named, categories := map[string]int{}, map[string]int{}
	count := func(in map[string]int, words []modelWord) {
		seen := map[string]bool{}
		for _, w := range words {
			if !seen[w.plain] {
				seen[w.plain] = true
				in[w.plain]++
			}
		}
	}
	for _, p := range m.Products {
		if p.Active {
			count(named, m.namedOf[p])
		}
	}
	for i := range m.Categories {
		count(categories, modelWords(m.Categories[i].Name))
	}
	for _, words := range []map[string]int{named, categories} {
		best := ""
		for other, n := range words {
			if other != text && oneEdit([]rune(text), []rune(other)) && (best == "" || n > words[best] || n == words[best] && other < best) {
				best = other
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}
