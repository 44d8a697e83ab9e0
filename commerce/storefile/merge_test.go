package storefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// mergeBase is a document with two products, two categories and a discount.
const mergeBase = `{"format":1,
"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":["catalog"],"policy":{"max_lines":5},"webhooks":[{"url":"https://example.org/h",
 "secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw","events":["stock.adjusted"]}]},
"tax_rates":[{"code":"high","rate":"21"}],
"categories":[{"id":"c0000000-0000-4000-8000-000000000001","name":"A","slug":"a"},{"id":"c0000000-0000-4000-8000-000000000002","name":"B","slug":"b"}],
"products":[
 {"id":"a0000000-0000-4000-8000-000000000001","name":"One","slug":"one","tax":"high","price_amount":100,
  "category_ids":["c0000000-0000-4000-8000-000000000001"],"track_stock":true,"stock":"5"},
 {"id":"a0000000-0000-4000-8000-000000000002","name":"Two","slug":"two","tax":"high","price_amount":200}],
"discounts":[{"id":"d0000000-0000-4000-8000-000000000001","name":"D","kind":"order","code":"D","value":{"type":"percent","percent":"10"}}]}`

func changeSet(t testing.TB, text string) *ChangeSet {
	t.Helper()
	set, err := ParseChangeSet([]byte(text), OperatorSettings)
	if err != nil {
		t.Fatalf("ParseChangeSet(%s): %v", text, err)
	}
	return set
}

// mergeOf merges change sets into mergeBase.
func mergeOf(t testing.TB, texts ...string) (*Merged, error) {
	t.Helper()
	var sets []*ChangeSet
	for _, text := range texts {
		sets = append(sets, changeSet(t, text))
	}
	return Merge([]byte(settingsOf(t, mustParse(t, mergeBase))), sets, nil)
}

