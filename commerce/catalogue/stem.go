package catalogue

import (
	"cmp"
	"slices"
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
