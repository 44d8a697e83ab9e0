package storefile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// A set with a fault of its own is refused without the document, with all faults that a merge finds in
// its entries. A set whose only fault is a missing entry, which another set may bring, is not.
func TestSetIsJudgedAlone(t *testing.T) {
	store := mustParse(t, mergeBase).Store
	for _, c := range []struct{ set, want string }{
		{`{"format":1,"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000002","name":"","slug":"two","tax":"hgh","price_amount":-1,
			"category_ids":["c0000000-0000-4000-8000-000000000001"]}]}}`,
			"set.products[0].name: must not be empty\nset.products[0].tax: is not the code of a tax rate\nset.products[0].price_amount: must be an integer of at " +
				"least 0"},
		{`{"format":1,"set":{"settings":{"policy":{"max_lines":0},"name":null}}}`,
			"set.settings.name: is required\nset.settings.policy.max_lines: must be an integer of at least 1"},
		{`{"format":1,"set":{"categories":[{"id":"c0000000-0000-4000-8000-000000000003","name":"C","slug":"c","parent_id":"c0000000-0000-4000-8000-000000000003"}]}}`,
			"set.categories[0].parent_id: makes a cycle of categories"},
		{`{"format":1,"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000004","name":"N","slug":"n","tax":"new"}]}}`, ""},
		{`{"format":1,"set":{"discounts":[{"id":"d0000000-0000-4000-8000-000000000002","name":"D","kind":"products","product_ids":["a0000000-0000-4000-8000-000000000009"],
			"value":{"type":"percent","percent":"5"}}]}}`, ""},
		{`{"format":1,"set":{"categories":[{"id":"c0000000-0000-4000-8000-000000000003","name":"C","slug":"a"}]}}`, ""}, // the slug of another one
		{`{"format":1,"remove":{"tax_rates":["high"]}}`, ""},
	} {
		got := ""
		if err := changeSet(t, c.set).Judge(store); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.set, got, c.want)
		}
	}
}

// A change of one product is judged by the members that it sends.
func TestProductChangeIsJudgedAlone(t *testing.T) {
	store := mustParse(t, mergeBase).Store
	one := uuid.MustParse("a0000000-0000-4000-8000-000000000001")
	for _, c := range []struct {
		product   uuid.UUID
		set, want string
	}{
		{one, `{"price_amount":-1}`, "price_amount: must be an integer of at least 0"},
		{one, `{"name":null}`, "name: is required"},
		{one, `{"prize":1}`, "prize: is not a known field"},
		{one, `{"capability":"other"}`, "capability: must be one of standard, made_to_measure"},
		{one, `{"price_amount":5,"active":false,"tax":"new"}`, ""},
		{one, `{"price_from_amount":5}`, ""}, // the rest of the product decides
		{trade, `{"price_amount":-1}`, ""},   // not found comes first
	} {
		set, err := ParseProductChange([]byte(c.set), c.product)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := set.Judge(store); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.set, got, c.want)
		}
	}
}

// A rule about two members of a product is judged with the members that the product has: each member that
// it has already is taken alone.
func TestProductTakesItsOwnMembersAlone(t *testing.T) {
	read := mustParse(t, full(t))
	root, err := strictjson.Parse([]byte(settingsOf(t, read)))
	if err != nil {
		t.Fatal(err)
	}
	products, _ := root.Get(productList)
	tried := 0
	for _, product := range products.Items() {
		id, _ := product.Get("id")
		for name, value := range product.Pairs() {
			set, err := ParseProductChange(fmt.Appendf(nil, `{%s:%s}`, string(name), string(value)), uuid.MustParse(id.Text()))
			if err != nil {
				t.Fatal(err)
			}
			if err := set.Judge(read.Store); err != nil {
				t.Errorf("%s %s: judged alone %v", id, name, err)
			}
			if _, err := Merge([]byte(settingsOf(t, read)), []*ChangeSet{set}, nil); err != nil {
				t.Errorf("%s %s: merged %v", id, name, err)
			}
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("%d members tried", tried)
	}
}

// A set that is refused alone is refused by a merge, too: whatever the document has.
func TestSetRefusedAloneIsRefusedByAMerge(t *testing.T) {
	base := mustParse(t, mergeBase)
	refused := 0
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 55))
		edit := []string{
			`"price_amount":100`, `"price_amount":-1`, `"price_amount":null`, `"tax":"high"`, `"tax":"none"`, `"tax":7`, `"capability":"made_to_measure"`,
			`"slug":"two"`, `"slug":""`, `"variants":[{"id":"b0000000-0000-4000-8000-000000000001","name":"V"}]`, `"price_from_amount":1`,
			`"tiers":[{"min_quantity":"2","price_amount":1,"group_id":"e0000000-0000-4000-8000-000000000001"}]`, `"weight_grams":"x"`,
			`"category_ids":["c0000000-0000-4000-8000-000000000007"]`, `"metadata":{"a":1}`, `"name":"n"`, `"name":null`,
		}
		members := map[string]string{}
		for range 1 + random.IntN(3) {
			name, value, _ := strings.Cut(edit[random.IntN(len(edit))], ":")
			members[name] = value
		}
		whole := seed%2 == 0
		id := fmt.Sprintf("a0000000-0000-4000-8000-00000000000%d", 1+random.IntN(3))
		var set *ChangeSet
		var err error
		if text := objectOf(members); whole {
			for name, value := range map[string]string{`"name"`: `"N"`, `"slug"`: `"s"`, `"tax"`: `"high"`} {
				if _, has := members[name]; !has {
					members[name] = value
				}
			}
			members[`"id"`] = `"` + id + `"`
			set, err = ParseChangeSet([]byte(`{"format":1,"set":{"products":[`+objectOf(members)+`]}}`), OperatorSettings)
		} else {
			set, err = ParseProductChange([]byte(text), uuid.MustParse(id))
		}
		if err != nil {
			continue
		}
		alone := set.Judge(base.Store)
		merged, mergeErr := Merge([]byte(settingsOf(t, base)), []*ChangeSet{set}, nil)
		if alone == nil {
			continue
		}
		refused++
		var faults, want *Faults
		if !errors.As(alone, &faults) || !errors.As(mergeErr, &want) || merged != nil {
			t.Fatalf("%s: alone %v, merged %v", set.root, alone, mergeErr)
		}
		for _, line := range strings.Split(faults.Error(), "\n") {
			if !strings.Contains(want.Error(), line) {
				t.Errorf("%s: alone %s, merged %s", set.root, line, want)
			}
		}
	}
	if refused < 300 {
		t.Errorf("%d sets were refused alone", refused)
	}
}

func objectOf(members map[string]string) string {
	var text []string
	for name, value := range members {
		text = append(text, name+":"+value)
	}
	return "{" + strings.Join(text, ",") + "}"
}

// The time of the judgement does not grow with the store.
func BenchmarkJudgeAlone(b *testing.B) {
	store := &commerce.Store{ID: uuid.New(), TaxRates: []commerce.TaxRate{{Code: "high"}}}
	for range 100_000 {
		store.Products = append(store.Products, &commerce.Product{ID: uuid.New()})
	}
	store.Index()
	set := changeSet(b, `{"format":1,"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000002","name":"N","slug":"n","tax":"high","price_amount":-1}]}}`)
	for b.Loop() {
		if set.Judge(store) == nil {
			b.Fatal("not refused")
		}
	}
}
