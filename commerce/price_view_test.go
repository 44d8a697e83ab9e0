package commerce

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestPriceView(t *testing.T) {
	s := testShop()
	view := func(v Visitor) PriceView { return s.PriceView(&v, Country{}, noon) }
	hiding := *s
	hiding.Policy.Pricing.GuestPriceVisibility = "hidden"
	for _, c := range []struct {
		name    string
		view    PriceView
		product uuid.UUID
		price   string
		tiers   string
	}{
		{"guest", view(guest), tile, "1000", "10:900 20:990 "},
		{"bad token", view(badToken), tile, "1000", "10:900 20:990 "},
		{"group", view(trade), tile, "950", "5:850 10:900 20:990 "},
		{"lowest variant", view(guest), drill, "5000", "2:4000 "},
		{"every variant inactive", view(guest), faded, "none", ""},
		{"made to measure", view(guest), blind, "none", ""},
		{"price from 10 on only", view(guest), bulk, "none", "10:500 "},
		{"price of 0", view(guest), gift, "0", ""},
		{"hidden from guests", hiding.PriceView(&guest, Country{}, noon), tile, "none", ""},
		{"hidden, but not from an account", hiding.PriceView(&ada, Country{}, noon), tile, "1000", "10:900 20:990 "},
	} {
		p := s.Product(c.product)
		got := "none"
		if price, _, ok := c.view.Price(p); ok {
			got = fmt.Sprint(price)
		}
		tiers := ""
		for _, tier := range c.view.AppendTiers(nil, p, nil) {
			tiers += fmt.Sprintf("%s:%d ", tier.MinQuantity.AppendJSON(nil), tier.Price)
		}
		if got != c.price || tiers != c.tiers {
			t.Errorf("%s: price %s, tiers %q; want %s, %q", c.name, got, tiers, c.price, c.tiers)
		}
	}
}

// Price and tiers of products and their active variants, for a guest and for a group: "1000[10:450]".
func TestShownPrices(t *testing.T) {
	base := func(a Amount) Prices { return Prices{Base: price(a)} }
	tiers := func(base *Amount, tiers ...Tier) Prices { return Prices{Base: base, Tiers: tiers} }
	for _, c := range []struct {
		name         string
		product      Product
		guest, trade string
	}{
		{"tiers from 1 on count", Product{Prices: tiers(price(1000), Tier{One, 900, uuid.Nil}, Tier{500, 950, uuid.Nil})},
			"900[0.5:950 1:900]", "900[0.5:950 1:900]"},
		{"the lower of the same quantity", Product{Prices: tiers(price(9), Tier{5000, 6, tradeGroup}, Tier{5000, 7, uuid.Nil}, Tier{8000, 4, uuid.Nil},
			Tier{8000, 5, tradeGroup})},
			"9[5:7 8:4]", "9[5:6 8:4]"},
		{"the same quantity thrice", Product{Prices: tiers(price(9), Tier{5000, 6, uuid.Nil}, Tier{5000, 5, uuid.Nil}, Tier{5000, 7, uuid.Nil})}, "9[5:5]", "9[5:5]"},
		{"made to measure", Product{Capability: MadeToMeasure, Prices: tiers(price(9), Tier{One, 7, uuid.Nil})}, "none[]", "none[]"},
		{"no active variant", Product{Prices: tiers(price(5), Tier{2000, 4, uuid.Nil}), Variants: []Variant{{Prices: base(1)}}}, "none[2:4]", "none[2:4]"},
		{"variants", Product{Prices: tiers(price(1000), Tier{10 * One, 500, uuid.Nil}, Tier{10 * One, 400, tradeGroup}), Variants: []Variant{
			{Active: true, Prices: base(1200)}, {Active: true}, {Prices: base(1)}, {Active: true,
				Prices: tiers(nil, Tier{10 * One, 700, uuid.Nil}, Tier{2000, 650, tradeGroup})},
			{Active: true, Prices: Prices{Group: []GroupPrice{{tradeGroup, 900}}}},
		}}, "1000[10:500] 1200[] 1000[10:500] none[10:700] none[]", "900[10:400] 1200[] 1000[10:400] none[2:650 10:700] 900[]"},
		{"variants without a price", Product{Variants: []Variant{{Active: true}, {Active: true, Prices: tiers(nil, Tier{2000, 1, uuid.Nil})}}},
			"none[] none[] none[2:1]", "none[] none[] none[2:1]"},
	} {
		p := &c.product
		hidden := strings.TrimSpace(strings.Repeat("none[] ", strings.Count(c.guest, "[")))
		wants := []string{c.guest, c.trade, hidden}
		for i, view := range []PriceView{{}, {Pricing: Pricing{GroupID: tradeGroup}}, {Hidden: true}} {
			show := func(variant *Variant, amount Amount, ok bool) string {
				text := "none"
				if ok {
					text = fmt.Sprint(amount)
				}
				var shown []string
				for _, tier := range view.AppendTiers(nil, p, variant) {
					shown = append(shown, fmt.Sprintf("%s:%d", tier.MinQuantity.AppendJSON(nil), tier.Price))
				}
				return fmt.Sprint(text, shown)
			}
			amount, _, ok := view.Price(p)
			got := show(nil, amount, ok)
			for i := range p.Variants {
				if v := &p.Variants[i]; v.Active {
					amount, ok := view.VariantPrice(p, v)
					got += " " + show(v, amount, ok)
				}
			}
			if got != wants[i] {
				t.Errorf("%s, %+v: %s; want %s", c.name, view, got, wants[i])
			}
		}
	}
}
