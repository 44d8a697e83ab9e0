package blackbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// workshopConfigurator is a blind with every rule of a configurator. Felt needs a choice that does
// not exist, and twin needs two fabrics, so both are unavailable, and so is the matrix for felt.
func workshopConfigurator() object {
	choice := func(id, label string, more object) object {
		c := object{"id": id, "label": label}
		for key, value := range more {
			c[key] = value
		}
		return c
	}
	price := func(kind, member string, value any) object {
		return object{"price": object{"type": kind, member: value}}
	}
	return object{
		"dimensions": list{
			object{"key": "width", "label": "Width", "min": 300, "max": 3000},
			object{"key": "height", "label": "Height", "min": 405, "max": 2000, "step": 10},
		},
		"groups": list{
			object{"id": "fabric", "label": "Fabric", "required": true, "choices": list{
				choice("linen", "Linen", price("fixed", "amount", 1500)),
				choice("silk", "Silk", object{"price": object{"type": "percent", "percent": "12.5"}, "requires": list{"wall"}, "triggers_quote": true}),
				choice("paper", "Paper", price("per_m2", "amount", 905)),
				choice("felt", "Felt secret", object{"requires": list{"lining"}}),
			}},
			object{"id": "mount", "label": "Mounting", "required": true, "choices": list{
				choice("wall", "On the wall", object{"components": list{object{"product_id": nails, "qty": "4"}}}),
				choice("ceiling", "On the ceiling", nil),
			}},
			object{"id": "extras", "label": "Extras", "multiple": true, "choices": list{
				choice("cassette", "Cassette", object{"requires": list{"wall"}, "components": list{object{"product_id": cable, "qty": "2", "per": "height"}}}),
				choice("twin", "Twin secret", object{"requires": list{"linen", "paper"}}),
			}},
		},
		"matrices": list{
			object{"id": "felt", "name": "Matrix secret", "when": list{"felt"}, "x": "width", "y": "height", "x_breaks": list{3000}, "y_breaks": list{2000}, "amounts": list{list{1}}},
			object{"id": "std", "name": "Standard", "x": "width", "y": "height", "x_breaks": list{1000, 2000}, "y_breaks": list{2000}, "amounts": list{list{4900, 6900}}},
		},
		"components": list{object{"product_id": cable, "qty": "1.05", "per": "m2"}},
	}
}

const (
	schemaPath = "configurator/products/" + blind + "/schema"
	quotePath  = "configurator/products/" + blind + "/quote"

	linenOnWall = `{"dimensions":{"width":1200,"height":1005},"choices":["linen","wall"]}`
	malformed   = "The configuration is invalid."
)

func configured(configuration string) string { return `"configuration":` + configuration }

// configuredLine is a line with its attributes as in the envelope.
type configuredLine struct {
	line
	Attributes json.RawMessage
}

func (a answer) configuredLines(status int) []configuredLine {
	a.t.Helper()
	a.wantStatus(status)
	var envelope struct {
		Data struct{ Lines []configuredLine }
	}
	if err := json.Unmarshal(a.body, &envelope); err != nil {
		a.t.Fatalf("%v: %v", a, err)
	}
	return envelope.Data.Lines
}

// wantConfigured wants the lines as "quantity × unit price attributes", in their order.
func (a answer) wantConfigured(status int, want ...string) {
	a.t.Helper()
	lines := a.configuredLines(status)
	for i := range max(len(lines), len(want)) {
		got, expected := "none", "none"
		if i < len(lines) {
			attributes, _ := canonical(lines[i].Attributes)
			got = fmt.Sprintf("%s × %d %s", lines[i].Quantity, lines[i].UnitPrice, attributes)
		}
		if i < len(want) {
			count, attributes, _ := strings.Cut(want[i], "{")
			attributes, _ = canonical([]byte("{" + attributes))
			expected = count + attributes
		}
		if got != expected {
			a.t.Errorf("%v\nline %d\n got: %s\nwant: %s", a, i, got, expected)
		}
	}
}

// snapshot is the configuration of linen on the wall at 1200 × 1005, at a matrix
// amount: cable 1.05 × 1.2 × 1.005 = 1.2663 m.
func snapshot(amount string) string {
	return `{"configuration":{"dimensions":{"width":1200,"height":1005},"choices":["linen","wall"],
		"breakdown":[{"label":"Standard","amount":` + amount + `},{"label":"Linen","amount":1500},{"label":"On the wall","amount":0}],
		"components":[{"product_id":"` + cable + `","qty":"1.2663"},{"product_id":"` + nails + `","qty":"4"}],
		"matrix":{"id":"std","name":"Standard"}}}`
}

// Spec: Line behaviour 1 and 4. Two nodes serve the cart, and an import changes the price
// meanwhile.
func TestConfiguredLines(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	document := base()
	configurator := workshopConfigurator()
	file := storeFile(t, document, changed(blind, "configurator", configurator))
	imports(t, r, file).wantStores(t, "imported")
	one, two := start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)
	path := one.newCart()

	one.post(path+"/lines", addBody(blind, "2", configured(linenOnWall))).wantConfigured(201, "2 × 8400 "+snapshot("6900"))
	again := `{"choices":["wall","linen","wall"],"dimensions":{"height":1.005e3,"width":1200.0}}`
	two.post(path+"/lines", addBody(blind, "1", configured(again))).wantConfigured(201, "3 × 8400 "+snapshot("6900"))

	matrix := configurator["matrices"].(list)[1].(object)
	matrix["amounts"] = list{list{5000, 7000}}
	imports(t, r, storeFile(t, document)).wantStores(t, "imported")
	wantFollowed(t, "a matrix", func(c client) bool {
		return strings.Contains(string(c.post(quotePath, linenOnWall).body), `"unit_price_amount":8500,`)
	}, []client{one, two})
	id := two.get(path).configuredLines(200)[0].ID
	two.patch(path+"/lines/"+id, `{"quantity":5}`).wantConfigured(200, "5 × 8400 "+snapshot("6900"))
	one.post(path+"/lines", addBody(blind, "1", configured(linenOnWall))).wantConfigured(201, "6 × 8500 "+snapshot("7000"))
	two.get(path).wantConfigured(200, "6 × 8500 "+snapshot("7000"))
}

func (a answer) wantQuote(required bool) {
	a.t.Helper()
	if !strings.HasSuffix(string(a.wantStatus(200).body), fmt.Sprintf(`"requires_quote":%v}`, required)) {
		a.t.Errorf("%v\nwant: requires_quote %v", a, required)
	}
}
