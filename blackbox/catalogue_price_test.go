package blackbox_test

import (
	"fmt"
	"regexp"
	"testing"
)

// prices writes price and tier prices of the product and its variants as
// "1000[10:450] S:1200[]"; "-" is no price.
func (p productSeen) prices() string {
	text := func(price *money, tiers []tierSeen) string {
		amount := "-"
		if price != nil {
			amount = fmt.Sprint(price.Amount)
		}
		rows := make([]string, len(tiers))
		for i, t := range tiers {
			rows[i] = fmt.Sprintf("%s:%d", t.MinQuantity, t.UnitPrice.Amount)
		}
		return amount + fmt.Sprint(rows)
	}
	all := text(p.Price, p.TierPrices)
	for _, v := range p.Variants {
		all += " " + v.Name + ":" + text(v.Price, v.TierPrices)
	}
	return all
}

// anyPrice is a price with its tier prices in the form of prices.
var anyPrice = regexp.MustCompile(`[-\d]+\[[^]]*\]`)

// The catalogue page, price, tier_prices and variants, in each pricing context.
func TestProductPrices(t *testing.T) {
	t.Parallel()
	group := func(from string, amount int) object {
		return object{"min_quantity": from, "price_amount": amount, "group_id": groupTrade}
	}
	choice := func(name string, more object) object {
		v := object{"id": variantID(int(name[0])), "name": name}
		for key, value := range more {
			v[key] = value
		}
		return v
	}
	rows := []struct {
		name         string
		product      object
		guest, trade string
	}{
		{"a price of 0", object{"price_amount": 0}, "0[]", "0[]"},
		{"a group's price takes its place", object{"price_amount": 1000, "group_prices": object{groupTrade: 1200}}, "1000[]", "1200[]"},
		{"tiers from 1 on count", object{"price_amount": 1000, "tiers": list{tier("1", 900), tier("0.5", 950)}}, "900[0.5:950 1:900]", "900[0.5:950 1:900]"},
		{"ascending", object{"price_amount": 9, "tiers": list{tier("10", 7), tier("9.5", 8), tier("2", 6)}}, "9[2:6 9.5:8 10:7]", "9[2:6 9.5:8 10:7]"},
		{"a group's tiers", object{"price_amount": 9, "tiers": list{tier("5", 7), group("3", 8)}}, "9[5:7]", "9[3:8 5:7]"},
		{"the lower of the same quantity", object{"price_amount": 9, "tiers": list{group("5", 6), tier("5", 7), tier("8", 4), group("8.000", 5)}},
			"9[5:7 8:4]", "9[5:6 8:4]"},
		{"the same quantity twice", object{"price_amount": 9, "tiers": list{tier("5", 6), tier("5.0", 5), tier("5.00", 7)}}, "9[5:5]", "9[5:5]"},
		{"made to measure", object{
			"price_amount": 9, "group_prices": object{groupTrade: 8}, "tiers": list{tier("1", 7)},
			"capability": "made_to_measure", "configurator": blindConfigurator(),
		}, "-[]", "-[]"},
		{"variants", object{"price_amount": 1000, "tiers": list{tier("10", 500), group("10", 400)}, "variants": list{
			choice("a", object{"price_amount": 1200}), choice("b", nil), choice("c", object{"active": false, "price_amount": 1}),
			choice("d", object{"tiers": list{tier("10", 700), group("2", 650)}}), choice("e", object{"group_prices": object{groupTrade: 900}}),
		}}, "1000[10:500] a:1200[] b:1000[10:500] d:-[10:700] e:-[]", "900[10:400] a:1200[] b:1000[10:400] d:-[2:650 10:700] e:900[]"},
		{"variants without a price", object{"variants": list{choice("f", nil), choice("g", object{"tiers": list{tier("2", 1)}})}},
			"-[] f:-[] g:-[2:1]", "-[] f:-[] g:-[2:1]"},
		{"a variant for nothing", object{"price_amount": 5, "variants": list{choice("h", nil), choice("i", object{"price_amount": 0})}},
			"0[] h:5[] i:0[]", "0[] h:5[] i:0[]"},
		{"no active variant", object{"price_amount": 5, "tiers": list{tier("2", 4)}, "variants": list{choice("j", object{"active": false})}}, "-[2:4]", "-[2:4]"},
	}
	goods := make(list, len(rows))
	for i, row := range rows {
		goods[i] = product(itemID(i), row.name, fmt.Sprint("p", i), row.product)
	}
	tables := setting("policy", object{"pricing": object{"show_tier_table": false, "vat_display": "ex"}})
	hidden := setting("policy", object{"pricing": object{"guest_price_visibility": "hidden"}})
	shop := serveFiles(t, storeFile(t, base(), selling(goods...), tables), storeFile(t, another(storeHidden, keyHidden, changes(selling(goods...), hidden))))
	for i, row := range rows {
		for _, c := range []struct{ name, key, token, want string }{
			{"a guest", keyShop, "", row.guest},
			{"a wrong token", keyShop, wrongToken, row.guest},
			{"an expired token", keyShop, tokenExpired, row.guest},
			{"a b2b customer", keyShop, tokenBob, row.guest},
			{"the trade", keyShop, tokenTess, row.trade},
			{"a guest, hidden", keyHidden, "", anyPrice.ReplaceAllString(row.guest, "-[]")},
			{"a wrong token, hidden", keyHidden, wrongToken, anyPrice.ReplaceAllString(row.guest, "-[]")},
			{"a customer, hidden", keyHidden, tokenAda, row.guest},
			{"the trade, hidden", keyHidden, tokenTess, row.trade},
		} {
			a := shop.withKey(c.key).withToken(c.token).get(productsPath + "/" + itemID(i))
			if got := decoded[productSeen](a).prices(); got != c.want {
				t.Errorf("%s, %s: %s, want %s", row.name, c.name, got, c.want)
			}
		}
	}
}
