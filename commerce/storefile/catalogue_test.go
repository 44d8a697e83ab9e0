package storefile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

func TestProductFaults(t *testing.T) {
	const noUsage = "must be a decimal string from -100000000 to 9000000000 with at most 6 decimals"
	check(t, []change{
		{`"sku": "RB-1", `, `"sku": "", "colour": "red", `, []string{"products[0].sku: must not be empty", "products[0].colour: is not a known field"}},
		{`"unit": "m2"`, `"unit": "cm"`, one("products[0].unit: must be one of piece, kg, g, l, m, m2, m3, hour")},
		{`"purchasability": "quote"`, `"purchasability": "never"`, one("products[0].purchasability: must be one of direct, quote")},
		{`"stock": "25.5"`, `"stock": "9000000000"`, nil},
		{`"stock": "25.5"`, `"stock": "9000000000.000001"`, one("products[2].stock: " + noUsage)},
		{`"price_amount": 2099`, `"price_amount": -1`, one("products[0].variants[0].price_amount: must be an integer of at least 0")},
		{`"slug": "rail"`, `"slug": "custom-blind"`, one("products[2].slug: is a duplicate of products[1].slug")},
		{`"51000000-0000-4000-8000-000000000001"`, `"50000000-0000-4000-8000-000000000002"`, one("products[1].id: is a duplicate of products[0].variants[0].id")},
		{`"id": "50000000-0000-4000-8000-000000000003"`, `"id": "50000000-0000-4000-8000-00000000000F"`, []string{
			"products[1].configurator.groups[0].choices[0].components[0].product_id: is not the id of a product",
			"products[1].configurator.components[0].product_id: is not the id of a product",
			"discounts[1].product_ids[0]: is not the id of a product",
			"discounts[3].buy.product_ids[0]: is not the id of a product",
		}},
		{`"min_quantity": "2.5"`, `"min_quantity": "2.5000"`,
			one("products[0].tiers[0].min_quantity: must be a decimal string above 0 and at most 99999999.999 with at most 3 decimals")},
		{`"price_amount": 1499, `, ``, one("products[0].tiers[0].price_amount: is required")},
	})
}

func TestGroupPriceFaults(t *testing.T) {
	const old = `"20000000-0000-4000-8000-000000000002": 1700`
	check(t, []change{
		{old, `"20000000-0000-4000-8000-000000000002": null`, nil},
		{old, `"trade one": 5`, one(`products[0].group_prices["trade one"]: names no customer group by its id`)},
		{old, `"20000000-0000-4000-8000-000000000002": 1.5`, one("products[0].group_prices.20000000-0000-4000-8000-000000000002: must be an integer of at least 0")},
		{old, `"20000000-0000-4000-8000-000000000002": 1, "20000000-0000-4000-8000-000000000002": 2`, one(
			"products[0].group_prices.20000000-0000-4000-8000-000000000002: is a duplicate of products[0].group_prices.20000000-0000-4000-8000-000000000002")},
		{`"group_prices": {}`, `"group_prices": []`, one("products[0].variants[0].group_prices: must be an object")},
	})
}

func TestCapabilityFaults(t *testing.T) {
	const rail, bare = `"unit": "m", "price_amount": 0`, `"unit": "m"`
	check(t, []change{
		{rail, bare + `, "capability": "made_to_measure"`, one("products[2].configurator: is required")},
		{rail, rail + `, "configurator": {}`, one("products[2].configurator: is only for made_to_measure products")},
		{rail, bare + `, "capability": "made_to_measure", "configurator": {}, "variants": [{"id": "51000000-0000-4000-8000-000000000002", "name": "V"}]`,
			one("products[2].variants: are only for standard products")},
		{rail, rail + `, "capability": "digital", "configurator": {}`, one("products[2].capability: must be one of standard, made_to_measure")},
		{rail, bare + `, "capability": "made_to_measure", "configurator": {}, "variants": [], "tiers": [], "group_prices": {}, "price_amount": null`, nil},
		{rail, rail + `, "capability": "made_to_measure", "configurator": {}, "tiers": [{"min_quantity": "2", "price_amount": 1}],
			"group_prices": {"20000000-0000-4000-8000-000000000001": 1}`, []string{
			"products[2].price_amount: is only for standard products", "products[2].tiers: are only for standard products",
			"products[2].group_prices: are only for standard products",
		}},
	})
}

