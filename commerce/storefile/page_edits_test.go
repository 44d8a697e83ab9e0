package storefile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The edits of judged sets make of the pages of a document those of the document that results.
func TestEditsOfJudgedSets(t *testing.T) {
	made := 0
	for seed := range uint64(150) {
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 73))}
		whole, err := Parse([]byte(spelt(d.document())))
		if err != nil {
			continue
		}
		state := newAssembled(t, whole.Store, settingsOf(t, whole))
		texts := map[PageName][]byte{}
		table := state.table(t, 1<<d.IntN(4), texts)
		read := func(name PageName) ([]byte, error) { return texts[name], nil }
		for range 6 {
			set := d.anySet(state.store)
			if set == nil {
				continue
			}
			judged, err := set.JudgeBeside(&Beside{Store: state.store, Text: state.text})
			if err != nil {
				continue
			}
			var entries []int
			for _, name := range table.Pages {
				of, err := Entries(texts[name])
				if err != nil {
					t.Fatal(err)
				}
				entries = append(entries, len(of))
			}
			name := fmt.Sprintf("seed %d\ndocument %s\nset %s", seed, state.settings(), set.root)
			next, entering, err := table.Recut(judged.Edits(NewPageFinder(state.store, entries)), read)
			if err != nil {
				t.Fatalf("%s\n%v", name, err)
			}
			if next.Rest, err = judged.Rest(state.store, table.Rest); err != nil {
				t.Fatal(err)
			}
			for _, page := range entering {
				texts[page.Name] = page.Text
			}
			state = state.after(judged)
			if want := state.table(t, table.Cut, map[PageName][]byte{}); !slices.Equal(next.Pages, want.Pages) || !bytes.Equal(next.Rest, want.Rest) {
				t.Fatalf("%s\n got %d pages, rest %s\nwant %d pages, rest %s", name, len(next.Pages), next.Rest, len(want.Pages), want.Rest)
			}
			table = next
			made++
		}
	}
	if made < 100 {
		t.Errorf("%d sets are too few", made)
	}
}

// table cuts the document.
func (a *assembled) table(t *testing.T, cut int, texts map[PageName][]byte) Table {
	t.Helper()
	entries, rest, err := sequence([]byte(a.settings()))
	if err != nil {
		t.Fatal(err)
	}
	table := Table{Cut: cut, Rest: rest}
	table.cut(entries, maxPageText, func(p Page) { texts[p.Name] = bytes.Clone(p.Text) })
	return table
}
