package httpserver

import (
	"encoding/hex"
	"math/rand/v2"
	"reflect"
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
		{`{"dimensions":[]}`, commerce.Selection{}, commerce.One, ""},
		{`{"dimensions":{"width":1200,"h\u0065ight":1.2e3}}`, commerce.Selection{Dimensions: []commerce.Measure{whole("width", 1200), whole("height", 1200)}}, commerce.One, ""},
		{`{"dimensions":{"a":"1200","b":null,"c":true,"d":[],"e":{},"f":1200.5,"g":-1}}`, commerce.Selection{Dimensions: []commerce.Measure{
			{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}, {Key: "e"}, {Key: "f"}, whole("g", -1),
		}}, commerce.One, ""},
		{`{"dimensions":{"a":"x","a":5}}`, commerce.Selection{Dimensions: []commerce.Measure{{Key: "a"}, whole("a", 5)}}, commerce.One, ""},
		{`{"choices":["b"," a","b",""]}`, commerce.Selection{Choices: []string{"b", " a", "b", ""}}, commerce.One, ""},
		{`{"dimensions":null,"choices":null}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"dimensions":"x","choices":"x"}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"dimensions":[1],"choices":{}}`, commerce.Selection{NoMap: true, NoList: true}, commerce.One, ""},
		{`{"choices":["a",1]}`, commerce.Selection{NoList: true}, commerce.One, ""},
		{`{"choices":[null]}`, commerce.Selection{NoList: true}, commerce.One, ""},
		{`[]`, commerce.Selection{}, commerce.One, ""},
		{" ", commerce.Selection{}, commerce.One, ""},
		{`{"quantity":"2.5"}`, commerce.Selection{}, 2500, ""},
		{`{"quantity":null}`, commerce.Selection{}, 0, "quantity: The quantity field is required."},
		{`{"quantity":0,"choices":5}`, commerce.Selection{NoList: true}, 0, "quantity: The quantity field must be greater than 0."},
	} {
		got, quantity, fault := decodeConfigurationQuote(parseBody([]byte(c.body)))
		if !reflect.DeepEqual(got, &c.want) || quantity != c.quantity || faultsOf(fault) != c.fault {
			t.Errorf("%s: got %+v, %v, %s; want %+v, %v, %s", c.body, got, quantity, faultsOf(fault), c.want, c.quantity, c.fault)
		}
	}
	if _, _, fault := decodeConfigurationQuote(parseBody([]byte("[1]"))); fault != commerce.InvalidJSON {
		t.Errorf("a list: got %v, want %v", fault, commerce.InvalidJSON)
	}
}

// The schema and the quote as encoding/json writes them.
type (
	slowSchema struct {
		ProductID  string          `json:"product_id"`
		Dimensions []slowDimension `json:"dimensions"`
		Groups     []slowGroup     `json:"groups"`
		Matrices   []slowMatrix    `json:"matrices"`
	}
	slowDimension struct {
		Key   string `json:"key"`
		Label string `json:"label"`
		Unit  string `json:"unit"`
		Min   int64  `json:"min"`
		Max   int64  `json:"max"`
		Step  int64  `json:"step"`
	}
	slowGroup struct {
		ID       string       `json:"id"`
		Label    string       `json:"label"`
		Required bool         `json:"required"`
		Multiple bool         `json:"multiple"`
		Choices  []slowChoice `json:"choices"`
	}
	slowChoice struct {
		ID       string   `json:"id"`
		Label    string   `json:"label"`
		Price    any      `json:"price"`
		Requires []string `json:"requires"`
	}
	slowFixed struct {
		Type   string `json:"type"`
		Amount int64  `json:"amount"`
	}
	slowPercent struct {
		Type    string `json:"type"`
		Percent string `json:"percent"`
	}
	slowQuote struct {
		UnitAmount int64           `json:"unit_price_amount"`
		UnitPrice  slowMoney       `json:"unit_price"`
		Breakdown  []slowPart      `json:"breakdown"`
		Components []slowComponent `json:"components"`
		Matrix     slowMatrix      `json:"matrix"`
		Hash       string          `json:"config_hash"`
		Requires   bool            `json:"requires_quote"`
	}
)

// schema returns a random configurator and its model.
func (d dice) schema(product uuid.UUID) (*commerce.Configurator, slowSchema) {
	c := &commerce.Configurator{}
	slow := slowSchema{product.String(), []slowDimension{}, []slowGroup{}, []slowMatrix{}}
	for range d.IntN(3) {
		one := commerce.Dimension{Key: d.text(), Label: d.text(), Unit: "mm", Min: d.Int64N(9), Max: d.Int64N(1e9), Step: d.Int64N(9)}
		c.Dimensions, slow.Dimensions = append(c.Dimensions, one), append(slow.Dimensions, slowDimension(one))
	}
	for range d.IntN(3) {
		g := commerce.ChoiceGroup{ID: d.text(), Label: d.text(), Required: d.bool(), Multiple: d.bool()}
		shown := slowGroup{g.ID, g.Label, g.Required, g.Multiple, []slowChoice{}}
		for range d.IntN(3) {
			one := commerce.Choice{ID: d.text(), Label: d.text(), Requires: d.texts()}
			one.Price = commerce.ChoicePrice{Kind: commerce.ChoicePriceKind(d.IntN(3)), Amount: d.amount(), Percent: commerce.Hundred / 1000 * commerce.Percent(d.IntN(1001))}
			var price any = slowFixed{[]string{"fixed", "percent", "per_m2"}[one.Price.Kind], int64(one.Price.Amount)}
			if one.Price.Kind == commerce.PricePercent {
				price = slowPercent{"percent", slowDecimal(int64(one.Price.Percent), int64(commerce.Hundred)/100).String()}
			}
			g.Choices = append(g.Choices, one)
			shown.Choices = append(shown.Choices, slowChoice{one.ID, one.Label, price, append([]string{}, one.Requires...)})
		}
		c.Groups, slow.Groups = append(c.Groups, g), append(slow.Groups, shown)
	}
	for range d.IntN(3) {
		m := commerce.Matrix{ID: d.text(), Name: d.text()}
		c.Matrices, slow.Matrices = append(c.Matrices, m), append(slow.Matrices, slowMatrix{m.ID, m.Name})
	}
	return c, slow
}

func TestConfiguratorAnswersAreEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(1000) {
		d := dice{rand.New(rand.NewPCG(seed, 2))}
		product := d.id()
		c, slow := d.schema(product)
		if got, want := string(appendSchema(nil, product, c)), slowJSON(t, slow); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
		q := commerce.ConfigurationQuote{Configured: commerce.Configured{UnitPrice: d.amount(), Snapshot: d.configuration()}, RequiresQuote: d.bool()}
		for i := range q.Snapshot.Hash {
			q.Snapshot.Hash[i] = byte(d.IntN(256))
		}
		made := slowMirrorLine(t, &commerce.Line{Configuration: q.Snapshot}, 0).Attributes.Configuration
		want := slowJSON(t, slowQuote{
			int64(q.UnitPrice), euros(q.UnitPrice), made.Breakdown, made.Components, made.Matrix, hex.EncodeToString(q.Snapshot.Hash[:]), q.RequiresQuote,
		})
		if got := string(appendConfigurationQuote(nil, &q)); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
	}
}
