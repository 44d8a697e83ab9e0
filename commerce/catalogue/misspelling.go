package catalogue

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
