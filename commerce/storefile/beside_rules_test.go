package storefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// stateOf is the state of a document.
func stateOf(t testing.TB, text string) *assembled {
	t.Helper()
	doc := mustParse(t, text)
	return newAssembled(t, doc.Store, settingsOf(t, doc))
}

// besideFaults are the faults of a set that is judged beside a state, one line each.
func (a *assembled) besideFaults(t testing.TB, set *ChangeSet) (*Judged, []string) {
	t.Helper()
	judged, err := set.JudgeBeside(&Beside{Store: a.store, Text: a.text})
	var faults *Faults
	if err != nil && !errors.As(err, &faults) {
		t.Fatalf("%s: %v", set.root, err)
	}
	if faults == nil {
		return judged, nil
	}
	return nil, strings.Split(faults.Error(), "\n")
}

// Faults of the set come first, in its order, then those elsewhere in the document. A set's entry that has the slug, id or code of a
// stored one is at fault.
func TestFaultsBeside(t *testing.T) {
	const p1, p2, c1, c2 = `"id":"a0000000-0000-4000-8000-000000000001"`, `"id":"a0000000-0000-4000-8000-000000000002"`,
		`"id":"c0000000-0000-4000-8000-000000000001"`, `"id":"c0000000-0000-4000-8000-000000000002"`
	for _, c := range []struct {
		set  string
		want []string
	}{
		{`"set":{"products":[{` + p1 + `,"name":"One","slug":"two","tax":"high"}]}`, one("set.products[0].slug: is a duplicate of products[1].slug")},
		{`"set":{"products":[{` + p1 + `,"name":"One","slug":"two","tax":"high"},{` + p2 + `,"name":"Two","slug":"one","tax":"high"}]}`, nil},
		{`"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000003","name":"N","slug":"n","tax":"high","variants":[{` + p1 + `,"name":"V"}]}]}`,
			one("set.products[0].variants[0].id: is a duplicate of products[0].id")},
		{`"set":{"categories":[{` + c1 + `,"name":"A","slug":"b"}]}`, one("set.categories[0].slug: is a duplicate of categories[1].slug")},
		{`"set":{"categories":[{` + c1 + `,"name":"A","slug":"b"},{` + c2 + `,"name":"A","slug":"a"}]}`, nil},
		{`"set":{"discounts":[{"id":"d0000000-0000-4000-8000-000000000002","name":"D","kind":"order","code":" d","value":{"type":"percent","percent":"10"}}]}`,
			one("set.discounts[0].code: is a duplicate of discounts[0].code")},
		{`"remove":{"categories":["c0000000-0000-4000-8000-000000000001"]}`, one("products[0].category_ids[0]: is not the id of a category")},
		{`"remove":{"categories":["c0000000-0000-4000-8000-000000000001"]},"set":{"products":[{` + p1 + `,"name":"One","slug":"one","tax":"high"}]}`, nil},
		{`"remove":{"tax_rates":["high"]},"set":{"products":[{` + p2 + `,"name":"","slug":"two","tax":"high"}],"settings":{"name":null}}`, []string{
			"set.products[0].name: must not be empty", "set.products[0].tax: is not the code of a tax rate", "set.settings.name: is required",
			"products[0].tax: is not the code of a tax rate",
		}},
		{`"remove":{"products":["a0000000-0000-4000-8000-000000000001"]},"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000003","name":"N","slug":"two","tax":"high"}]}`,
			one("set.products[0].slug: is a duplicate of products[0].slug")},
	} {
		set := changeSet(t, `{"format":1,`+c.set+`}`)
		if _, got := stateOf(t, mergeBase).besideFaults(t, set); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.set, got, c.want)
		}
	}
}