// Entries are the same by id, tax rates by code, redirects by from. A set entry replaces the whole
// entry, new ones are appended.
func TestMergeReplacesAndAppends(t *testing.T) {
	merged, err := mergeOf(t, `{"format":1,"set":{
		"products":[{"id":"A0000000-0000-4000-8000-000000000001","name":"Uno","slug":"uno","tax":"low"},{"id":"a0000000-0000-4000-8000-000000000003",
		 "name":"Three","slug":"three","tax":"high"}],
		"tax_rates":[{"code":"low","rate":"9"},{"code":"high","rate":"20"}],
		"redirects":[{"from":"/old","to":"/new","status":301}]},
		"remove":{"categories":["c0000000-0000-4000-8000-000000000002","c0000000-0000-4000-8000-000000000009"],"discounts":[]}}`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range merged.Store.Products {
		names = append(names, p.Name)
	}
	expect(t, "products, in order", names, []string{"Uno", "Two", "Three"})
	if p := merged.Store.Products[0]; p.Prices.Base != nil || p.TrackStock || p.CategoryIDs != nil {
		t.Errorf("the product has members of the entry that was replaced: %+v", p)
	}
	expect(t, "tax rates", len(merged.Store.TaxRates), 2)
	expect(t, "tax of the product that stayed", *merged.Store.Products[1].Tax, merged.Store.TaxRates[0])
	expect(t, "categories", len(merged.Store.Categories), 1)
	expect(t, "redirects", len(merged.Store.Redirects), 1)
	expect(t, "discounts", len(merged.Store.Discounts), 1)
	expect(t, "webhooks", len(merged.Store.Webhooks), 1)
	expect(t, "removed", merged.Removed, []int{1})
}

// Each member of settings is replaced as a whole; null gives it its default.
func TestMergeReplacesSettingsWhole(t *testing.T) {
	merged, err := mergeOf(t, `{"format":1,"set":{"settings":{"name":"New","policy":{"max_quantity_per_line":7}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "name", merged.Store.Name, "New")
	expect(t, "max_lines", merged.Store.Policy.MaxLines, 100)
	expect(t, "max_quantity_per_line", merged.Store.Policy.MaxQuantityPerLine, 7*commerce.One)
	if merged, err = mergeOf(t, `{"format":1,"set":{"settings":{"policy":null}}}`); err != nil {
		t.Fatal(err)
	}
	expect(t, "max_lines after null", merged.Store.Policy.MaxLines, 100)
}

// A change set has what an import of the whole document would have, by a slow model: maps.
func TestMergeIsTheImportOfTheWholeDocument(t *testing.T) {
	base := []byte(settingsOf(t, mustParse(t, mergeBase)))
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 46))
		var model map[string]any
		if err := json.Unmarshal([]byte(mergeBase), &model); err != nil {
			t.Fatal(err)
		}
		var sets []*ChangeSet
		for range 1 + random.IntN(4) {
			text := randomChange(random, model)
			sets = append(sets, changeSet(t, text))
		}
		whole, _ := json.Marshal(model)
		want, wantErr := Parse(whole)
		merged, err := Merge(base, sets, nil)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("seed %d: merged %v, whole document %v\n%s", seed, err, wantErr, whole)
		}
		if err == nil && string(merged.Settings) != settingsOf(t, want) {
			t.Fatalf("seed %d\n got %s\nwant %s", seed, merged.Settings, settingsOf(t, want))
		}
	}
}

// randomChange makes a change set and applies it to the model.
func randomChange(random *rand.Rand, model map[string]any) string {
	set, remove := map[string]any{}, map[string]any{}
	for _, list := range []struct{ name, key string }{{"products", "id"}, {"categories", "id"}, {"tax_rates", "code"}} {
		var entries, gone []any
		for n := range 4 {
			key := fmt.Sprintf("%c0000000-0000-4000-8000-00000000000%d", "ac"[min(1, len(list.name)%8)], n+1)
			entry := map[string]any{"id": key, "name": fmt.Sprint("N", random.IntN(9)), "slug": fmt.Sprint("s", n), "tax": "high"}
			switch list.name {
			case "categories":
				delete(entry, "tax")
			case "tax_rates":
				key = []string{"high", "low", "none", "x"}[n]
				entry = map[string]any{"code": key, "rate": fmt.Sprint(random.IntN(30))}
			}
			old, _ := model[list.name].([]any)
			at := slices.IndexFunc(old, func(e any) bool { return e.(map[string]any)[list.key] == key })
			switch dice := random.IntN(6); {
			case dice == 0:
				entries = append(entries, entry)
				if at >= 0 {
					old[at] = entry
				} else {
					old = append(old, entry)
				}
			case dice == 1 && n > 0:
				gone = append(gone, key)
				if at >= 0 {
					old = slices.Delete(old, at, at+1)
				}
			}
			model[list.name] = old
		}
		set[list.name], remove[list.name] = entries, gone
	}
	text, _ := json.Marshal(map[string]any{"format": 1, "set": set, "remove": remove})
	return string(text)
}

// Faults in entries of the set have the set's paths and lines, others the whole document's.
func TestFaultsOfChangeSets(t *testing.T) {
	for _, c := range []struct {
		set  string
		want []string
	}{
		{`{"format":1,"set":{"products":[` + "\n" + `{"id":"a0000000-0000-4000-8000-000000000002","name":"","slug":"two","tax":"hgh","price_amount":-1}]}}`, []string{
			`set.products[0].name: must not be empty: "" (line 2`,
			`set.products[0].tax: is not the code of a tax rate: "hgh", did you mean "high"? (line 2`,
			"set.products[0].price_amount: must be an integer of at least 0, not -1 (line 2",
		}},
		{`{"format":1,"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000009","slug":"one","tax":"high"}]}}`, []string{
			"set.products[0].name: is required",
			`set.products[0].slug: is a duplicate of products[0].slug: "one" (line 1`,
		}},
		{`{"format":1,"remove":{"categories":["c0000000-0000-4000-8000-000000000001"]}}`, []string{
			`products[0].category_ids[0]: is not the id of a category: "c0000000-0000-4000-8000-000000000001" (id a0000000-0000-4000-8000-000000000001)`,
		}},
		{`{"format":1,"set":{"settings":{"policy":{"max_lines":0,"audience":"none"},"name":null}}}`, []string{
			"set.settings.name: is required",
			"set.settings.policy.max_lines: must be an integer of at least 1, not 0",
			"set.settings.policy.audience: must be one of both, b2b_only, b2c_only",
		}},
	} {
		_, err := mergeOf(t, c.set)
		var faults *Faults
		if !errors.As(err, &faults) {
			t.Errorf("%s\n got %v, want faults", c.set, err)
			continue
		}
		for i, fault := range faults.List() {
			if got := fault.String() + fault.Details(); i >= len(c.want) || !strings.HasPrefix(got, c.want[i]) {
				t.Errorf("%s\n got fault %s\nwant %v", c.set, got, c.want)
			}
		}
		expect(t, c.set, len(faults.List()), len(c.want))
	}
}

// The frame of a change set has faults of its own.
// Two spellings of a path are one: a set replaces and removes a redirect by any of them.
func TestRedirectsInOtherSpellings(t *testing.T) {
	base := strings.TrimSuffix(mergeBase, "}") + `,"redirects":[{"from":"/café","to":"/a"},{"from":"/it%27s","to":"/b"}]}`
	redirect := func(from, to string) string { return `{"from":"` + from + `","to":"` + to + `"}` }
	two := strings.TrimSuffix(mergeBase, "}") + `,"redirects":[` + redirect("/caf%C3%A9", "/a") + "," + redirect("/caf%c3%a9", "/b") + `]}`
	if got, want := faultsOf(t, two), one("redirects[1].from: is a duplicate of redirects[0].from"); !slices.Equal(got, want) {
		t.Errorf("two spellings: got %q, want %q", got, want)
	}
	for _, c := range []struct{ set, want string }{
		{`"set":{"redirects":[` + redirect("/caf%c3%A9", "/c") + `]}`, "[{/caf%c3%A9 /c 301} {/it%27s /b 301}]"},
		{`"remove":{"redirects":["/it's","/caf%C3%A9"]}`, "[]"},
		{`"set":{"redirects":[` + redirect("/100%", "/d") + `]}`, "[{/café /a 301} {/it%27s /b 301} {/100% /d 301}]"},
	} {
		set, err := ParseChangeSet([]byte(`{"format":1,`+c.set+`}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		merged, err := Merge([]byte(base), []*ChangeSet{set}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(merged.Store.Redirects); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.set, got, c.want)
		}
	}
}

