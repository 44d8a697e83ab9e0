package storefile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

func TestCodeBatchFaults(t *testing.T) {
	const path = "discounts[1].code_batches[0]"
	const prefix, number, secret = `"prefix": "RAILS"`, `"number": 0`, `"secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg=="`
	const wrongPrefix = path + `.prefix: must be 1 to 12 of A–Z, 0–9 and "-"`
	const wrongSecret = path + ".secret: must be whsec_ and the base64 of 24 to 64 bytes"
	batches := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"number": %d, "prefix": "B%d", %s}`, i, i, secret)
		}
		return `"name": "Free parcel", "code_batches": [` + strings.Join(all, ", ") + `]`
	}
	check(t, []change{
		{prefix, `"prefix": "A-9-ABCDEFGH"`, nil},
		{prefix, `"prefix": "-"`, nil},
		{prefix, `"prefix": "ABCDEFGHIJKLM"`, one(wrongPrefix)},
		{prefix, `"prefix": "rails"`, one(wrongPrefix)},
		{prefix, `"prefix": "R 3"`, one(wrongPrefix)},
		{prefix, `"prefix": "RÄILS"`, one(wrongPrefix)},
		{prefix, `"prefix": ""`, one(wrongPrefix)},
		{prefix, `"prefix": 1`, one(path + ".prefix: must be a string")},
		{prefix + `, `, ``, one(path + ".prefix: is required")},
		{prefix, `"prefix": "-R2"`, one("discounts[1].code_batches[1].prefix: is a duplicate of discounts[1].code_batches[0].prefix")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": [{"number": 0, "prefix": "RA-ILS", ` + secret + `}]`,
			one("discounts[2].code_batches[0].prefix: is a duplicate of discounts[1].code_batches[0].prefix")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": [{"number": 0, "prefix": "OTHER", ` + secret + `}]`, nil},
		{number, `"number": 65535`, one("discounts[1].code_batches[1].number: is a duplicate of discounts[1].code_batches[0].number")},
		{`"number": 65535`, `"number": 0`, one("discounts[1].code_batches[1].number: is a duplicate of discounts[1].code_batches[0].number")},
		{number, `"number": 65536`, one(path + ".number: must be an integer of at most 65535")},
		{number, `"number": -1`, one(path + ".number: must be an integer of at least 0")},
		{number, `"number": "0"`, one(path + ".number: must be an integer of at least 0")},
		{number + `, `, ``, one(path + ".number: is required")},
		{secret, `"secret": "0123456789abcdefghijklmn"`, one(wrongSecret)},
		{secret, `"secret": "whsec_QmF0Y2gg"`, one(wrongSecret)},
		{secret, `"secret": null`, one(path + ".secret: is required")},
		{secret + `, `, ``, one(path + ".secret: is required")},
		{`"uses": 3`, `"uses": 1000000`, nil},
		{`"uses": 3`, `"uses": null`, nil},
		{`"uses": 3`, `"uses": 0`, one(path + ".uses: must be an integer of at least 1")},
		{`"uses": 3`, `"uses": 1000001`, one(path + ".uses: must be an integer of at most 1000000")},
		{`"uses": 3`, `"active": "no"`, one(path + ".active: must be true or false")},
		{`"uses": 3`, `"count": 3`, one(path + ".count: is not a known field")},
		{`"name": "Free parcel"`, batches(0), one("discounts[2].code_batches: must not be empty")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": null`, nil},
		{`"name": "Free parcel"`, batches(100), nil},
		{`"name": "Free parcel"`, batches(101), one("discounts[2].code_batches: must have at most 100 code batches")},
	})
}

// A document has at most 500 automatic discounts. One with batches of codes is none, active or not.
func TestADiscountWithBatchesIsNotAutomatic(t *testing.T) {
	for _, d := range mustParse(t, full(t)).Store.Discounts {
		if d.Automatic() != (d.Code == "" && d.Name != "Rails") {
			t.Errorf("%s is automatic: %v", d.Name, d.Automatic())
		}
	}
}

// The secrets of batches are written as those of webhooks are, and left out with them.
func TestAnExportHasTheSecretsOfBatches(t *testing.T) {
	doc := mustParse(t, full(t))
	for _, without := range []bool{false, true} {
		e := exportOf(doc)
		e.WithoutSecrets = without
		var out bytes.Buffer
		if err := e.Write(&out); err != nil {
			t.Fatal(err)
		}
		want := 3 // of a webhook and of two batches
		if without {
			want = 0
		}
		if got := strings.Count(out.String(), "whsec_"); got != want || e.Secrets != want {
			t.Errorf("without secrets %v: %d secrets, counted %d; want %d", without, got, e.Secrets, want)
		}
	}
}

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
