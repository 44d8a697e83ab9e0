package httpserver

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/configurator"
)

// sampleBlind returns the product of the sample requests.
func sampleBlind() *commerce.Product {
	p := &commerce.Product{
		ID: uuid.MustParse(testCart), Name: "Blind", Active: true, Capability: commerce.MadeToMeasure,
		Configurator: &commerce.Configurator{
			Dimensions: []commerce.Dimension{
				{Key: "width", Label: "Width", Unit: "mm", Min: 300, Max: 3000, Step: 1}, {Key: "height", Label: "Height", Unit: "mm", Max: 2000, Step: 10},
			},
			Groups: []commerce.ChoiceGroup{
				{ID: "fabric", Label: "Fabric", Required: true, Choices: []commerce.Choice{
					{ID: "linen", Label: "Linen", Price: commerce.ChoicePrice{Amount: 1500}},
					{ID: "silk", Label: "Silk", Price: commerce.ChoicePrice{Kind: commerce.PricePercent, Percent: 12.5 * 1e9}, Requires: []string{"hem"}},
					{ID: "felt", Label: "Felt", Requires: []string{"lining"}},
				}},
				{ID: "extras", Label: "Extras", Multiple: true, Choices: []commerce.Choice{
					{ID: "hem", Label: "Hem", Price: commerce.ChoicePrice{Kind: commerce.PricePerM2, Amount: 900}},
				}},
			},
			Matrices: []commerce.Matrix{
				{ID: "felt", Name: "For felt", When: []string{"felt"}, X: "width", Y: "height", XBreaks: []int64{3000}, YBreaks: []int64{2000},
					Amounts: [][]commerce.Amount{{1}}},
				{ID: "std", Name: "Standard", X: "width", Y: "height", XBreaks: []int64{3000}, YBreaks: []int64{2000}, Amounts: [][]commerce.Amount{{4900}}},
			},
			Components: []commerce.Component{{ProductID: uuid.MustParse(testLine), Quantity: 1_000_000, Per: "width"}},
		},
	}
	p.Configurator.Engine = configurator.New(p.ID, p.Configurator)
	return p
}

func TestConfiguratorRoutesKnowActiveProductsMadeToMeasure(t *testing.T) {
	standard, inactive := *sampleBlind(), *sampleBlind()
	standard.Capability, inactive.Active = commerce.Standard, false
	for _, products := range [][]*commerce.Product{nil, {&standard}, {&inactive}} {
		h := start(t)
		h.engine.admission.Store.Products = products
		h.engine.admission.Store.Index()
		for _, id := range []string{testCart, "roller-blind"} {
			want := message("No query results for model [Product] " + id)
			h.expect(call{method: "GET", path: "/v1/api/configurator/products/" + id + "/schema"}, 404, want)
			h.expect(call{method: "POST", path: "/v1/api/configurator/products/" + id + "/quote", body: "{"}, 404, want)
		}
	}
}
