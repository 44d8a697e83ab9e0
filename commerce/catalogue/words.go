package catalogue

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"

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

// stemmers take the endings off words. They read words in lower case with their accents.
var stemmers = map[commerce.Language]func(*snowballstem.Env) bool{
	commerce.Arabic: arabic.Stem, commerce.Danish: danish.Stem, commerce.German: german.Stem, commerce.English: english.Stem,
	commerce.Spanish: spanish.Stem, commerce.Finnish: finnish.Stem, commerce.French: french.Stem, commerce.Irish: irish.Stem,
	commerce.Hungarian: hungarian.Stem, commerce.Italian: italian.Stem, commerce.Dutch: dutch.Stem, commerce.Norwegian: norwegian.Stem,
	commerce.Portuguese: portuguese.Stem, commerce.Romanian: romanian.Stem, commerce.Russian: russian.Stem, commerce.Swedish: swedish.Stem,
	commerce.Tamil: tamil.Stem, commerce.Turkish: turkish.Stem,
}

// languagesOf lists the members of a set.
func languagesOf(set commerce.Languages) (all []commerce.Language) {
	for l := range stemmers {
		if set.Has(l) {
			all = append(all, l)
		}
	}
	slices.Sort(all)
	return all
}

// maxStemmed is the length of the longest word that has a stem, in bytes. No language has longer ones.
const maxStemmed = 64

// stemOf is the stem of a word in a language, as words are compared.
func stemOf(w word, l commerce.Language) string {
	first, _ := utf8.DecodeRuneInString(w.text)
	if !unicode.IsLetter(first) || len(w.lower) > maxStemmed {
		return w.text
	}
	env := snowballstem.NewEnv(w.lower)
	stemmers[l](env)
	return commerce.NormalizeText(env.Current())
}

// stemIndex finds the words of an index by their stem in one language.
type stemIndex struct {
	language commerce.Language
	// stemmed are the words that differ from their stem, sorted by stem and word.
	stemmed []stemmedWord
}

// stemmedWord is the number of a word with its stem.
type stemmedWord struct {
	stem string
	word int32
}

// add adds a word with its number, unless it is its own stem.
func (x *stemIndex) add(w word, number int32) {
	stem := stemOf(w, x.language)
	switch {
	case stem == w.text || stem == "":
		return
	case strings.HasPrefix(w.text, stem):
		stem = w.text[:len(stem)] // in the memory of the word
	}
	x.stemmed = append(x.stemmed, stemmedWord{stem, number})
}

// renumber gives the words new numbers, and sorts them.
func (x *stemIndex) renumber(numbers []int32) {
	for i := range x.stemmed {
		x.stemmed[i].word = numbers[x.stemmed[i].word]
	}
	slices.SortFunc(x.stemmed, func(a, b stemmedWord) int {
		return cmp.Or(strings.Compare(a.stem, b.stem), cmp.Compare(a.word, b.word))
	})
	x.stemmed = slices.Clip(x.stemmed)
}

// sameStem yields the numbers of the words of an index that have the stem of a word.
func (x *stemIndex) sameStem(w word, in *wordIndex, yield func(int32) bool) bool {
	stem := stemOf(w, x.language)
	if at, found := slices.BinarySearch(in.words, stem); found && stemOf(word{stem, stem}, x.language) == stem && !yield(int32(at)) {
		return false
	}
	at, _ := slices.BinarySearchFunc(x.stemmed, stem, func(s stemmedWord, stem string) int { return strings.Compare(s.stem, stem) })
	for ; at < len(x.stemmed) && x.stemmed[at].stem == stem; at++ {
		if !yield(x.stemmed[at].word) {
			return false
		}
	}
	return true
}
