package catalogue

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cartd/commerce"
)

// search finds the products of a query: those that all words find; else those that all words find after
// one was taken for misspelt; else those that most words find. docs/api/catalogue.md#search
type search struct {
	*Catalogue
	words     []word
	found     []wordMatch // of each word
	corrected []Correction
	nearestTo map[string]string // "" if there is none
}

// wordMatch are the products that a word finds. own are those found by a name, an SKU or an attribute;
// all are also those that a category finds.
type wordMatch struct{ own, all bitSet }

// findWords finds by the words of the query. A query without any finds nothing, unless it is blank.
func (c *Catalogue) findWords(f *Filter, found *Found, proceed func() error) error {
	s := search{Catalogue: c, words: queryWords(f.Query), nearestTo: map[string]string{}}
	if len(s.words) == 0 {
		if commerce.Trim(f.Query) != "" {
			found.other.keep(nil)
		}
		return nil
	}
	for i := range s.words {
		if err := proceed(); err != nil {
			return err
		}
		if s.found = append(s.found, c.matching(s.words[i])); s.found[i].all.empty() {
			if _, err := s.correct(i, proceed); err != nil {
				return err
			}
		}
	}
	own, all := s.together()
	if all.empty() {
		var err error
		if own, all, err = s.correctOne(proceed); err != nil {
			return err
		}
	}
	if all.empty() && len(s.words) > 1 {
		own, all = s.most()
		found.Partial = !all.empty()
	}
	if found.Corrected = s.corrected; own.len() < all.len() {
		found.own = own
	}
	found.other.intersect(ProductSet{len(c.products), all})
	return nil
}

// queryWords are the words of a query without those that begin another one, which find the same products
// and more. So nearly no two words find the same word of a product, and a search reads an index at most
// a few times.
func queryWords(query string) (kept []word) {
	all := slices.Collect(words(query))
	for i, w := range all {
		begins := false
		for j, other := range all {
			begins = begins || strings.HasPrefix(other.text, w.text) && (j < i || other.text != w.text)
		}
		if !begins {
			kept = append(kept, w)
		}
	}
	return kept
}

// matching finds the products of a word.
func (c *Catalogue) matching(w word) wordMatch {
	own := makeBitSet(len(c.products))
	for positions := range c.words.found(w) {
		for _, at := range positions {
			own.add(at)
		}
	}
	c.keepPresent(own)
	var all bitSet
	for categories := range c.categoryWords.found(w) {
		if all == nil {
			all = slices.Clone(own)
		}
		for _, i := range categories {
			c.addCategory(all, &c.Categories[i])
		}
	}
	if all == nil {
		return wordMatch{own, own}
	}
	c.keepPresent(all)
	return wordMatch{own, all}
}

// keepPresent removes the positions without a product.
func (c *Catalogue) keepPresent(s bitSet) {
	if c.every.members != nil {
		s.keep(c.every.members)
	}
}

// nearest returns the word that another one was meant to be, "" if there is none.
func (c *Catalogue) nearest(text string) string {
	if by := c.words.nearest(text); by != "" {
		return by
	}
	return c.categoryWords.nearest(text)
}

// correct takes the nearest word in place of a word. It returns false if there is none.
func (s *search) correct(i int, proceed func() error) (bool, error) {
	text := s.words[i].text
	by, known := s.nearestTo[text]
	if !known && mayBeMisspelt(text) && len(s.nearestTo) < maxCorrected {
		if err := proceed(); err != nil {
			return false, err
		}
		by = s.nearest(text)
		s.nearestTo[text] = by
	}
	if by == "" {
		return false, nil
	}
	s.words[i] = word{by, by}
	s.found[i] = s.matching(s.words[i])
	s.corrected = append(s.corrected, Correction{text, by})
	return true, nil
}

// correctOne takes one word for misspelt that finds something, if the words find something together only
// so. It returns what they find.
func (s *search) correctOne(proceed func() error) (own, all bitSet, err error) {
	none := makeBitSet(len(s.products))
	if slices.ContainsFunc(s.found, func(m wordMatch) bool { return m.all.empty() }) {
		return none, none, nil
	}
	for i := range s.words {
		if slices.ContainsFunc(s.corrected, func(c Correction) bool { return c.By == s.words[i].text }) {
			continue
		}
		before, match, corrected := s.words[i], s.found[i], s.corrected
		changed, err := s.correct(i, proceed)
		if err != nil {
			return nil, nil, err
		}
		if changed {
			if own, all = s.together(); !all.empty() {
				return own, all, nil
			}
		}
		s.words[i], s.found[i], s.corrected = before, match, corrected
	}
	return none, none, nil
}

