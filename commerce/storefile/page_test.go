package storefile

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

// productsWith are products with the ids a0000000-0000-4000-8000-… of numbers.
func productsWith(numbers ...int) (entries []Entry) {
	for _, n := range numbers {
		entries = append(entries, productWithNumber("a", n))
	}
	return entries
}

func productWithNumber(prefix string, n int) Entry {
	id := fmt.Sprintf("%s0000000-0000-4000-8000-%012d", prefix, n)
	return Entry{"products", id, []byte(`{"id":"` + id + `"}`)}
}

func upTo(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i+1)
	}
	return numbers
}

// cutAll returns the table of entries and their pages' texts.
func cutAll(entries []Entry, cut, maxText int) (Table, map[PageName][]byte) {
	t, texts := Table{Cut: cut, Rest: []byte(`{"format":1}`)}, map[PageName][]byte{}
	t.cut(entries, maxText, func(p Page) { texts[p.Name] = bytes.Clone(p.Text) })
	return t, texts
}

func lengths(t *testing.T, table Table, texts map[PageName][]byte) (all []int) {
	t.Helper()
	for _, name := range table.Pages {
		entries, err := Entries(texts[name])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, len(entries))
	}
	return all
}

func TestPagesOfExamples(t *testing.T) {
	for _, test := range []struct {
		name     string
		entries  []Entry
		want     []int
		entering int
	}{
		{"300 products", productsWith(upTo(300)...), []int{86, 104, 110}, 3},
		{"a new one after the 150th", slices.Insert(productsWith(upTo(300)...), 150, productWithNumber("b", 1)), []int{86, 105, 110}, 1},
		{"without the 99th", slices.Delete(productsWith(upTo(300)...), 98, 99), []int{86, 103, 110}, 1},
		{"with the 301st", productsWith(upTo(301)...), []int{86, 104, 111}, 1},
	} {
		_, old := cutAll(productsWith(upTo(300)...), 64, maxPageText)
		table, texts := cutAll(test.entries, 64, maxPageText)
		if got := lengths(t, table, texts); !slices.Equal(got, test.want) {
			t.Errorf("%s: pages of %d entries, want %d", test.name, got, test.want)
		}
		if test.entering == 3 {
			continue
		}
		maps.DeleteFunc(texts, func(name PageName, _ []byte) bool { return old[name] != nil })
		if len(texts) != test.entering {
			t.Errorf("%s: %d pages enter, want %d", test.name, len(texts), test.entering)
		}
	}
	if e := productsWith(87)[0]; e.hash()%64 != 0 {
		t.Errorf("h mod 64 of %s is %d, want 0", e.Key, e.hash()%64)
	}
}

// smallShop is a document of one page.
const smallShop = `{"categories":[{"id":"c0000000-0000-4000-8000-000000000001","name":"A","slug":"a"}],"format":1,"redirects":[],` +
	`"store":{"id":"11111111-1111-4111-8111-111111111111","modules":["catalog"],"name":"Shop"},"tax_rates":[{"code":"high","rate":"21"}]}`

func TestNameOfPage(t *testing.T) {
	table, err := Cut([]byte(smallShop), 0)
	if err != nil || len(table.Pages) != 1 || table.Pages[0].String() != "b544fafc3372ed8b8a4b89fd584568b8" {
		t.Fatalf("%v, %v", table, err)
	}
	text, err := Unpack(table.Pages[0], table.Packed[0])
	if err != nil || len(text) != 216 {
		t.Errorf("unpacked %s, %v", text, err)
	}
	if string(table.Rest) != `{"format":1,"redirects":[]}` {
		t.Errorf("rest is %s", table.Rest)
	}
	store := bytes.Replace([]byte(`{"id":"11111111-1111-4111-8111-111111111111","modules":["catalog"],"name":"Shop"}`), []byte("Shop"), []byte("Tools"), 1)
	next, entering, err := table.Recut([]Edit{{List: "store", Text: store}}, func(PageName) ([]byte, error) { return text, nil })
	if err != nil || len(next.Pages) != 1 || len(entering) != 1 || entering[0].Name.String() != "f7f0d129686086afe5f237508d277dd8" {
		t.Errorf("%v, %v, %v", next, entering, err)
	}
}

func TestPageThatCannotBeRead(t *testing.T) {
	p := Page{NameOf([]byte(`{"products":[]}`)), []byte(`{"products":[]}`)}
	packed := new(Packer).Pack(p)
	other := Page{p.Name, []byte(`{"products":[1]}`)}
	for name, stored := range map[string][]byte{
		"absent": nil, "later format": append([]byte{2}, packed[1:]...), "cut off": packed[:len(packed)-1], "other text": new(Packer).Pack(other),
	} {
		if text, err := Unpack(p.Name, stored); err == nil {
			t.Errorf("%s: read %s", name, text)
		}
	}
	if _, err := Entries([]byte(`{"later":[1]}`)); err == nil {
		t.Error("a member that no page has was read")
	}
}