// Rules of a whole list read the list that results, on both sides of each limit.
func TestRulesOfWholeListsBeside(t *testing.T) {
	list := func(name string, n int, entry string) string { return `"` + name + `":[` + numbered(n, entry) + `]` }
	const automatic = `{"id":"60000000-0000-4000-8000-%s","name":"D","kind":"order","value":{"type":"percent","percent":"1"}}`
	const exclusive = `{"id":"60000000-0000-4000-8000-%s","name":"D","kind":"order","exclusive":true,"value":{"type":"percent","percent":"1"}}`
	const method = `{"id":"70000000-0000-4000-8000-%s","name":"M","price_amount":1,"tax":"s"}`
	other := func(entry string) string {
		return strings.ReplaceAll(strings.Replace(entry, "0000000-0000-4000", "0000001-0000-4000", 1), "%s", "000000000001")
	}
	category := func(n, parent int) string {
		text := fmt.Sprintf(`{"id":"40000000-0000-4000-8000-%012d","name":"C","slug":"c%d"`, n, n)
		if parent >= 0 {
			text += fmt.Sprintf(`,"parent_id":"40000000-0000-4000-8000-%012d"`, parent)
		}
		return text + "}"
	}
	var chain, periods []string
	for n := range MaxLevels {
		chain = append(chain, category(n, n-1))
	}
	for n := range commerce.MaxPriceMoments / 2 {
		periods = append(periods, fmt.Sprintf(`{"id":"50000000-0000-4000-8000-%012d","name":"P","slug":"p%d","tax":"s",
			"price_periods":[{"from":"%d-01-01T00:00:00Z","until":"%d-07-01T00:00:00Z","price_amount":1}]}`, n, n, 2030+n, 2030+n))
	}
	dated := func(from string) string {
		return `"set":{"products":[{"id":"50000001-0000-4000-8000-000000000001","name":"P","slug":"n","tax":"s","price_periods":[{"from":"` + from +
			`","until":"2030-07-01T00:00:00Z","price_amount":1}]}]}`
	}
	const rate = `"tax_rates":[{"code":"s","rate":"21"}]`
	for _, c := range []struct {
		document, set string
		want          []string
	}{
		{list(discountList, 499, automatic), `"set":{"discounts":[` + other(automatic) + `]}`, nil},
		{list(discountList, 500, automatic), `"set":{"discounts":[` + other(automatic) + `]}`,
			one("discounts: must have at most 500 active discounts without a code, not 501")},
		{list(discountList, 500, automatic), `"set":{"discounts":[` + other(automatic) + `]},"remove":{"discounts":["60000000-0000-4000-8000-000000000001"]}`, nil},
		{list(discountList, 500, automatic), `"set":{"discounts":[` + numbered(3, automatic) + `]}`, nil},
		{list(discountList, 10, exclusive), `"set":{"discounts":[` + other(exclusive) + `]}`,
			one("discounts: must have at most 10 active exclusive discounts without a code, not 11")},
		{rate + "," + list("shipping_methods", 99, method), `"set":{"shipping_methods":[` + other(method) + `]}`, nil},
		{rate + "," + list("shipping_methods", 100, method), `"set":{"shipping_methods":[` + other(method) + `]}`,
			one("shipping_methods: must have at most 100 shipping methods")},
		{rate + `,"products":[` + strings.Join(periods, ",") + `]`, dated("2030-01-01T00:00:00Z"), nil},
		{rate + `,"products":[` + strings.Join(periods, ",") + `]`, dated("2030-02-01T00:00:00Z"),
			one(fmt.Sprintf("products: must have at most %d different moments in price_periods, not %d", commerce.MaxPriceMoments, commerce.MaxPriceMoments+1))},
		{`"categories":[` + strings.Join(chain, ",") + `]`, `"set":{"categories":[` + category(90, 31) + `]}`,
			one("set.categories[0].parent_id: makes more than 32 levels of categories")},
		{`"categories":[` + strings.Join(chain, ",") + `]`, `"set":{"categories":[` + category(90, -1) + `,` + category(0, 90) + `]}`,
			one("categories[31].parent_id: makes more than 32 levels of categories")},
		{`"categories":[` + strings.Join(chain, ",") + `]`, `"set":{"categories":[` + category(5, 20) + `]}`,
			one("set.categories[0].parent_id: makes a cycle of categories")},
		{`"categories":[` + category(3, 7) + "," + category(7, -1) + `]`, `"set":{"categories":[` + category(7, 3) + `]}`,
			one("categories[0].parent_id: makes a cycle of categories")},
	} {
		document := strings.TrimSuffix(minimal, "}") + "," + c.document + "}"
		state, set := stateOf(t, document), changeSet(t, `{"format":1,`+c.set+`}`)
		judged, got := state.besideFaults(t, set)
		if !slices.Equal(got, c.want) {
			t.Errorf("%.300s\n got %q\nwant %q", c.set, got, c.want)
		}
		merged, err := Merge([]byte(settingsOf(t, mustParse(t, document))), []*ChangeSet{set}, nil)
		if err != nil && err.Error() != strings.Join(c.want, "\n") || err == nil && c.want != nil {
			t.Errorf("%.300s: the import says %v", c.set, err)
		}
		if judged != nil && merged != nil {
			expect(t, c.set+" products", len(state.after(judged).store.Products), len(merged.Store.Products))
		}
	}
}

