package storefile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
)

// dice make random documents and change sets with few ids, slugs and codes, so that they meet.
type dice struct {
	*rand.Rand
	// known are the keys of the document that is being made, by list; nil if entries may name anything.
	known map[string][]string
}

type tree = map[string]any

// kinds of keys with the number of those that exist.
var keyLetters = map[string]string{
	"customer_groups": "2", "categories": "4", productList: "5", discountList: "6", "shipping_methods": "7", "variants": "9",
}

func idOf(list string, n int) string {
	return fmt.Sprintf("%s0000000-0000-4000-8000-00000000000%d", keyLetters[list], n)
}

func (d *dice) chance(percent int) bool { return d.IntN(100) < percent }

func pick[T any](d *dice, all ...T) T { return all[d.IntN(len(all))] }

// name is a key of a list; of a document that is being made, one that exists, or "" if there is none.
func (d *dice) name(list string) string {
	if d.known == nil {
		if list == "tax_rates" {
			return pick(d, "high", "high", "low", "zero", "hihg")
		}
		return idOf(list, d.IntN(7))
	}
	if all := d.known[list]; len(all) > 0 {
		return pick(d, all...)
	}
	return ""
}

// names are some keys of a list.
func (d *dice) names(list string) []any {
	all := []any{}
	for range d.IntN(3) {
		if name := d.name(list); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// may adds a member, in some objects.
func (d *dice) may(o tree, percent int, name string, value func() any) {
	if d.chance(percent) {
		o[name] = value()
	}
}

func (d *dice) amount() any   { return d.IntN(5000) }
func (d *dice) quantity() any { return pick(d, "1", "2", "2.5", "10") }
func (d *dice) at(year int) string {
	return fmt.Sprintf("%d-0%d-01T00:00:00Z", year, 1+d.IntN(9))
}

func (d *dice) entry(list string, key string) tree {
	switch list {
	case "customer_groups":
		return tree{"id": key, "name": d.word()}
	case "tax_rates":
		o := tree{"code": key, "rate": fmt.Sprint(d.IntN(30))}
		if d.known == nil {
			d.may(o, 30, "countries", func() any { return tree{pick(d, "DE", "fr", "CH"): fmt.Sprint(d.IntN(30))} })
		}
		return o
	case "categories":
		return d.category(key)
	case productList:
		return d.product(key)
	case discountList:
		return d.discount(key)
	case "shipping_methods":
		return d.method(key)
	}
	return tree{"from": key, "to": pick(d, "/new", "https://example.org/x"), "status": pick(d, 301, 302, 308)}
}

func (d *dice) word() string { return pick(d, "Oak", "Pine", "Red \"x\"", "Blue é", "N") }

func (d *dice) slug(key string) string {
	if d.known != nil || d.chance(70) {
		return "s" + key[len(key)-1:]
	}
	return fmt.Sprint("s", d.IntN(7))
}

func (d *dice) category(key string) tree {
	o := tree{"id": key, "name": d.word(), "slug": d.slug(key)}
	d.may(o, 50, "parent_id", func() any {
		if parent := d.name("categories"); parent != "" {
			return parent
		}
		return nil
	})
	d.may(o, 20, "description", func() any { return "one\r\ntwo" })
	return o
}

func (d *dice) prices(o tree) {
	d.may(o, 70, "price_amount", d.amount)
	d.may(o, 25, "group_prices", func() any {
		prices := tree{}
		for _, group := range d.names("customer_groups") {
			prices[group.(string)] = pick[any](d, 100, 200, nil)
		}
		return prices
	})
	d.may(o, 25, "tiers", func() any {
		tier := tree{"min_quantity": d.quantity(), "price_amount": d.amount()}
		if group := d.name("customer_groups"); group != "" {
			tier["group_id"] = group
		}
		return []any{tier}
	})
	d.may(o, 25, "price_periods", func() any {
		var periods []any
		year := 2030
		for range 1 + d.IntN(2) {
			period := tree{"from": d.at(year), "until": d.at(year + 1 - d.IntN(2)/2), "price_amount": d.amount()}
			if group := d.name("customer_groups"); group != "" && d.chance(40) {
				period["group_id"] = group
			}
			periods = append(periods, period)
			year += 2
		}
		return periods
	})
}

func (d *dice) display(o tree) {
	d.may(o, 15, "media", func() any { return []any{tree{"url": "/a.jpg", "alt": "A"}} })
	d.may(o, 15, "attributes", func() any { return tree{"Room": []any{"Bath", "Hall"}, "Colour": "Red"} })
	d.may(o, 15, "metadata", func() any { return tree{"b": 1, "a": "x", "n": nil} })
}

func (d *dice) product(key string) tree {
	o := tree{"id": key, "name": d.word(), "slug": d.slug(key), "tax": d.name("tax_rates")}
	d.may(o, 30, "sku", func() any { return d.word() })
	d.may(o, 60, "category_ids", func() any { return d.names("categories") })
	d.may(o, 20, "active", func() any { return d.chance(50) })
	d.may(o, 30, "track_stock", func() any { return d.chance(80) })
	d.may(o, 10, "weight_grams", func() any { return "12.5" })
	d.may(o, 10, "text_fields", func() any { return []any{tree{"key": "text", "label": "Text"}} })
	d.may(o, 10, "min_quantity", func() any { return pick(d, "6", "12") })
	d.may(o, 10, "max_quantity", func() any { return pick(d, "12", "18") })
	d.may(o, 10, "quantity_step", func() any { return pick(d, "6", "3.0") })
	d.may(o, 15, "backorder", d.backorder)
	d.display(o)
	if d.chance(30) {
		o["capability"] = "made_to_measure"
		o["configurator"] = d.configurator()
		d.may(o, 30, "price_from_amount", d.amount)
		return o
	}
	d.prices(o)
	d.may(o, 30, "stock", func() any { return fmt.Sprint(d.IntN(9) - 2) })
	d.may(o, 40, "variants", func() any {
		var variants []any
		for i := range d.IntN(3) {
			n := (int(key[len(key)-1]-'0')*2 + i) % 10
			id := idOf("variants", n)
			if d.known == nil && d.chance(10) {
				id = pick(d, idOf("variants", d.IntN(10)), idOf(productList, d.IntN(7)))
			}
			v := tree{"id": id, "name": d.word()}
			d.prices(v)
			d.display(v)
			d.may(v, 30, "stock", func() any { return fmt.Sprint(d.IntN(9) - 2) })
			d.may(v, 15, "backorder", d.backorder)
			variants = append(variants, v)
		}
		if len(variants) > 0 && d.known != nil {
			delete(o, "stock")
		}
		return variants
	})
	return o
}

func (d *dice) backorder() any {
	b := tree{"limit": pick(d, "0", "10", "2.50")}
	d.may(b, 50, "available_from", func() any { return pick(d, "2027-05-12", "2028-02-29") })
	return b
}

func (d *dice) components() []any {
	var all []any
	for range d.IntN(3) {
		if id := d.name(productList); id != "" {
			all = append(all, tree{"product_id": id, "qty": "0.5", "per": pick(d, "unit", "m2", "w")})
		}
	}
	return all
}

func (d *dice) configurator() tree {
	choice := func(id string) tree {
		c := tree{"id": id, "label": d.word(), "price": pick[any](d, nil, tree{"type": "per_m2", "amount": 9}, tree{"type": "percent", "percent": "10"})}
		d.may(c, 40, "components", func() any { return d.components() })
		d.may(c, 20, "requires", func() any { return []any{"b"} })
		return c
	}
	return tree{
		"dimensions": []any{tree{"key": "w", "label": "W", "min": 1, "max": 900, "step": 2}, tree{"key": "h", "label": "H", "min": 1, "max": 900}},
		"groups":     []any{tree{"id": "g", "label": "G", "required": true, "choices": []any{choice("a"), choice("b")}}},
		"matrices": []any{tree{"id": "m", "name": "M", "when": pick(d, []any{}, []any{"a"}), "x": "w", "y": "h", "x_breaks": []any{100, 900},
			"y_breaks": []any{900}, "amounts": []any{[]any{5, 9}}}},
		"components": d.components(),
	}
}

func (d *dice) productRange(o tree) {
	d.may(o, 40, "product_ids", func() any { return d.names(productList) })
	d.may(o, 30, "category_ids", func() any { return d.names("categories") })
	d.may(o, 30, "excluded_product_ids", func() any { return d.names(productList) })
}

func (d *dice) discount(key string) tree {
	n := key[len(key)-1:]
	kind := pick(d, "order", "products", "shipping", "bogo")
	o := tree{"id": key, "name": d.word(), "kind": kind}
	switch kind {
	case "bogo":
		buy, get := tree{}, tree{"quantity": d.quantity(), "percent": "50"}
		d.productRange(buy)
		d.productRange(get)
		o["buy"], o["get"] = buy, get
	case "products":
		d.productRange(o)
		fallthrough
	default:
		o["value"] = pick(d, tree{"type": "percent", "percent": "5"}, tree{"type": "fixed", "amount": 100})
	}
	d.may(o, 50, "code", func() any { return pick(d, "C"+n, "c"+n+" ", "c"+n) })
	if d.known == nil && d.chance(15) {
		o["code"] = fmt.Sprint("C", d.IntN(7))
	}
	d.may(o, 30, "code_batches", func() any {
		prefix := "P" + n
		if d.known == nil && d.chance(20) {
			prefix = pick(d, "P-0", "P1", "-P2", "P3")
		}
		return []any{tree{"number": d.IntN(3), "prefix": prefix, "secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg=="}}
	})
	d.may(o, 40, "customer_group_ids", func() any { return d.names("customer_groups") })
	d.may(o, 30, "used", func() any { return d.IntN(9) })
	d.may(o, 20, "active", func() any { return d.chance(50) })
	if kind != "shipping" {
		d.may(o, 20, "exclusive", func() any { return true })
	}
	d.may(o, 20, "starts_at", func() any { return d.at(2030) })
	d.may(o, 20, "ends_at", func() any { return d.at(2031) })
	return o
}

func (d *dice) method(key string) tree {
	o := tree{"id": key, "name": d.word(), "price_amount": d.amount(), "tax": d.name("tax_rates")}
	d.may(o, 30, "countries", func() any { return []any{"NL", "be"} })
	d.may(o, 30, "price_tiers", func() any {
		return []any{tree{"min_goods_amount": 0, "price_amount": 9}, tree{"min_goods_amount": 50, "price_amount": 5}}
	})
	d.may(o, 20, "min_days", func() any { return 1 })
	d.may(o, 20, "max_days", func() any { return 3 })
	return o
}

func (d *dice) settings() tree {
	o := tree{}
	d.may(o, 50, "name", func() any { return d.word() })
	d.may(o, 30, "policy", func() any { return tree{"max_lines": 1 + d.IntN(50), "pricing": tree{"vat_display": "ex"}} })
	d.may(o, 40, "quotes", func() any { return tree{"enabled": true, "customer_group_ids": d.names("customer_groups")} })
	d.may(o, 20, "stock_hold_minutes", func() any { return 1 + d.IntN(90) })
	d.may(o, 20, "orders", func() any { return tree{"payment_minutes": 30} })
	d.may(o, 20, "languages", func() any { return []any{"nl", "en"} })
	if d.known == nil { // of an operator's change set
		d.may(o, 10, "modules", func() any { return []any{"catalog", pick(d, "stock", "stocks")} })
		d.may(o, 10, "suspended", func() any { return d.chance(50) })
		d.may(o, 10, "limits", func() any { return tree{"per_client": d.IntN(3)} })
		d.may(o, 20, "country", func() any { return pick(d, "NL", "nl", "DE") })
		d.may(o, 15, "export_countries", func() any { return []any{pick(d, "CH", "NL", "fr")} })
		d.may(o, 15, "reverse_charge_countries", func() any { return []any{pick(d, "DE", "FR", "CH")} })
		d.may(o, 5, "rate_limit_per_minute", func() any { return d.IntN(3) })
	}
	return o
}

// key is the key of an entry of a list that may exist.
func (d *dice) key(list string, n int) string {
	switch list {
	case "tax_rates":
		return []string{"high", "low", "zero"}[n%3]
	case "redirects":
		return []string{"/a", "/b%C3%A9", "/bé", "/c"}[n%4]
	}
	return idOf(list, n)
}

// document makes a document; few of them have faults.
func (d *dice) document() tree {
	d.known = map[string][]string{}
	doc := tree{"format": 1}
	for _, list := range []string{"customer_groups", "tax_rates", "categories", productList, discountList, "shipping_methods", "redirects"} {
		var entries []any
		if list == productList && d.known["tax_rates"] == nil || list == "shipping_methods" && d.known["tax_rates"] == nil {
			continue
		}
		for n := range 6 {
			key := d.key(list, n)
			if d.chance(55) && !slices.Contains(d.known[list], key) && (list != "redirects" || n != 2) {
				entries = append(entries, d.entry(list, key))
				d.known[list] = append(d.known[list], key)
			}
		}
		if entries != nil || d.chance(30) {
			doc[list] = append([]any{}, entries...)
		}
	}
	store := d.settings()
	store["id"], store["name"], store["modules"] = "11111111-1111-4111-8111-111111111111", "Shop", []any{"catalog", "commerce"}
	doc["store"] = store
	d.known = nil
	return doc
}

// changeSet makes a change set. With faults, some of its values are altered.
func (d *dice) changeSet() string {
	set, remove := tree{}, tree{}
	lists := 1 + d.IntN(3)
	for range lists {
		list := pick(d, ChangeLists...)
		var entries, gone []any
		var done []string
		for n := range d.Perm(7) {
			key := d.key(list, n)
			if slices.Contains(done, key) {
				continue
			}
			done = append(done, key)
			switch {
			case d.chance(25):
				entry := d.entry(list, key)
				if d.chance(8) {
					d.spoil(list, entry)
				}
				entries = append(entries, entry)
			case d.chance(15):
				gone = append(gone, key)
			}
		}
		if entries != nil || d.chance(20) {
			set[list] = append([]any{}, entries...)
		}
		if gone != nil || d.chance(20) {
			remove[list] = append([]any{}, gone...)
		}
	}
	if d.chance(25) {
		settings := d.settings()
		for name := range settings {
			if d.chance(10) {
				settings[name] = nil
			}
		}
		set["settings"] = settings
	}
	return d.faulty(tree{"format": 1, "set": set, "remove": remove})
}

// productChange makes a change of one product.
func (d *dice) productChange(key string) string {
	o := d.product(key)
	if d.chance(10) {
		d.spoil(productList, o)
	}
	change := tree{}
	for name, value := range o {
		if d.chance(35) {
			change[name] = pick[any](d, value, value, value, nil)
		}
	}
	delete(change, "id")
	return d.faulty(change)
}

// faulty is a text of the value, in which some values are altered.
func (d *dice) faulty(v any) string {
	text := spelt(v)
	if d.chance(55) {
		return text
	}
	for range 1 + d.IntN(3) {
		var root any
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			return text // an altered text may be no JSON of this decoder
		}
		alterAnywhere(d.Rand, &root)
		text = spelt(root)
	}
	return text
}
