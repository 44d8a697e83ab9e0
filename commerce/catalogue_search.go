package commerce

import (
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

// words splits a folded text into its runs of letters and digits.
func words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// queryWords are the words of a query, without those that begin another one. So no two of them
// match the same word of a product, and a search reads the whole index at most once.
func queryWords(query string) []string {
	all := words(FoldText(query))
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
	// The positions of words[i] are positions[starts[i]:starts[i+1]], ascending.
	starts    []int32
	positions []int32
}

// beginning returns the positions of the products with a word that has this prefix. A product is
// listed once for each such word.
func (x *wordIndex) beginning(prefix string) []int32 {
	from := sort.SearchStrings(x.words, prefix)
	n := sort.Search(len(x.words)-from, func(i int) bool { return !strings.HasPrefix(x.words[from+i], prefix) })
	return x.positions[x.starts[from]:x.starts[from+n]]
}

// wordIndexing collects the positions of each word while an index is made.
type wordIndexing map[string][]int32

func (x wordIndexing) add(folded string, position int32) {
	for _, word := range words(folded) {
		appendPosition(x, word, position)
	}
}

func (x wordIndexing) index() wordIndex {
	all := wordIndex{words: make([]string, 0, len(x)), starts: make([]int32, 1, len(x)+1)}
	for word := range x {
		all.words = append(all.words, word)
	}
	slices.Sort(all.words)
	for i, word := range all.words {
		all.words[i] = strings.Clone(word) // a substring would keep the whole name in memory
		all.positions = append(all.positions, x[word]...)
		all.starts = append(all.starts, int32(len(all.positions)))
	}
	return all
}
