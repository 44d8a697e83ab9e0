package storefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// rangeText is mergeBase with a discount whose products, or those of its buy or get, have these members.
func rangeText(place, members string) string {
	discount := `{"id":"d0000000-0000-4000-8000-000000000002","name":"R","kind":"bogo","buy":{},"get":{}`
	switch place {
	case "":
		discount = strings.Replace(discount, `"bogo","buy":{},"get":{}`, `"products","value":{"type":"percent","percent":"10"},`, 1) + members
	default:
		discount = strings.Replace(discount, `"`+place+`":{`, `"`+place+`":{`+members, 1)
	}
	return strings.TrimSuffix(mergeBase, "]}") + "," + discount + "}]}"
}

// The same members, limits and faults hold for a discount's products and those to buy and to get.
func TestRangeFaults(t *testing.T) {
	const category, product = `"c0000000-0000-4000-8000-000000000001"`, `"a0000000-0000-4000-8000-000000000001"`
	many := func(n int, id string) string { return strings.TrimSuffix(strings.Repeat(id+",", n), ",") }
	for _, place := range []string{"", "buy", "get"} {
		path := "discounts[1]." + strings.TrimPrefix(place+".", ".")
		for _, c := range []struct {
			members string
			want    []string
		}{
			{`"category_ids":[` + category + `],"excluded_product_ids":[` + product + `]`, nil},
			{`"category_ids":null,"excluded_product_ids":null`, nil},
			{`"category_ids":[` + many(200, category) + `]`, nil},
			{`"category_ids":[` + many(201, category) + `]`, one(path + "category_ids: must have at most 200 categories")},
			{`"excluded_product_ids":[` + many(1000, product) + `]`, nil},
			{`"excluded_product_ids":[` + many(1001, product) + `]`, one(path + "excluded_product_ids: must have at most 1000 products")},
			{`"category_ids":["c0000000-0000-4000-8000-000000000009"]`, one(path + "category_ids[0]: is not the id of a category")},
			{`"excluded_product_ids":["a0000000-0000-4000-8000-000000000009"]`, one(path + "excluded_product_ids[0]: is not the id of a product")},
			{`"category_ids":[7],"excluded_product_ids":{}`, []string{path + "category_ids[0]: must be a UUID", path + "excluded_product_ids: must be a list"}},
		} {
			text := rangeText(place, c.members)
			if got := faultsOf(t, text); !slices.Equal(got, c.want) {
				t.Errorf("%s %.60s\n got %q\nwant %q", place, c.members, got, c.want)
			}
			agree(t, fmt.Sprint(place, " ", c.members[:20]), []byte(text))
		}
	}
}

// A change set that moves a category moves its products into other discounts; one that removes a category that
// a discount names is refused at the discount.
func TestChangeSetMovesAndRemovesARangesCategory(t *testing.T) {
	base := rangeText("", `"category_ids":["c0000000-0000-4000-8000-000000000002"]`)
	kept := []byte(settingsOf(t, mustParse(t, base)))
	for _, c := range []struct{ set, want string }{
		{`"set":{"categories":[]}`, "100"},
		{`"set":{"categories":[{"id":"c0000000-0000-4000-8000-000000000001","name":"A","slug":"a","parent_id":"c0000000-0000-4000-8000-000000000002"}]}`, "90"},
		{`"set":{"products":[{"id":"a0000000-0000-4000-8000-000000000001","name":"One","slug":"one","tax":"high",
			"category_ids":["c0000000-0000-4000-8000-000000000002"]}]}`, "90"},
		{`"remove":{"categories":["c0000000-0000-4000-8000-000000000002"]}`,
			`discounts[1].category_ids[0]: is not the id of a category: "c0000000-0000-4000-8000-000000000002" (id d0000000-0000-4000-8000-000000000002)`},
		{`"remove":{"categories":["c0000000-0000-4000-8000-000000000002"],"discounts":["d0000000-0000-4000-8000-000000000002"]}`, "100"},
	} {
		merged, err := Merge(kept, []*ChangeSet{changeSet(t, `{"format":1,`+c.set+`}`)}, nil)
		var got string
		var faults *Faults
		switch {
		case errors.As(err, &faults):
			for _, fault := range faults.List() {
				got += fault.String() + fault.Details()
			}
		case err != nil:
			t.Fatal(err)
		default:
			now := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
			cart := commerce.NewCart(id("ca000000-0000-4000-8000-000000000001"), now)
			cart.Lines = []commerce.Line{{ID: cart.ID, ProductID: merged.Store.Products[0].ID, UnitPrice: 100, Quantity: commerce.One}}
			var e commerce.Evaluation
			e.Evaluate(cart, merged.Store, commerce.Visitor{}, now)
			got = fmt.Sprint(e.Total)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.set, got, c.want)
		}
	}
}
