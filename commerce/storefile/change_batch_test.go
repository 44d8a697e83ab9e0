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
func TestPagesOfChangedStores(t *testing.T) { pagesOfChanged(t, 60) }

func pagesOfChanged(t *testing.T, documents int) {
	t.Helper()
	made, refused := 0, 0
	for seed := range uint64(documents) {
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
		for range 3 {
			batch, name := state.Batch(text), fmt.Sprintf("seed %d\ndocument %s", seed, model.settings())
			for range d.IntN(5) {
				set := d.anySet(batch.Store())
				if set == nil {
					continue
				}
				name += "\nset " + string(set.root)
				want, wantErr := set.JudgeBeside(&Beside{Store: model.store, Text: model.text})
				judged, err := batch.Add(set, nil)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("%s\n got %v\nwant %v", name, err, wantErr)
				}
				if err != nil {
					refused++
					continue
				}
				made++
				expect(t, name, []int{judged.Changed, judged.Removed, judged.Products}, []int{want.Changed, want.Removed, want.Products})
				model = model.after(want)
			}
			next, entering, err := batch.Done()
			if err != nil {
				t.Fatalf("%s\n%v", name, err)
			}
			want, wantTexts := pagesOf(t, []byte(model.settings()), table.Cut)
			if !slices.Equal(next.Table.Pages, want.Pages) || !bytes.Equal(next.Table.Rest, want.Rest) {
				t.Fatalf("%s\n got %d pages, rest %s\nwant %d pages, rest %s", name, len(next.Table.Pages), next.Table.Rest, len(want.Pages), want.Rest)
			}
			if got, want := indexed(*next.Store), model.store; !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\n got %+v\nwant %+v", name, got, want)
			}
			for _, page := range entering {
				if texts[page.Name] = page.Text; !bytes.Equal(page.Text, wantTexts[page.Name]) {
					t.Fatalf("%s\npage %s is %s", name, page.Name, page.Text)
				}
			}
			state = next
			key := d.entryOf(model)
			if got, ok := state.EntryText(key, text); !ok || string(got) != model.texts[key] {
				t.Fatalf("%s\n%v is %s", name, key, got)
			}
		}
	}
	if made < 50 || refused < 50 {
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
	change := func() error {
		b := state.Batch(text)
		if _, err := b.Add(set, nil); err != nil {
			return err
		}
		_, _, err := b.Done()
		return err
	}
	err = change()
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
		err = change()
	}
}

// BenchmarkChangeBatch is a commit of single prices of a store of 100,000 products: their pages, the table, the next store.
func BenchmarkChangeBatch(b *testing.B) {
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
	price := 0
	for _, sets := range []int{1, 32} {
		b.Run(fmt.Sprint(sets), func(b *testing.B) {
			for b.Loop() {
				batch := state.Batch(text)
				for range sets {
					price++
					set, err := ParseProductChange(fmt.Appendf(nil, `{"price_amount":%d}`, price), state.Store.Products[price*7919%100_000].ID)
					if err == nil {
						_, err = batch.Add(set, nil)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				next, entering, err := batch.Done()
				if err != nil {
					b.Fatal(err)
				}
				for _, page := range entering {
					texts[page.Name] = page.Text
				}
				state = next
			}
		})
	}
}