// A product that is sold by its variants or components has no stock of its own, unless it is a component.
func TestStockWithoutEffect(t *testing.T) {
	const component = `{"product_id": "50000000-0000-4000-8000-000000000001", "qty": "1"}, `
	check(t, []change{
		{`"sku": "RB-1", `, `"sku": "RB-1", "stock": "5", `, one("products[0].stock: has no effect: the stock is that of the variants")},
		{`"sku": "RB-1", `, `"sku": "RB-1", "stock": "0", `, nil},
		{`"price_from_amount": 4900,`, `"price_from_amount": 4900, "stock": "5",`, one("products[1].stock: has no effect: the stock is that of the components")},
	})
	text := strings.Replace(full(t), `"components": [{"product_id": "50000000-0000-4000-8000-000000000003", "qty": "1"`,
		`"components": [`+component+`{"product_id": "50000000-0000-4000-8000-000000000003", "qty": "1"`, 1)
	if got := faultsOf(t, strings.Replace(text, `"sku": "RB-1", `, `"sku": "RB-1", "stock": "5", `, 1)); got != nil {
		t.Errorf("the stock of a component with variants: %q", got)
	}
}

func TestDimensionFaults(t *testing.T) {
	const path = "products[1].configurator.dimensions"
	check(t, []change{
		{`"min": 300`, `"min": 3001`, one(path + "[0].max: must be at least min")},
		{`"min": 300`, `"min": "300"`, one(path + "[0].min: must be an integer of at least 0")},
		{`"max": 3000`, `"max": 3000.5`, one(path + "[0].max: must be an integer of at least 0")},
		{`"step": 10`, `"step": 0`, one(path + "[0].step: must be an integer of at least 1")},
		{`"unit": "mm"`, `"unit": "cm"`, one(path + "[0].unit: must be mm")},
		{`"key": "height"`, `"key": "width"`, []string{
			path + "[1].key: is a duplicate of " + path + "[0].key",
			"products[1].configurator.groups[0].choices[0].components[0].per: needs a configurator with two dimensions",
			"products[1].configurator.groups[0].choices[2].price.type: needs a configurator with two dimensions",
			"products[1].configurator.matrices[0].y: is not the key of a dimension",
		}},
	})
}

func TestChoiceFaults(t *testing.T) {
	const path = "products[1].configurator.groups[0]"
	const noQty = "must be a decimal string above 0 and at most 9223372036854.775807 with at most 6 decimals"
	check(t, []change{
		{`"id": "silk"`, `"id": "linen"`, one(path + ".choices[1].id: is a duplicate of " + path + ".choices[0].id")},
		{`"label": "Silk", `, ``, one(path + ".choices[1].label: is required")},
		{`{"type": "percent", "percent": "10"}},`, `{"type": "percent"}},`, one(path + ".choices[1].price.percent: is required")},
		{`{"type": "percent", "percent": "10"}},`, `{"type": "percent", "percent": "10", "amount": 5}},`,
			one(path + ".choices[1].price.amount: does not belong to this type")},
		{`{"type": "per_m2", "amount": 900}`, `{"type": "per_m3", "amount": 900}`, one(path + ".choices[2].price.type: must be one of fixed, percent, per_m2")},
		{`{"type": "per_m2", "amount": 900}`, `{"amount": 900}`, one(path + ".choices[2].price.type: is required")},
		{`["wall-mount"]`, `["", 1]`, []string{path + ".choices[0].requires[0]: must not be empty", path + ".choices[0].requires[1]: must be a string"}},
		{`"qty": "0.125"`, `"qty": "9223372036854.775807"`, nil},
		{`"qty": "0.125"`, `"qty": "9223372036854.775808"`, one(path + ".choices[0].components[0].qty: " + noQty)},
		{`"per": "width"`, `"per": "depth"`, one("products[1].configurator.components[0].per: must be unit, m2 or the key of a dimension")},
		{`            {"id": "silk"`, `            {"id": "a", "label": "A", "requires": ["b"]}, {"id": "b", "label": "B", "requires": ["a", "none"]}, {"id": "silk"`, nil},
	})
}

// A choice's id is unique in its configurator, over all groups.
func TestChoiceIDsAreUniqueAcrossGroups(t *testing.T) {
	check(t, []change{{
		`"groups": [{`, `"groups": [{"id": "fabric", "label": "G", "choices": [{"id": "paper", "label": "P"}]}, {`,
		[]string{
			"products[1].configurator.groups[1].id: is a duplicate of products[1].configurator.groups[0].id",
			"products[1].configurator.groups[1].choices[2].id: is a duplicate of products[1].configurator.groups[0].choices[0].id",
		},
	}})
}

