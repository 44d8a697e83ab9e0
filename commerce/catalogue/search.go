package catalogue

import (
	"slices"
	"strings"

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

// counter counts for each number the sets that have it: bit p of the count of a number is in set p.
type counter []bitSet

// add counts the members of a set.
func (c *counter) add(s bitSet) {
	for i, carry := range s {
		for p := 0; carry != 0; p++ {
			if p == len(*c) {
				*c = append(*c, make(bitSet, len(s)))
			}
			(*c)[p][i], carry = (*c)[p][i]^carry, (*c)[p][i]&carry
		}
	}
}

// highest is the highest count of the numbers below size.
func (c counter) highest(size int) (n int) {
	for p := range slices.Backward(c) {
		if !c.matching(n|1<<p, p, size).empty() {
			n |= 1 << p
		}
	}
	return n
}

// with are the numbers below size with a count.
func (c counter) with(n, size int) bitSet {
	if n>>len(c) > 0 {
		return makeBitSet(size)
	}
	return c.matching(n, 0, size)
}

// matching are the numbers below size whose counts agree with n from bit low on. n has a bit there.
func (c counter) matching(n, low, size int) bitSet {
	all := makeBitSet(size)
	for i := range all {
		all[i] = ^uint64(0)
		for p := low; p < len(c); p++ {
			if n>>p&1 == 1 {
				all[i] &= c[p][i]
			} else {
				all[i] &^= c[p][i]
			}
		}
	}
	return all
}
