package storefile

import (
	"encoding/json"
	"fmt"
	"strings"

	"cartd/commerce"
)

// many makes a list of n values.
func many(n int, value func(i int) any) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = value(i)
	}
	return all
}

// spoil gives an entry a fault that the alteration of single values seldom makes.
func (d *dice) spoil(list string, o tree) {
	long := strings.Repeat("x", 300)
	text := func(int) any { return "/a.jpg" }
	shown := []func(){
		func() { o["name"] = long },
		func() { o["description"] = "a\x00b" },
		func() { o["metadata"] = tree{"k": strings.Repeat("x", commerce.MaxMetadataBytes)} },
		func() { o["metadata"] = tree{"a\x00": 1, "big": rawText("1e999"), "deep": []any{}} },
		func() { o["metadata"] = rawText(`{"a":1,"a":2}`) },
		func() {
			keys := tree{}
			for i := range commerce.MaxMetadataKeys + 1 {
				keys[fmt.Sprint("k", i)] = i
			}
			o["metadata"] = keys
		},
		func() {
			o["media"] = []any{tree{"url": "//x"}, tree{"url": "https://"}, tree{"url": "/" + strings.Repeat("x", 2100)}}
		},
	}
	spoilers := map[string][]func(){
		productList: append(shown,
			func() {
				o["attributes"] = tree{"": "x", long: "x", " ": "x", "a\tb": "x", "c": "", "d": long, "e": 7, "f": many(21, text)}
			},
			func() {
				names := tree{}
				for i := range MaxAttributes + 1 {
					names[fmt.Sprint("n", i)] = "x"
				}
				o["attributes"] = names
			},
			func() {
				o["media"] = many(20, func(i int) any {
					return tree{"url": "/" + strings.Repeat("y", 2000) + fmt.Sprint(i), "alt": strings.Repeat("z", 250)}
				})
				o["metadata"] = tree{"k": strings.Repeat("x", commerce.MaxMetadataBytes-10)}
				o["variants"] = []any{tree{"id": idOf("variants", 9), "name": "V", "media": o["media"]}}
			},
			func() {
				o["variants"] = many(MaxVariants+1, func(i int) any { return tree{"id": fmt.Sprintf("91000000-0000-4000-8000-%012d", i), "name": "V"} })
			},
			func() {
				o["price_periods"] = []any{tree{"from": "2031-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z", "price_amount": 1}}
			},
			func() {
				o["text_fields"] = []any{tree{"key": "a", "label": long, "max_length": 0}, tree{"key": "a", "label": "L"}, tree{"key": "_x", "label": ""}}
			},
			func() {
				o["configurator"] = tree{"groups": []any{tree{"id": "g", "label": "G", "choices": many(1001, choiceOf)}}}
				o["capability"] = "made_to_measure"
			},
			func() { d.spoilConfigurator(o) },
			func() { o["stock"], o["weight_grams"], o["lead_time_days"] = "-1", "1.2345", 36_501 },
			func() {
				o["weight_grams"], o["price_amount"] = rawText("1.2345"), rawText("5."+strings.Repeat("0", 70))
			},
		),
		"categories": append(shown, func() { o["parent_id"] = o["id"] }),
		discountList: {
			func() {
				o["product_ids"], o["buy"], o["value"] = []any{idOf(productList, 1)}, tree{}, tree{"type": "percent", "amount": 5, "percent": "101"}
			},
			func() { o["kind"], o["exclusive"] = "shipping", true },
			func() { o["usage_limit_per_customer"] = 5; delete(o, "code"); delete(o, "code_batches") },
			func() { o["starts_at"], o["ends_at"] = "2031-01-01T00:00:00Z", "2030-01-01T00:00:00Z" },
			func() { o["code"], o["usage_limit"] = " ", -1 },
			func() {
				o["code_batches"] = many(101, func(i int) any {
					return tree{"number": i, "prefix": fmt.Sprint("B", i), "secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg=="}
				})
			},
			func() {
				o["kind"], o["excluded_product_ids"] = "products", many(1001, func(int) any { return idOf(productList, 1) })
			},
		},
		"shipping_methods": append(shown[:5:5],
			func() { o["min_goods_amount"], o["max_goods_amount"], o["min_days"], o["max_days"] = 9, 5, 3, 1 },
			func() {
				o["price_tiers"] = many(21, func(i int) any { return tree{"min_goods_amount": i / 2, "price_amount": 1} })
			},
			func() { o["countries"], o["max_weight_grams"] = []any{"NLD"}, "-1" },
		),
		"redirects": {func() { o["to"] = "//x" }, func() { o["to"] = "http://" }, func() { o["status"] = 303 }},
		"tax_rates": {func() { o["rate"] = "101" }, func() { o["rate"] = 21 }},
	}
	if all := spoilers[list]; len(all) > 0 {
		all[d.IntN(len(all))]()
	}
}

func choiceOf(i int) any { return tree{"id": fmt.Sprint("c", i), "label": "C"} }

// spoilConfigurator makes a product with faults of its configurator.
func (d *dice) spoilConfigurator(o tree) {
	o["capability"] = "made_to_measure"
	c := d.configurator()
	o["configurator"] = c
	switch d.IntN(4) {
	case 0:
		c["dimensions"] = []any{tree{"key": "w", "label": "W", "min": 9, "max": 1}, tree{"key": "w", "label": "W", "min": 1, "max": 9}}
	case 1:
		c["components"] = many(60, func(i int) any {
			return tree{"product_id": fmt.Sprintf("51000000-0000-4000-8000-%012d", i), "qty": "1", "per": "depth"}
		})
	case 2:
		c["groups"] = []any{tree{"id": "g", "label": "G", "choices": []any{
			tree{"id": "a", "label": "A", "price": tree{"type": "percent", "amount": 5}}, choiceOf(1), choiceOf(1),
		}}}
	case 3:
		c["matrices"] = []any{tree{"id": "m", "name": "M", "x": "z", "y": "h", "x_breaks": []any{}, "y_breaks": []any{5, 5},
			"amounts": []any{[]any{1}}, "when": []any{"none"}}}
	}
}

// rawText is a JSON text as it is.
func rawText(text string) any { return json.RawMessage(text) }