func TestMatrixFaults(t *testing.T) {
	const path = "products[1].configurator.matrices[0]"
	const rows = `[[4900, 6900, 9900], [6900, 8900, 12900]]`
	check(t, []change{
		{rows, `[[4900, 6900, 9900], [6900, 8900]]`, one(path + ".amounts[1]: must have 3 amounts, one for each of x_breaks")},
		{rows, `[[4900, 6900, 9900]]`, one(path + ".amounts: must have 2 rows, one for each of y_breaks")},
		{rows, `[[4900, 6900, null], 5]`, []string{path + ".amounts[0][2]: must be an integer of at least 0", path + ".amounts[1]: must be a list"}},
		{`[600, 1200, 3000]`, `[600, 600, "3000"]`, []string{
			path + ".x_breaks[1]: must be greater than the break before it", path + ".x_breaks[2]: must be an integer of at least 0",
		}},
		{`[1000, 2000]`, `[]`, one(path + ".y_breaks: must not be empty")},
		{`"x": "width"`, `"x": "depth"`, one(path + ".x: is not the key of a dimension")},
		{`"when": ["paper"]`, `"when": ["paper", "fabric"]`, one(path + ".when[1]: is not the id of a choice")},
		{`, "y": "height"`, ``, one(path + ".y: is required")},
		{`"id": "std"`, `"id": 1`, one(path + ".id: must be a string")},
	})
}

// A single-choice group counts with its largest choice, any other group with all choices. A product
// counts once.
func TestUsableComponentsOfAConfiguration(t *testing.T) {
	uses := func(products ...byte) (list []commerce.Component) {
		for _, p := range products {
			list = append(list, commerce.Component{ProductID: uuid.UUID{p}})
		}
		return list
	}
	choices := []commerce.Choice{{Components: uses(1, 2)}, {Components: uses(3)}, {Components: uses(2, 4, 5)}, {}}
	for _, c := range []struct {
		multiple bool
		own      []commerce.Component
		want     int
	}{
		{false, nil, 3},
		{true, nil, 5},
		{false, uses(9), 4},
		{true, uses(1, 9), 6},
		{false, uses(9, 1, 2), 5},
	} {
		made := &commerce.Configurator{Components: c.own, Groups: []commerce.ChoiceGroup{{Multiple: c.multiple, Choices: choices}}}
		if got := usableComponents(made); got != c.want {
			t.Errorf("multiple %t, own %d: %d, want %d", c.multiple, len(c.own), got, c.want)
		}
	}
}

// A discount that ended at the zero time has ended. A discount without ends_at never ends.
func TestADiscountThatEndedAtTheZeroTime(t *testing.T) {
	for end, want := range map[string]bool{`"0001-01-01T00:00:00Z"`: true, `"0001-01-01T01:00:00+01:00"`: true, `null`: false} {
		text := strings.Replace(full(t), `"starts_at": "2026-01-01T00:00:00Z", "ends_at": "2027-01-01T00:00:00Z"`, `"ends_at": `+end, 1)
		ends := mustParse(t, text).Store.Discounts[0].EndsAt
		if ended := !ends.IsZero() && ends.Before(time.Unix(0, 0)); ended != want {
			t.Errorf("%s: %v; ended %v, want %v", end, ends, ended, want)
		}
	}
}

// The product's own components and those of a multiple-choice group count together, each product
// once.
func TestAtMostFiftyComponentProducts(t *testing.T) {
	for _, c := range []struct {
		parts int
		want  []string
	}{
		{49, nil}, // the rail is the 50th
		{50, one("products[1].configurator: may use up to 51 different component products at a time, at most 50 are allowed")},
	} {
		var products, components strings.Builder
		for i := range c.parts {
			part := fmt.Sprintf("52000000-0000-4000-8000-%012d", i)
			fmt.Fprintf(&products, `, {"id": "%s", "name": "Part", "slug": "part-%d", "tax": "standard"}`, part, i)
			fmt.Fprintf(&components, `, {"product_id": "%s", "qty": "1"}, {"product_id": "%s", "qty": "2"}`, part, part)
		}
		text := strings.Replace(full(t), `"per": "width"}`, `"per": "width"}`+components.String(), 1)
		text = strings.Replace(text, `"unit": "m", "price_amount": 0}`, `"unit": "m", "price_amount": 0}`+products.String(), 1)
		if got := faultsOf(t, text); !slices.Equal(got, c.want) {
			t.Errorf("%d parts: %q, want %q", c.parts, got, c.want)
		}
	}
}