func TestCutGrowsWithTheDocument(t *testing.T) {
	for entries, want := range map[int]int{1: 64, 131_072: 64, 131_073: 128, 262_144: 128, 1_000_000: 512} {
		if got := cutFor(entries); got != want {
			t.Errorf("cut of %d entries is %d, want %d", entries, got, want)
		}
	}
}

// randomEntries are entries of some lists, in the sequence's order.
func randomEntries(random *rand.Rand) (entries []Entry) {
	for _, list := range pagedLists {
		if list.name == storeMember {
			entries = append(entries, Entry{storeMember, "", []byte(`{"name":"Shop"}`)})
			continue
		}
		for range random.IntN(3) * random.IntN(30) {
			entries = append(entries, randomEntry(random, list))
		}
	}
	return entries
}

func randomEntry(random *rand.Rand, list *outline) Entry {
	key := fmt.Sprintf("%08x-0000-4000-8000-000000000000", random.Uint32())
	return Entry{list.name, key, fmt.Appendf(nil, `{%q:%q,"text":%q}`, list.key().name, key, strings.Repeat("x", random.IntN(50)))}
}

// randomEdits changes some entries, and returns the edits and the entries after them.
func randomEdits(random *rand.Rand, entries []Entry, pageOf func(entry int) int) (edits []Edit, after []Entry) {
	appended := map[string][]Entry{}
	for i, e := range entries {
		switch kind := random.IntN(60); {
		case kind == 0 && e.List != storeMember:
			edits = append(edits, Edit{List: e.List, Key: e.Key, Page: pageOf(i)})
			if random.IntN(2) == 0 {
				appended[e.List] = append(appended[e.List], e)
			}
			continue
		case kind == 1:
			e.Text = bytes.Replace(e.Text, []byte(`:"`), []byte(`:"`), 1)
			e.Text = slices.Concat(e.Text[:len(e.Text)-2], bytes.Repeat([]byte("y"), random.IntN(9)), e.Text[len(e.Text)-2:])
			if random.IntN(2) == 0 {
				e.Text = bytes.ReplaceAll(e.Text, []byte("x"), nil)
			}
			edits = append(edits, Edit{List: e.List, Key: e.Key, Text: e.Text, Page: pageOf(i)})
		}
		after = append(after, e)
	}
	for _, list := range pagedLists {
		for range random.IntN(8) / 5 {
			if list.name != storeMember {
				appended[list.name] = append(appended[list.name], randomEntry(random, list))
			}
		}
		before := -1 // the last entry that is before those appended
		for i, e := range entries {
			if e.List <= list.name {
				before = i
			}
		}
		at := 0
		for at < len(after) && after[at].List <= list.name {
			at++
		}
		after = slices.Insert(after, at, appended[list.name]...)
		for _, e := range appended[list.name] {
			edits = append(edits, Edit{List: e.List, Key: e.Key, Text: e.Text, Appended: true, Page: pageOf(before)})
		}
	}
	return edits, after
}

// TestRecutIsTheCutOfTheWhole changes documents again and again, and compares each table with that of the whole document.
func TestRecutIsTheCutOfTheWhole(t *testing.T) { recutIsTheCut(t, 80) }

func recutIsTheCut(t *testing.T, lists int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for range lists {
		cut, maxText := 4<<random.IntN(3), 300+random.IntN(2000)
		entries := randomEntries(random)
		table, texts := cutAll(entries, cut, maxText)
		for range 10 {
			starts, n := []int{}, 0
			for _, length := range lengths(t, table, texts) {
				starts = append(starts, n)
				n += length
			}
			pageOf := func(entry int) int {
				page := 0
				for page+1 < len(starts) && starts[page+1] <= entry {
					page++
				}
				return page
			}
			edits, after := randomEdits(random, entries, pageOf)
			next, entering, err := table.recut(edits, maxText, func(name PageName) ([]byte, error) { return texts[name], nil })
			if err != nil {
				t.Fatal(err)
			}
			want, wantTexts := cutAll(after, cut, maxText)
			if !slices.Equal(next.Pages, want.Pages) {
				t.Fatalf("cut %d, %d bytes, %d entries, edits %+v:\npages %v\nwant  %v", cut, maxText, len(entries), edits, next.Pages, want.Pages)
			}
			for name := range wantTexts {
				in := slices.ContainsFunc(entering, func(p Page) bool { return p.Name == name })
				if in == (texts[name] != nil) {
					t.Fatalf("page %s enters: %v, was there: %v", name, in, texts[name] != nil)
				}
			}
			for _, p := range entering {
				if !bytes.Equal(p.Text, wantTexts[p.Name]) {
					t.Fatalf("page %s: %s, want %s", p.Name, p.Text, wantTexts[p.Name])
				}
			}
			entries, table, texts = after, next, wantTexts
		}
	}
}

