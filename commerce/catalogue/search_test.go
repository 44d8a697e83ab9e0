package catalogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// shelved is a catalogue of products with these names.
func shelved(names ...string) *Catalogue {
	s := &commerce.Store{}
	for i, name := range names {
		s.Products = append(s.Products, &commerce.Product{ID: testID(i + 1), Slug: fmt.Sprint("p", i), Name: name, Active: true})
	}
	return New(s)
}

// At most three different words of a query are corrected, those that come first. Beside a word that is not
// corrected the product has most words.
func TestAQueryHasAtMostThreeCorrectedWords(t *testing.T) {
	c := shelved("roller bracket curtain fabric")
	for _, row := range []struct {
		query string
		want  []Correction
		found int
	}{
		{"rolller brackett curtian", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"rolller brackett rolller curtian rolller", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"roller rolller brackett curtian fabricc", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"nothing nowhere nobody rolller", nil, 0},
	} {
		found := find(c, &Filter{Query: row.query}, nil)
		if !slices.Equal(found.Corrected, row.want) || found.Len() != row.found ||
			found.Partial != strings.Contains(row.query, "fabricc") {
			t.Errorf("%q: %d products, corrected %v; want %d, %v", row.query, found.Len(), found.Corrected, row.found, row.want)
		}
	}
}

// hanNames are names of six Chinese letters, each with another first letter.
func hanNames(n int) (names []string) {
	for i := range n {
		names = append(names, string(rune(0x4e00+i))+"乙丙丁戊己")
	}
	return names
}

// At most 500 words are tried for a word: with thousands of letters that could come first, an error in a
// later letter is corrected, one in the first letter only among the first of them.
func TestAWordHasAtMost500Candidates(t *testing.T) {
	names := hanNames(8000)
	c := shelved(names...)
	last := string([]rune(names[7999])[0])
	for query, want := range map[string]string{
		last + "乙丙丁戊庚":                 names[7999], // another letter
		last + "丙乙丁戊己":                 names[7999], // swapped
		last + "乙丙丙丁戊己":                names[7999], // one more
		last + "乙丙丁己":                  names[7999], // one less
		string(rune(0x9fff)) + "乙丙丁戊己": names[0],    // of the candidates the first by text
	} {
		if got := c.words.nearest(query); got != want {
			t.Errorf("%s is corrected to %q, want %q", query, got, want)
		}
	}
	// Only the last one has most products, and it is beyond the candidates.
	c = shelved(append(names, names[7999])...)
	if got := c.words.nearest(string(rune(0x9fff)) + "乙丙丁戊己"); got == names[7999] {
		t.Errorf("the candidate of all 8,000 letters was found: %s", got)
	}
}

// Between words a search may be ended.
func TestASearchEndsBetweenWords(t *testing.T) {
	c, enough := shelved("roller bracket curtain"), errors.New("enough")
	query := Filter{Query: "rolller brackett curtian"}
	for calls := range 6 {
		left := calls
		found, err := c.Find(&query, nil, func() error {
			if left--; left < 0 {
				return enough
			}
			return nil
		})
		if found != nil || !errors.Is(err, enough) {
			t.Errorf("after %d words: %v, %v", calls, found, err)
		}
	}
	if found := find(c, &query, nil); found.Len() != 1 {
		t.Errorf("without an end: %d products", found.Len())
	}
}