// together are the products that all words find, and which of them they find without a category.
func (s *search) together() (own, all bitSet) {
	own, all = slices.Clone(s.found[0].own), slices.Clone(s.found[0].all)
	for _, m := range s.found[1:] {
		if !all.keep(m.all) {
			return all, all
		}
		own.keep(m.own)
	}
	return own, all
}

// most are the products that most words find, and which of them they find without a category.
func (s *search) most() (own, all bitSet) {
	var owns, alls counter
	for _, m := range s.found {
		owns.add(m.own)
		alls.add(m.all)
	}
	n := alls.highest(len(s.products))
	if n == 0 {
		return nil, makeBitSet(len(s.products))
	}
	return owns.with(n, len(s.products)), alls.with(n, len(s.products))
}

// Correction is a word of a query that was replaced.
type Correction struct{ Word, By string }

const (
	// minCorrected is the number of letters from which on a word is corrected.
	minCorrected = 5
	// maxCorrected is the number of different words of a query for which others are looked for.
	maxCorrected = 3
	// maxCandidates is the number of words that are tried for one word. It bounds the work in scripts
	// with thousands of letters; in others an index has rarely as many.
	maxCandidates = 500
)

// mayBeMisspelt reports whether a word is long enough to be corrected, and has no digit.
func mayBeMisspelt(text string) bool {
	return utf8.RuneCountInString(text) >= minCorrected && strings.IndexFunc(text, unicode.IsDigit) < 0
}

// nearest returns the other word that is one insertion, deletion, replacement or swap of neighbours away
// from a word and has the most products; of several the first by text; "" if there is none. Words of
// SKUs alone do not count. It tries at most maxCandidates words: all deletions and swaps, then
// insertions and replacements of the letters that follow a beginning of the word in the index, from
// the longest beginning to the empty one. A long beginning has few of them.
func (x *wordIndex) nearest(word string) string {
	tried := candidates{index: x, word: word, left: maxCandidates, best: -1}
	var beginnings []beginning
	from, to := 0, len(x.words)
	for i := 0; ; {
		if from, to = x.prefixed(word[:i], from, to); from == to {
			break
		}
		at := beginning{word[:i], word[i:], from, to}
		beginnings = append(beginnings, at)
		_, size := utf8.DecodeRuneInString(at.rest)
		if size == 0 {
			break
		}
		tried.try(&at, at.rest[size:])
		if _, second := utf8.DecodeRuneInString(at.rest[size:]); second > 0 {
			tried.try(&at, at.rest[size:size+second]+at.rest[:size]+at.rest[size+second:])
		}
		i += size
	}
	for _, at := range slices.Backward(beginnings) {
		_, size := utf8.DecodeRuneInString(at.rest)
		for next := range x.followers(&at) {
			if tried.left <= 0 {
				break
			}
			tried.try(&at, next+at.rest)
			if size > 0 {
				tried.try(&at, next+at.rest[size:])
			}
		}
	}
	if tried.best < 0 {
		return ""
	}
	return x.words[tried.best]
}

// beginning is a beginning of a misspelt word with the rest of it. The words from index from to index
// to begin with it, too.
type beginning struct {
	text, rest string
	from, to   int
}

// candidates are the words that were tried: the best of them, and how many more may be tried.
type candidates struct {
	index      *wordIndex
	word       string // the misspelt one, which is no candidate
	left, best int
}

// try tries a word: a beginning with another rest.
func (c *candidates) try(b *beginning, rest string) {
	if c.left--; c.left < 0 {
		return
	}
	x := c.index
	at, found := slices.BinarySearch(x.words[b.from:b.to], b.text+rest)
	at += b.from
	if found && x.named[at] > 0 && x.words[at] != c.word &&
		(c.best < 0 || x.named[at] > x.named[c.best] || x.named[at] == x.named[c.best] && at < c.best) {
		c.best = at
	}
}

// followers yields the letters that follow a beginning in the index, in their order.
func (x *wordIndex) followers(b *beginning) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at := b.from; at < b.to; {
			word := x.words[at]
			_, size := utf8.DecodeRuneInString(word[len(b.text):])
			if size == 0 { // the word is the beginning itself
				at++
				continue
			}
			end := len(b.text) + size
			if !yield(word[len(b.text):end]) {
				return
			}
			at += sort.Search(b.to-at, func(i int) bool { return !strings.HasPrefix(x.words[at+i], word[:end]) })
		}
	}
}