// TestRecutReadsFewPages changes one price, which has as many digits or fewer.
func TestRecutReadsFewPages(t *testing.T) {
	entries := productsWith(upTo(300)...)
	table, texts := cutAll(entries, 64, maxPageText)
	for _, test := range []struct {
		what string
		edit Edit
		want int
	}{
		{"a longer text", Edit{List: "products", Key: entries[90].Key, Text: []byte(`{"id":"` + entries[90].Key + `","price_amount":1}`), Page: 1}, 1},
		{"a shorter text", Edit{List: "products", Key: entries[90].Key, Text: []byte(`{}`), Page: 1}, 2},
		{"a shorter first one", Edit{List: "products", Key: entries[86].Key, Text: []byte(`{}`), Page: 1}, 3},
		{"an entry more", Edit{List: "products", Key: "new", Text: []byte(`{}`), Page: 2, Appended: true}, 1},
	} {
		read := 0
		if _, _, err := table.Recut([]Edit{test.edit}, func(name PageName) ([]byte, error) { read++; return texts[name], nil }); err != nil {
			t.Fatal(err)
		}
		if read != test.want {
			t.Errorf("%s: read %d pages, want %d", test.what, read, test.want)
		}
	}
}

func TestRecutOfWrongEdits(t *testing.T) {
	table, texts := cutAll(productsWith(upTo(300)...), 64, maxPageText)
	for _, edit := range []Edit{
		{List: "products", Key: "unknown", Page: 1},
		{List: "products", Key: productsWith(1)[0].Key, Page: 1},
		{List: "products", Key: productsWith(1)[0].Key, Page: 3},
	} {
		if next, _, err := table.Recut([]Edit{edit}, func(name PageName) ([]byte, error) { return texts[name], nil }); err == nil {
			t.Errorf("%+v: made %d pages", edit, len(next.Pages))
		}
	}
}

// TestJoinedPagesAreTheDocument cuts documents and joins them again.
func TestJoinedPagesAreTheDocument(t *testing.T) {
	for _, document := range []string{smallShop, `{"format":1}`, `{}`, `{"format":1,"products":[],"store":{"id":"1"},"tax_rates":null}`,
		`{"redirects":[],"store":{}}`} {
		p, err := Cut([]byte(document), 0)
		if err != nil {
			t.Fatal(err)
		}
		if joined, err := p.Settings(); err != nil || string(joined) != document {
			t.Errorf("joined %s, %v, want %s", joined, err, document)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		entries := randomEntries(random)
		table, texts := cutAll(entries, 4, 1000)
		for _, list := range pagedLists {
			if !slices.ContainsFunc(entries, func(e Entry) bool { return e.List == list.name }) && random.IntN(2) == 0 {
				table.Rest, _ = WithEmpty(table.Rest, list.name, true)
			}
		}
		var joined bytes.Buffer
		if err := table.Join(&joined, func(name PageName) ([]byte, error) { return texts[name], nil }); err != nil {
			t.Fatal(err)
		}
		again, rest, err := sequence(joined.Bytes())
		if err != nil || string(rest) != string(table.Rest) || !slices.EqualFunc(again, entries, func(a, b Entry) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			t.Fatalf("joined %s, %v", &joined, err)
		}
		root, err := strictjson.Parse(joined.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		canonical := canonicalWriter{}
		if canonical.value(root, &documentOutline); string(canonical.dst) != joined.String() {
			t.Fatalf("%s is not canonical", &joined)
		}
	}
}

func TestRestOfEmptyLists(t *testing.T) {
	rest := []byte(`{"format":1,"redirects":[]}`)
	for _, test := range []struct {
		list  string
		empty bool
		want  string
	}{
		{"products", true, `{"format":1,"products":[],"redirects":[]}`},
		{"redirects", true, `{"format":1,"redirects":[]}`},
		{"redirects", false, `{"format":1}`},
	} {
		if got, err := WithEmpty(rest, test.list, test.empty); err != nil || string(got) != test.want {
			t.Errorf("%s empty: %v: %s, %v, want %s", test.list, test.empty, got, err, test.want)
		}
	}
}