// A change set may not leave a member without effect.
func TestChangesThatLeaveMembersWithoutEffect(t *testing.T) {
	one, two := id("a0000000-0000-4000-8000-000000000001"), id("a0000000-0000-4000-8000-000000000002")
	made := strings.Replace(mergeBase, `"price_amount":200`, `"capability":"made_to_measure","configurator":{}`, 1)
	parted := strings.Replace(mergeBase, `"stock":"5"`, `"variants":[{"id":"a1000000-0000-4000-8000-000000000001","name":"V"}]`, 1)
	for _, c := range []struct {
		base    string
		product uuid.UUID // zero for a change set
		change  string
		want    string
	}{
		{made, two, `{"name":"Due"}`, ""},
		{made, two, `{"price_amount":300}`, "price_amount: is only for standard products"},
		{parted, one, `{"stock":"6"}`, "stock: has no effect: the stock is that of the variants"},
		{mergeBase, uuid.Nil, `{"format":1,"set":{"discounts":[{"id":"d0000000-0000-4000-8000-000000000001","name":"D","kind":"order","code":"D",
			"value":{"type":"percent","percent":"10"},"product_ids":["a0000000-0000-4000-8000-000000000001"]}]}}`,
			"set.discounts[0].product_ids: does not belong to this type"},
		{mergeBase, two, `{"capability":"made_to_measure","configurator":{}}`, "price_amount: is only for standard products"},
		{mergeBase, two, `{"capability":"made_to_measure","configurator":{},"price_amount":null}`, ""},
		{mergeBase, one, `{"variants":[{"id":"a1000000-0000-4000-8000-000000000001","name":"V"}]}`, ""},
	} {
		set, err := ParseChangeSet([]byte(c.change), nil)
		if c.product != uuid.Nil {
			set, err = ParseProductChange([]byte(c.change), c.product)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.change, err)
		}
		_, err = Merge([]byte(c.base), []*ChangeSet{set}, nil)
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%s: got %q, want %q", c.change, got, c.want)
		}
	}
}

