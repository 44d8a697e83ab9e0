package commerce

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// FoldText maps texts that differ only in case or accents to the same text: NFKD, no marks, case
// folding.
func FoldText(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	unmarked := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return cases.Fold().String(unmarked)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words splits a folded text into its runs of letters and its runs of digits.
func words(folded string) (all []string) {
	const (
		neither = iota
		letter
		digit
	)
	start, kind := 0, neither
	for i, r := range folded {
		is := neither
		switch {
		case unicode.IsLetter(r):
			is = letter
		case unicode.IsDigit(r):
			is = digit
		}
		if is == kind {
			continue
		}
		if kind != neither {
			all = append(all, folded[start:i])
		}
		start, kind = i, is
	}
	if kind != neither {
		all = append(all, folded[start:])
	}
	return all
}

// withoutBeginnings removes the words that begin another one. So no two words match the same word of
// a product, and a search reads the whole index at most once.
func withoutBeginnings(all []string) []string {
	slices.Sort(all)
	var kept []string
	for i, word := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1], word) {
			kept = append(kept, word)
		}
	}
	return kept
}

// wordIndex finds products by the beginning of a word. It is a sorted array of words, each with the
// positions of its products.
type wordIndex struct {
	words []string
	// The positions of words[i] are list i, ascending.
	positions lists
	// named is, for each word, the number of products that have it in their name, in the name of a
	// variant or in the value of an attribute.
	named []int32
}

// prefixed returns the range of the words from index low to index high that have a prefix.
func (x *wordIndex) prefixed(prefix string, low, high int) (from, to int) {
	from = low + sort.SearchStrings(x.words[low:high], prefix)
	to = from + sort.Search(high-from, func(i int) bool { return !strings.HasPrefix(x.words[from+i], prefix) })
	return from, to
}

// beginning returns the positions of the products with a word that has this prefix. A product is
// listed once for each such word.
func (x *wordIndex) beginning(prefix string) []int32 {
	from, to := x.prefixed(prefix, 0, len(x.words))
	return x.positions.all[x.positions.starts[from]:x.positions.starts[to]]
}

// wordIndexing collects the positions of each word while an index is made.
type wordIndexing map[string]*indexedWord

type indexedWord struct {
	positions []int32
	// lastNamed is the position of the last product that counts in named, plus 1.
	named, lastNamed int32
}

// add adds a word of a product. named is true unless it comes from an SKU.
func (x wordIndexing) add(word string, position int32, named bool) {
	w := x[word]
	if w == nil {
		w = &indexedWord{}
		x[strings.Clone(word)] = w // a substring would keep the whole name in memory
	}
	if n := len(w.positions); n == 0 || w.positions[n-1] != position {
		w.positions = append(w.positions, position)
	}
	if named && w.lastNamed != position+1 {
		w.lastNamed = position + 1
		w.named++
	}
}

// addText adds the words of a folded text.
func (x wordIndexing) addText(folded string, position int32, named bool) {
	for _, word := range words(folded) {
		x.add(word, position, named)
	}
}

func (x wordIndexing) index() wordIndex {
	all := wordIndex{words: slices.Sorted(maps.Keys(x)), positions: lists{starts: make([]int32, 1, len(x)+1)}, named: make([]int32, len(x))}
	total := 0
	for _, w := range x {
		total += len(w.positions)
	}
	all.positions.all = make([]int32, 0, total)
	for i, word := range all.words {
		w := x[word]
		all.positions.all = append(all.positions.all, w.positions...)
		all.positions.starts = append(all.positions.starts, int32(len(all.positions.all)))
		all.named[i] = w.named
	}
	return all
}
