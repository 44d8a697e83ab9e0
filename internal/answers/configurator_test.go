package answers

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// schema returns a random configurator and its model.
func (d dice) schema(product uuid.UUID) (*commerce.Configurator, object) {
	c := &commerce.Configurator{}
	dimensions, groups, matrices := []any{}, []any{}, []any{}
	for range d.IntN(3) {
		one := commerce.Dimension{Key: d.text(), Label: d.text(), Unit: "mm", Min: d.Int64N(9), Max: d.Int64N(1e9), Step: d.Int64N(9)}
		c.Dimensions = append(c.Dimensions, one)
		dimensions = append(dimensions, object{"key", one.Key, "label", one.Label, "unit", "mm", "min", one.Min, "max", one.Max, "step", one.Step})
	}
	for range d.IntN(3) {
		g, choices := commerce.ChoiceGroup{ID: d.text(), Label: d.text(), Required: d.bool(), Multiple: d.bool()}, []any{}
		for range d.IntN(3) {
			one := commerce.Choice{ID: d.text(), Label: d.text(), Requires: d.texts()}
			one.Price = commerce.ChoicePrice{Kind: commerce.ChoicePriceKind(d.IntN(3)), Amount: d.amount(),
				Percent: commerce.Hundred / 1000 * commerce.Percent(d.IntN(1001))}
			price := object{"type", []string{"fixed", "percent", "per_m2"}[one.Price.Kind], "amount", one.Price.Amount, "amount_without_tax",
				slowNet(one.Price.Amount, tenth, true)}
			if one.Price.Kind == commerce.PricePercent {
				price = object{"type", "percent", "percent", string(slowPercent(one.Price.Percent))}
			}
			g.Choices = append(g.Choices, one)
			choices = append(choices, object{"id", one.ID, "label", one.Label, "price", price, "requires", append([]string{}, one.Requires...)})
		}
		c.Groups = append(c.Groups, g)
		groups = append(groups, object{"id", g.ID, "label", g.Label, "required", g.Required, "multiple", g.Multiple, "choices", choices})
	}
	for range d.IntN(3) {
		m := commerce.Matrix{ID: d.text(), Name: d.text()}
		c.Matrices, matrices = append(c.Matrices, m), append(matrices, object{"id", m.ID, "name", m.Name})
	}
	return c, object{"product_id", product, "tax_rate", slowPercent(tenth), "dimensions", dimensions, "groups", groups, "matrices", matrices}
}

// tenth is a rate of tax.
const tenth = commerce.Hundred / 10

func TestConfiguratorAnswersAreEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(1000) {
		d := dice{rand.New(rand.NewPCG(seed, 2))}
		product := d.id()
		tax, of := commerce.Taxation{Included: true}, &commerce.Product{ID: product, Tax: &commerce.TaxRate{Rate: tenth}}
		c, slow := d.schema(product)
		if got, want := string(Configurator.Append(nil, ConfiguratorView{c, tax, of})), slowJSON(slow); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
		q := commerce.ConfigurationQuote{Configured: commerce.Configured{UnitPrice: d.amount(), Snapshot: d.configuration()}, RequiresQuote: d.bool()}
		for i := range q.Snapshot.Hash {
			q.Snapshot.Hash[i] = byte(d.IntN(256))
		}
		made := append(object{
			"unit_price_amount", q.UnitPrice, "unit_price", euros(q.UnitPrice),
			"unit_price_without_tax", euros(slowNet(q.UnitPrice, tenth, true)), "tax_rate", slowPercent(tenth),
			"breakdown", slowList(q.Snapshot.Breakdown, func(p *commerce.PricePart) any {
				return object{"label", p.Label, "amount", p.Amount, "amount_without_tax", slowNet(p.Amount, tenth, true)}
			}),
		}, slowMade(q.Snapshot)[2:]...)
		want := slowJSON(append(made, "config_hash", hex.EncodeToString(q.Snapshot.Hash[:]), "requires_quote", q.RequiresQuote))
		if got := string(ConfigurationQuote.Append(nil, ConfigurationQuoteView{&q, tax, of})); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
	}
}