func TestFaultsOfTheFrame(t *testing.T) {
	for text, want := range map[string]string{
		``:                                    "document: is empty",
		`[]`:                                  "document: must be an object",
		`{}`:                                  "format: is required",
		`{"format":2}`:                        "format: must be 1",
		`{"format":1,"api_keys":[]}`:          "api_keys: is not a known field",
		`{"format":1,"set":{"customers":[]}}`: "set.customers: is not a known field",
		`{"format":1,"set":{"settings":{"webhooks":[]}}}`:                              "set.settings.webhooks: is not a known field",
		`{"format":1,"set":{"settings":{"rate_limit_per_minute":1}}}`:                  "set.settings.rate_limit_per_minute: is not a known field",
		`{"format":1,"set":{"settings":{"limits":{"per_client":1}}}}`:                  "set.settings.limits: is not a known field",
		`{"format":1,"store":{"id":"x"}}`:                                              "store.id: must be a UUID",
		`{"format":1,"set":{"products":[{"name":"x"}]}}`:                               "set.products[0].id: is required",
		`{"format":1,"set":{"products":[7]}}`:                                          "set.products[0]: must be an object",
		`{"format":1,"set":{"tax_rates":[{"code":"a"},{"code":"a"}]}}`:                 "set.tax_rates[1]: is a duplicate of set.tax_rates[0]",
		`{"format":1,"set":{"tax_rates":[{"code":"a"}]},"remove":{"tax_rates":["a"]}}`: "remove.tax_rates[0]: is set and removed",
		`{"format":1,"remove":{"products":["x"]}}`:                                     "remove.products[0]: must be a UUID",
	} {
		_, err := ParseChangeSet([]byte(text), MerchantSettings)
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// A change of one product replaces the members that are sent; null clears.
func TestMergeOneProduct(t *testing.T) {
	one := uuid.MustParse("a0000000-0000-4000-8000-000000000001")
	merge := func(product uuid.UUID, text string) (*Merged, error) {
		set, err := ParseProductChange([]byte(text), product)
		if err != nil {
			return nil, err
		}
		return Merge([]byte(settingsOf(t, mustParse(t, mergeBase))), []*ChangeSet{set}, nil)
	}
	merged, err := merge(one, `{"price_amount":150,"category_ids":null,"id":"A0000000-0000-4000-8000-000000000001","active":false}`)
	if err != nil {
		t.Fatal(err)
	}
	p := merged.Store.Products[0]
	expect(t, "price", *p.Prices.Base, commerce.Amount(150))
	expect(t, "name", p.Name, "One")
	expect(t, "active", p.Active, false)
	expect(t, "categories", len(p.CategoryIDs), 0)
	expect(t, "stock", merged.Stock, []commerce.Stocked{{Item: one, OnHand: p.Stock}})
	for text, want := range map[string]string{
		`{"name":null}`:                   "name: is required",
		`{"price_amount":"x"}`:            "price_amount: must be an integer of at least 0",
		`{"variants":[{}]}`:               "variants[0].id: is required\nvariants[0].name: is required",
		`{"prize":1}`:                     "prize: is not a known field",
		`{"id":"` + trade.String() + `"}`: "id: is not the id of the path",
	} {
		if _, err := merge(one, text); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
	if _, err := merge(trade, `{}`); !errors.Is(err, ErrNoProduct) {
		t.Errorf("of an unknown product: %v, want ErrNoProduct", err)
	}
}