// Of very many references to what a set removes, the first hundred entries are read; the rest is counted.
func TestVeryManyLostReferences(t *testing.T) {
	const products = 1000
	text := string(large(products))
	state := stateOf(t, text)
	asked := 0
	set := changeSet(t, `{"format":1,"remove":{"tax_rates":["standard"],"categories":["40000000-0000-4000-8000-000000000001"]}}`)
	_, err := set.JudgeBeside(&Beside{Store: state.store, Text: func(key EntryKey) ([]byte, bool) {
		asked++
		return state.text(key)
	}})
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("%v; want faults", err)
	}
	list := faults.List()
	expect(t, "texts", asked, 100)
	expect(t, "faults", []any{len(list), faults.Total(), list[0].String(), list[199].String(), list[200].String()}, []any{201, 2 * products,
		"products[0].category_ids[0]: is not the id of a category", "products[99].tax: is not the code of a tax rate", "document: has 1800 more faults"})
	expect(t, "the value", list[0].Details(), `: "40000000-0000-4000-8000-000000000001" (SKU "P-0", id 50000000-0000-4000-8000-000000000000)`)
}

// A judgement without a text that it needs names the texts.
func TestTextsOfAJudgement(t *testing.T) {
	state := stateOf(t, mergeBase)
	one := uuid.MustParse("a0000000-0000-4000-8000-000000000001")
	change, err := ParseProductChange([]byte(`{"price_amount":5}`), one)
	if err != nil {
		t.Fatal(err)
	}
	product, settings := EntryKey{productList, one.String()}, EntryKey{storeMember, ""}
	discount, category := EntryKey{discountList, "d0000000-0000-4000-8000-000000000001"}, EntryKey{"categories", "c0000000-0000-4000-8000-000000000001"}
	for _, c := range []struct {
		set            *ChangeSet
		reads, touches []EntryKey
		single         bool
	}{
		{change, []EntryKey{product}, []EntryKey{product}, true},
		{changeSet(t, `{"format":1,"set":{"settings":{"name":"N"}}}`), []EntryKey{settings}, []EntryKey{settings}, true},
		{changeSet(t, `{"format":1,"set":{"tax_rates":[{"code":"new","rate":"1"}]}}`), nil, []EntryKey{{"tax_rates", "new"}}, true},
		{changeSet(t, `{"format":1,"set":{"tax_rates":[{"code":"new","rate":"1"}],"settings":{"name":"N"}}}`), []EntryKey{settings},
			[]EntryKey{settings, {"tax_rates", "new"}}, false},
		{changeSet(t, `{"format":1,"remove":{"categories":["`+category.Key+`"],"discounts":["`+discount.Key+`"]}}`), []EntryKey{product},
			[]EntryKey{product, category, discount}, false},
	} {
		expect(t, string(c.set.root)+" reads", c.set.Reads(state.store), c.reads)
		expect(t, string(c.set.root)+" touches", c.set.Touches(state.store), c.touches)
		_, single := c.set.Single()
		expect(t, string(c.set.root)+" single", single, c.single)
		_, err := c.set.JudgeBeside(&Beside{Store: state.store, Text: func(EntryKey) ([]byte, bool) { return nil, false }})
		var missing *MissingTexts
		if errors.As(err, &missing) != (c.reads != nil) || missing != nil && !slices.Equal(missing.Entries, c.reads) {
			t.Errorf("%s without texts: %v", c.set.root, err)
		}
	}
	expect(t, "tag", EntryTag([]byte(`{"code":"high","rate":"21"}`)), `"e824ed07839d8742"`)
}

