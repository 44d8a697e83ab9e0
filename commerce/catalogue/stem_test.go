package catalogue

import (
	"strings"
	"testing"
	"unicode"

	"cartd/commerce"
)

// Every language of a store has a stemmer, and its own forms of a word.
func TestEveryLanguageHasAStemmer(t *testing.T) {
	for language, words := range map[commerce.Language][2]string{
		commerce.Arabic: {"كتاب", "الكتاب"}, commerce.Danish: {"lampe", "lamper"}, commerce.German: {"Lampe", "Lampen"}, commerce.English: {"blind", "blinds"},
		commerce.Spanish: {"lámpara", "lámparas"}, commerce.Finnish: {"lamppu", "lamput"}, commerce.French: {"étagère", "étagères"},
		commerce.Irish: {"bróg", "mbróg"}, commerce.Hungarian: {"kalapács", "kalapácsok"}, commerce.Italian: {"lampada", "lampade"},
		commerce.Dutch: {"gordijn", "gordijnen"}, commerce.Norwegian: {"lampe", "lamper"}, commerce.Portuguese: {"lâmpada", "lâmpadas"},
		commerce.Romanian: {"lampă", "lămpi"}, commerce.Russian: {"белый", "белая"}, commerce.Swedish: {"lampa", "lampor"}, commerce.Tamil: {"விளக்கு", "விளக்குகள்"},
		commerce.Turkish: {"lamba", "lambalar"},
	} {
		s := &commerce.Store{Languages: commerce.Languages(0).With(language)}
		for i, name := range words {
			s.Products = append(s.Products, &commerce.Product{ID: testID(i + 1), Active: true, Name: name})
		}
		c := New(s)
		for _, query := range words {
			if found := find(c, &Filter{Query: query}, nil); found.Len() != 2 || found.Partial || found.Corrected != nil {
				t.Errorf("%s: %q finds %d of %q", language, query, found.Len(), words)
			}
		}
	}
	if len(languagesOf(commerce.AllLanguages())) != len(stemmers) || len(stemmers) != len(commerce.AllLanguages().Names()) {
		t.Errorf("%d stemmers for the languages %v", len(stemmers), commerce.AllLanguages().Names())
	}
}

// A store without the language does not know the forms of its words.
func TestAStoreKnowsItsLanguagesOnly(t *testing.T) {
	for language, want := range map[commerce.Language]int{commerce.German: 1, commerce.Russian: 0} {
		c := New(&commerce.Store{
			Languages: commerce.Languages(0).With(language), Products: []*commerce.Product{{ID: testID(1), Active: true, Name: "Haus"}},
		})
		if found := find(c, &Filter{Query: "Häusern"}, nil); found.Len() != want {
			t.Errorf("%s: %d products, want %d", language, found.Len(), want)
		}
	}
}

// No word stops a stemmer, and the words of a text are the letters and digits of its normalized form.
func FuzzStems(f *testing.F) {
	for _, text := range []string{"blinds", "Häuser 18V", "اَلْكِتَابُ", "விளக்குகள்", "белый", "ss'", "ıİ", "ﬁ\u0301", "y'y'y m²"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := ""
		for w := range words(text) {
			all += w.text
			for _, language := range languagesOf(commerce.AllLanguages()) {
				stemOf(w, language)
			}
		}
		want := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, commerce.NormalizeText(text))
		if all != want {
			t.Errorf("%q has the words %q, want %q", text, all, want)
		}
	})
}
