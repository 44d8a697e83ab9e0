package commerce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Correction is a word of a query that was replaced, because no searchable word begins with it.
type Correction struct{ Word, By string }

// minCorrected is the number of letters from which on a word is corrected.
const minCorrected = 5

// correct replaces words of a query, and returns the replacements in the order of the words.
func (x *wordIndex) correct(words []string) (all []Correction) {
	for i, word := range words {
		if utf8.RuneCountInString(word) < minCorrected || strings.IndexFunc(word, unicode.IsDigit) >= 0 {
			continue
		}
		if from, to := x.prefixed(word, 0, len(x.words)); from < to {
			continue
		}
		if by := x.nearest(word); by != "" {
			words[i] = by
			if c := (Correction{word, by}); !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// nearest returns the word that is one insertion, deletion, replacement or swap of neighbours away
// from a word and has the most products; of several the first by text; "" if there is none. Words of
// SKUs alone do not count. The search follows the sorted words letter by letter: the work grows with
// the letters that follow a beginning of the word, not with the number of words.
func (x *wordIndex) nearest(word string) string {
	best := -1
	try := func(from, to int, candidate string) {
		at, _ := x.prefixed(candidate, from, to)
		if at < to && x.words[at] == candidate && x.named[at] > 0 &&
			(best < 0 || x.named[at] > x.named[best] || x.named[at] == x.named[best] && at < best) {
			best = at
		}
	}
	from, to := 0, len(x.words)
	for i := 0; ; {
		beginning, rest := word[:i], word[i:]
		if from, to = x.prefixed(beginning, from, to); from == to {
			break
		}
		_, size := utf8.DecodeRuneInString(rest)
		for next := range x.followers(beginning, from, to) {
			try(from, to, beginning+next+rest)
			if size > 0 {
				try(from, to, beginning+next+rest[size:])
			}
		}
		if size == 0 {
			break
		}
		try(from, to, beginning+rest[size:])
		if _, second := utf8.DecodeRuneInString(rest[size:]); second > 0 {
			try(from, to, beginning+rest[size:size+second]+rest[:size]+rest[size+second:])
		}
		i += size
	}
	if best < 0 {
		return ""
	}
	return x.words[best]
}

// followers yields the letters that follow a beginning in the words from index from to index to.
func (x *wordIndex) followers(beginning string, from, to int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at := from; at < to; {
			rest := x.words[at][len(beginning):]
			_, size := utf8.DecodeRuneInString(rest)
			if size == 0 { // the word is the beginning itself
				at++
				continue
			}
			if !yield(rest[:size]) {
				return
			}
			_, at = x.prefixed(beginning+rest[:size], at, to)
		}
	}
}
