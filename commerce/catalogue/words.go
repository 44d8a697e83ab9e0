package catalogue

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"cartd/commerce"
)

// word is a run of letters or of digits: the text that is compared (commerce.NormalizeText), and the one
// that stemmers read (commerce.LowerText).
type word struct{ text, lower string }

// words yields the runs of letters and the runs of digits of a text.
func words(text string) iter.Seq[word] {
	const (
		neither = iota
		letter
		digit
	)
	return func(yield func(word) bool) {
		lower := commerce.LowerText(text)
		start, kind := 0, neither
		run := func(end int) bool {
			one := lower[start:end]
			return kind == neither || yield(word{commerce.NormalizeText(one), one})
		}
		for i, r := range lower {
			is := neither
			switch {
			case unicode.IsLetter(r):
				is = letter
			case unicode.IsDigit(r):
				is = digit
			case unicode.IsMark(r):
				continue // it belongs to the letter before it
			}
			if is == kind {
				continue
			}
			if !run(i) {
				return
			}
			start, kind = i, is
		}
		run(len(lower))
	}
}

// wordIndex finds products, or categories, by the beginning of a word and by its stem. It is a sorted
// array of words, each with the positions of its products.
type wordIndex struct {
	words []string
	// The positions of words[i] are list i, ascending.
	positions lists
	// named is, for each word, the number of products that have it in their name, in the name of a
	// variant or in the value of an attribute.
	named []int32
	stems []stemIndex // of each language
}

// prefixed returns the range of the words from index low to index high that have a prefix.
func (x *wordIndex) prefixed(prefix string, low, high int) (from, to int) {
	from = low + sort.SearchStrings(x.words[low:high], prefix)
	to = from + sort.Search(high-from, func(i int) bool { return !strings.HasPrefix(x.words[from+i], prefix) })
	return from, to
}

// found yields the positions of the products with a word that begins with w or has the stem of w. A
// product may be listed more than once.
func (x *wordIndex) found(w word) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		from, to := x.prefixed(w.text, 0, len(x.words))
		if from < to && !yield(x.positions.all[x.positions.starts[from]:x.positions.starts[to]]) {
			return
		}
		for i := range x.stems {
			if !x.stems[i].sameStem(w, x, func(n int32) bool {
				return int(n) >= from && int(n) < to || yield(x.positions.list(n))
			}) {
				return
			}
		}
	}
}

// wordIndexing numbers words while the products are read.
type wordIndexing struct {
	numberOf map[string]int32
	words    []indexedWord // by their numbers
	// products has the numbers of the words of each product, each once.
	products lists
	stems    []stemIndex
}

// indexedWord is a word with the number of products that have it and are not only found by an SKU.
// last and lastNamed are the last of the products that have it and that count in named, plus 1.
type indexedWord struct{ named, last, lastNamed int32 }

func newWordIndexing(languages commerce.Languages) *wordIndexing {
	x := &wordIndexing{numberOf: map[string]int32{}, products: lists{starts: []int32{0}}}
	for _, l := range languagesOf(languages) {
		x.stems = append(x.stems, stemIndex{language: l})
	}
	return x
}

// add adds a word of the next product. named is true unless it comes from an SKU.
func (x *wordIndexing) add(w word, named bool) {
	n, known := x.numberOf[w.text]
	if !known {
		n = int32(len(x.words))
		w.text = strings.Clone(w.text) // a substring would keep the whole name in memory
		x.numberOf[w.text] = n
		x.words = append(x.words, indexedWord{})
		for i := range x.stems {
			x.stems[i].add(w, n)
		}
	}
	indexed, product := &x.words[n], int32(len(x.products.starts))
	if indexed.last != product {
		indexed.last = product
		x.products.all = append(x.products.all, n)
	}
	if named && indexed.lastNamed != product {
		indexed.lastNamed = product
		indexed.named++
	}
}

// addText adds the words of a text.
func (x *wordIndexing) addText(text string, named bool) {
	for w := range words(text) {
		x.add(w, named)
	}
}

func (x *wordIndexing) endProduct() { x.products.end() }

// index sorts the words and numbers them anew.
func (x *wordIndexing) index() wordIndex {
	all := wordIndex{words: slices.AppendSeq(make([]string, 0, len(x.numberOf)), maps.Keys(x.numberOf))}
	slices.Sort(all.words)
	numbers := make([]int32, len(all.words))
	all.named = make([]int32, len(all.words))
	for i, word := range all.words {
		n := x.numberOf[word]
		numbers[n], all.named[i] = int32(i), x.words[n].named
	}
	for i := range x.stems {
		x.stems[i].renumber(numbers)
	}
	all.stems = x.stems
	x.products.renumber(numbers)
	all.positions = x.products.inverse(len(all.words))
	return all
}