func TestDiscountFaults(t *testing.T) {
	const code, get = `"code": null`, `"get": {"product_ids": ["50000000-0000-4000-8000-000000000001"], "quantity": "3", "percent": "50"}`
	check(t, []change{
		{`"kind": "order"`, `"kind": "all"`, one("discounts[0].kind: must be one of order, products, shipping, bogo")},
		{`"kind": "order"`, `"kind": null`, one("discounts[0].kind: is required")},
		{code, `"code": " welcome10\t"`, one("discounts[1].code: is a duplicate of discounts[0].code")},
		{code, `"code": "  "`, one("discounts[1].code: must not be empty")},
		{`"kind": "shipping", `, `"kind": "shipping", "exclusive": true, `, one("discounts[2].exclusive: is only for discounts on the goods")},
		{`"kind": "shipping", `, `"kind": "shipping", "exclusive": false, `, nil},
		{`"kind": "shipping", `, `"kind": "shipping", "exclusive": null, `, nil},
		{`"kind": "shipping", `, `"kind": "shipping", "exclusive": "true", `, one("discounts[2].exclusive: must be true or false")},
		{`"kind": "bogo",`, `"kind": "bogo", "exclusive": true,`, nil},
		{`"kind": "order",`, `"kind": "order", "exclusive": true,`, nil},
		{`"ends_at": "2027-01-01T00:00:00Z"`, `"ends_at": "2026-01-01T00:00:00Z"`, one("discounts[0].ends_at: must be after starts_at")},
		{`"ends_at": "2027-01-01T00:00:00Z"`, `"ends_at": "tomorrow"`, one("discounts[0].ends_at: must be a time like 2030-01-01T00:00:00Z")},
		{`"usage_limit": 5`, `"usage_limit": -5`, one("discounts[0].usage_limit: must be an integer of at least 0")},
		{`"usage_limit_per_customer": 3`, `"usage_limit_per_customer": 0`,
			one("discounts[0].usage_limit_per_customer: must be an integer of at least 1")},
		{`"usage_limit_per_customer": 3`, `"usage_limit_per_customer": 1000001`,
			one("discounts[0].usage_limit_per_customer: must be an integer of at most 1000000")},
		{`"name": "Free parcel",`, `"name": "Free parcel", "usage_limit_per_customer": 1,`,
			one("discounts[2].usage_limit_per_customer: is for a discount with codes")},
		{`"kind": "order", `, `"kind": "order", "product_ids": ["50000000-0000-4000-8000-000000000003"], "buy": {}, "get": {}, `, []string{
			"discounts[0].product_ids: does not belong to this type", "discounts[0].buy: does not belong to this type",
			"discounts[0].get: does not belong to this type",
		}},
		{`"kind": "order", `, `"kind": "order", "product_ids": [], "category_ids": null, "buy": null, `, nil},
		{`"kind": "shipping", `, `"kind": "shipping", "category_ids": ["40000000-0000-4000-8000-000000000002"],
			"excluded_product_ids": ["50000000-0000-4000-8000-000000000003"], `, []string{
			"discounts[2].category_ids: does not belong to this type", "discounts[2].excluded_product_ids: does not belong to this type",
		}},
		{`"kind": "products", `, `"kind": "products", "get": {"quantity": "1"}, `, one("discounts[1].get: does not belong to this type")},
		{`"kind": "bogo",`, `"kind": "bogo", "value": {"type": "percent", "percent": "5"}, "category_ids": ["40000000-0000-4000-8000-000000000002"],`,
			[]string{"discounts[3].value: does not belong to this type", "discounts[3].category_ids: does not belong to this type"}},
		{`"used": 2`, `"used": true`, one("discounts[0].used: must be an integer of at least 0")},
		{`"value": {"type": "percent", "percent": "10"}`, `"value": null`, one("discounts[0].value: is required")},
		{`"value": {"type": "percent", "percent": "10"}`, `"value": {"type": "percent", "percent": "101"}`,
			one("discounts[0].value.percent: must be a decimal string from 0 to 100 with at most 9 decimals")},
		{`{"type": "fixed", "amount": 500}`, `{"type": "fixed", "percent": "5"}`, []string{
			"discounts[1].value.amount: is required", "discounts[1].value.percent: does not belong to this type",
		}},
		{get, `"get": null`, one("discounts[3].get: is required")},
		{get, `"get": {"quantity": "0", "percent": 5}`, []string{
			"discounts[3].get.quantity: must be a decimal string above 0 and at most 99999999.999 with at most 3 decimals",
			"discounts[3].get.percent: must be a decimal string from 0 to 100 with at most 9 decimals",
		}},
		{`"product_ids": ["50000000-0000-4000-8000-000000000001"]`, `"product_ids": ["51000000-0000-4000-8000-000000000001"]`,
			one("discounts[3].get.product_ids[0]: is not the id of a product")},
	})
}
