package httpserver

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/configurator"
	"cartd/httpserver/bodies"
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
				{ID: "felt", Name: "For felt", When: []string{"felt"}, X: "width", Y: "height", XBreaks: []int64{3000}, YBreaks: []int64{2000}, Amounts: [][]commerce.Amount{{1}}},
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

func TestConfigurationQuoteFields(t *testing.T) {
	whole := func(key string, value int64) commerce.Measure {
		return commerce.Measure{Key: key, Value: value, Whole: true}
	}
	for _, c := range []struct {
		body     string
		want     commerce.Selection
		quantity commerce.Quantity
		fault    string
	}{
		{``, commerce.Selection{}, commerce.One, ""},
		{`{"dimensions":{},"choices":[]}`, commerce.Selection{}, commerce.One, ""},
		{`{"dimensions":{"width":1200,"h\u0065ight":1.2e3}}`, commerce.Selection{Dimensions: []commerce.Measure{whole("width", 1200), whole("height", 1200)}}, commerce.One, ""},
		{`{"dimensions":{"a":"1200","b":null,"c":true,"d":[],"e":{},"f":1200.5,"g":-1}}`, commerce.Selection{Dimensions: []commerce.Measure{
			{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}, {Key: "e"}, {Key: "f"}, whole("g", -1),
		}}, commerce.One, ""},
		{`{"dimensions":{"a":"x","a":5}}`, commerce.Selection{Dimensions: []commerce.Measure{{Key: "a"}, whole("a", 5)}}, commerce.One, ""},
		{`{"choices":["b"," a","b",""]}`, commerce.Selection{Choices: []string{"b", " a", "b", ""}}, commerce.One, ""},
		{`{"dimensions":"x","choices":"x"}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"dimensions":[1],"choices":{}}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"choices":["a",1]}`, commerce.Selection{NoList: true}, commerce.One, ""},
		{`{"quantity":"2.5"}`, commerce.Selection{}, 2500, ""},
		{`{"quantity":null}`, commerce.Selection{}, 0, "quantity: The quantity field is required."},
		{`{"quantity":0,"choices":5}`, commerce.Selection{NoList: true}, 0, "quantity: The quantity field must be greater than 0."},
	} {
		got, fault := bodies.ConfigurationQuote.Read(bodies.Parse([]byte(c.body)))
		if !reflect.DeepEqual(got, bodies.AskedConfiguration{Selection: c.want, Quantity: c.quantity}) || faultsOf(fault) != c.fault {
			t.Errorf("%s: got %+v, %s; want %+v, %v, %s", c.body, got, faultsOf(fault), c.want, c.quantity, c.fault)
		}
	}
	if _, fault := bodies.ConfigurationQuote.Read(bodies.Parse([]byte("[1]"))); fault != commerce.InvalidJSON {
		t.Errorf("a list: got %v, want %v", fault, commerce.InvalidJSON)
	}
}
