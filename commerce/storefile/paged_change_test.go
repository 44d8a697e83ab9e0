package storefile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
)

// Sets of one batch, judged in turn, make the pages and the store that imports of the whole document would make; a faulty one spoils
// no other.
func TestPagesOfChangedStores(t *testing.T) {
	made, refused := 0, 0
	for seed := range uint64(120) {
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 74))}
		whole, err := Parse([]byte(spelt(d.document())))
		if err != nil {
			continue
		}
		model := newAssembled(t, whole.Store, settingsOf(t, whole))
		table, texts := pagesOf(t, []byte(model.settings()), 1<<d.IntN(4))
		state, err := assembleFrom(new(PagedStore), table, texts)
		if err != nil {
			t.Fatal(err)
		}
		text := func(name PageName) ([]byte, bool) { page, ok := texts[name]; return page, ok }
		for range 8 {
			set := d.anySet(state.Store)
			if set == nil {
				continue
			}
			name := fmt.Sprintf("seed %d\ndocument %s\nset %s", seed, model.settings(), set.root)
			judged, wantErr := set.JudgeBeside(&Beside{Store: model.store, Text: model.text})
			changed, err := state.Change(set, nil, text)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s\n got %v\nwant %v", name, err, wantErr)
			}
			if err != nil {
				refused++
				continue
			}
			made++
			model = model.after(judged)
			want, wantTexts := pagesOf(t, []byte(model.settings()), table.Cut)
			if next := changed.Next.Table; !slices.Equal(next.Pages, want.Pages) || !bytes.Equal(next.Rest, want.Rest) {
				t.Fatalf("%s\n got %d pages, rest %s\nwant %d pages, rest %s", name, len(next.Pages), next.Rest, len(want.Pages), want.Rest)
			}
			if got, want := indexed(*changed.Next.Store), model.store; !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\n got %+v\nwant %+v", name, got, want)
			}
			for _, page := range changed.Entering {
				if texts[page.Name] = page.Text; !bytes.Equal(page.Text, wantTexts[page.Name]) {
					t.Fatalf("%s\npage %s is %s", name, page.Name, page.Text)
				}
			}
			state = changed.Next
			key := d.entryOf(model)
			if got, ok := state.EntryText(key, text); !ok || string(got) != model.texts[key] {
				t.Fatalf("%s\n%v is %s", name, key, got)
			}
		}
	}
	if made < 100 || refused < 100 {
		t.Errorf("%d sets made and %d refused are too few", made, refused)
	}
}

// entryOf is an entry of a state.
func (d *dice) entryOf(a *assembled) EntryKey {
	keys := []EntryKey{{storeMember, ""}}
	for key := range a.texts {
		keys = append(keys, key)
	}
	return keys[d.IntN(len(keys))]
}

// A change names the pages that it needs and that the caller does not have.
func TestChangeWithoutPages(t *testing.T) {
	model := stateOf(t, mergeBase)
	table, texts := pagesOf(t, []byte(model.settings()), 1)
	state, err := assembleFrom(new(PagedStore), table, texts)
	if err != nil {
		t.Fatal(err)
	}
	one := uuid.MustParse("a0000000-0000-4000-8000-000000000001")
	set, err := ParseProductChange([]byte(`{"price_amount":5}`), one)
	if err != nil {
		t.Fatal(err)
	}
	known := map[PageName][]byte{}
	text := func(name PageName) ([]byte, bool) { page, ok := known[name]; return page, ok }
	_, err = state.Change(set, nil, text)
	var missing *MissingPages
	if !errors.As(err, &missing) || len(missing.Names) != 1 || !slices.Equal(missing.Names, state.PagesFor(set)) {
		t.Fatalf("%v; want the page of the product", err)
	}
	if _, ok := state.EntryText(EntryKey{productList, one.String()}, text); ok {
		t.Error("an entry of a page that is not known has a text")
	}
	for trips := 0; err != nil; trips++ {
		if !errors.As(err, &missing) || trips == 3 {
			t.Fatalf("after %d trips: %v", trips, err)
		}
		for _, name := range missing.Names {
			known[name] = texts[name]
		}
		_, err = state.Change(set, nil, text)
	}
}

// BenchmarkPagedChange is one price of a store of 100,000 products: its page, the table, the next store.
func BenchmarkPagedChange(b *testing.B) {
	doc := mustParse(b, string(large(100_000)))
	entries, rest, err := sequence([]byte(settingsOf(b, doc)))
	if err != nil {
		b.Fatal(err)
	}
	table, texts := cutAll(entries, minCut, maxPageText)
	table.Rest = rest
	state, err := assembleFrom(new(PagedStore), table, texts)
	if err != nil {
		b.Fatal(err)
	}
	text := func(name PageName) ([]byte, bool) { page, ok := texts[name]; return page, ok }
	for i := 0; b.Loop(); i++ {
		p := state.Store.Products[i*7919%len(state.Store.Products)]
		set, err := ParseProductChange(fmt.Appendf(nil, `{"price_amount":%d}`, i), p.ID)
		if err != nil {
			b.Fatal(err)
		}
		changed, err := state.Change(set, nil, text)
		if err != nil {
			b.Fatal(err)
		}
		for _, page := range changed.Entering {
			texts[page.Name] = page.Text
		}
		state = changed.Next
	}
}