// A batch without a secret keeps the one that the store has for its number.
func TestBatchKeepsItsSecret(t *testing.T) {
	state := stateOf(t, full(t))
	var rails *commerce.Discount
	for i := range state.store.Discounts {
		if d := &state.store.Discounts[i]; len(d.CodeBatches) > 0 {
			rails = d
		}
	}
	set := func(batches string) *ChangeSet {
		return changeSet(t, `{"format":1,"set":{"discounts":[{"id":"`+rails.ID.String()+`","name":"R","kind":"order","value":{"type":"percent","percent":"1"},
			"code_batches":[`+batches+`]}]}}`)
	}
	judged, faults := state.besideFaults(t, set(`{"number":0,"prefix":"NEW"},{"number":65535,"prefix":"R","secret":null}`))
	if faults != nil {
		t.Fatal(faults)
	}
	after := state.after(judged)
	for at, b := range after.store.Discount(rails.ID).CodeBatches {
		expect(t, "secret", string(b.Secret), string(rails.CodeBatches[at].Secret))
	}
	expect(t, "the document that results", mustParse(t, after.settings()).Store.Discount(rails.ID), after.store.Discount(rails.ID))
	_, faults = state.besideFaults(t, set(`{"number":7,"prefix":"NEW"},{"prefix":"OTHER"}`))
	expect(t, "new numbers", faults, []string{"set.discounts[0].code_batches[0].secret: is required", "set.discounts[0].code_batches[1].number: is required",
		"set.discounts[0].code_batches[1].secret: is required"})
}

// First numbers are those of items that the store does not track yet, and of new discounts.
func TestFirstNumbersBeside(t *testing.T) {
	state := stateOf(t, mergeBase)
	const three = "a0000000-0000-4000-8000-000000000003"
	judged, faults := state.besideFaults(t, changeSet(t, `{"format":1,"set":{"products":[
		{"id":"a0000000-0000-4000-8000-000000000001","name":"One","slug":"one","tax":"high","track_stock":true,
			"variants":[{"id":"b0000000-0000-4000-8000-000000000001","name":"V","stock":"3"}]},
		{"id":"a0000000-0000-4000-8000-000000000002","name":"Two","slug":"two","tax":"high","track_stock":true,"stock":"7"},
		{"id":"`+three+`","name":"Three","slug":"three","tax":"high","track_stock":true,"stock":"9"}],
		"discounts":[{"id":"d0000000-0000-4000-8000-000000000001","name":"D","kind":"order","used":5,"value":{"type":"percent","percent":"10"}},
		{"id":"d0000000-0000-4000-8000-000000000002","name":"D","kind":"order","used":4,"value":{"type":"percent","percent":"10"}}]}}`))
	if faults != nil {
		t.Fatal(faults)
	}
	expect(t, "stock", judged.Stock, []commerce.Stocked{
		{Item: id("b0000000-0000-4000-8000-000000000001"), OnHand: 3_000_000}, {Item: id("a0000000-0000-4000-8000-000000000002"), OnHand: 7_000_000},
		{Item: id(three), OnHand: 9_000_000},
	})
	expect(t, "discounts", []any{len(judged.Discounts), judged.Discounts[0].Used}, []any{1, int64(4)})
	expect(t, "counts", []int{judged.Changed, judged.Removed, judged.Products}, []int{5, 0, 3})
}

// A group price that is null is none: it may name a group that is gone.
func TestNullGroupPrice(t *testing.T) {
	with := func(price string) string {
		return strings.Replace(sparse, `"tiers":[`, `"group_prices":{"20000000-0000-4000-8000-000000000001":`+price+`},"tiers":[`, 1)
	}
	expect(t, "null", faultsOf(t, with("null")), []string(nil))
	expect(t, "a price", faultsOf(t, with("5")), one("products[0].group_prices.20000000-0000-4000-8000-000000000001: names no customer group by its id"))
}

// BenchmarkBeside is one price beside 100,000 products.
func BenchmarkBeside(b *testing.B) {
	state := stateOf(b, string(large(100_000)))
	key := state.store.Products[50_000].ID
	change, err := ParseProductChange([]byte(`{"price_amount":5}`), key)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := change.JudgeBeside(&Beside{Store: state.store, Text: state.text}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBesideSet is one entry, with a slug, beside 100,000 products.
func BenchmarkBesideSet(b *testing.B) {
	state := stateOf(b, string(large(100_000)))
	set := changeSet(b, `{"format":1,"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000002","name":"N","slug":"n","tax":"standard"}]}}`)
	for b.Loop() {
		if _, err := set.JudgeBeside(&Beside{Store: state.store, Text: state.text}); err != nil {
			b.Fatal(err)
		}
	}
}
