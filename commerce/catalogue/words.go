package catalogue

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// words yields the runs of letters and the runs of digits of a normalized text.
func words(normalized string) iter.Seq[string] {
	const (
		neither = iota
		letter
		digit
	)
	return func(yield func(string) bool) {
		start, kind := 0, neither
		for i, r := range normalized {
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
			if kind != neither && !yield(normalized[start:i]) {
				return
			}
			start, kind = i, is
		}
		if kind != neither {
			yield(normalized[start:])
		}
	}
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

// wordIndexing numbers words while the products are read.
type wordIndexing struct {
	numberOf map[string]int32
	words    []indexedWord // by their numbers
	// products has the numbers of the words of each product, each once.
	products lists
}

// indexedWord is a word with the number of products that have it and are not only found by an SKU.
// last and lastNamed are the last of the products that have it and that count in named, plus 1.
type indexedWord struct{ named, last, lastNamed int32 }

func newWordIndexing() *wordIndexing {
	return &wordIndexing{numberOf: map[string]int32{}, products: lists{starts: []int32{0}}}
}

// add adds a word of the next product. named is true unless it comes from an SKU.
func (x *wordIndexing) add(word string, named bool) {
	n, known := x.numberOf[word]
	if !known {
		n = int32(len(x.words))
		x.numberOf[strings.Clone(word)] = n // a substring would keep the whole name in memory
		x.words = append(x.words, indexedWord{})
	}
	w, product := &x.words[n], int32(len(x.products.starts))
	if w.last != product {
		w.last = product
		x.products.all = append(x.products.all, n)
	}
	if named && w.lastNamed != product {
		w.lastNamed = product
		w.named++
	}
}

// addText adds the words of a normalized text.
func (x *wordIndexing) addText(normalized string, named bool) {
	for word := range words(normalized) {
		x.add(word, named)
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
	x.products.renumber(numbers)
	all.positions = x.products.inverse(len(all.words))
	return all
}
