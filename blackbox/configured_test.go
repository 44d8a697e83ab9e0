package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cartd/commerce"
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
	noPrice     = "No price is available for this configuration."
	malformed   = "The configuration is invalid."
)

func configured(configuration string) string { return `"configuration":` + configuration }

// workshop starts a node with the blind of workshopConfigurator.
func workshop(t *testing.T, more ...func(object)) client {
	t.Helper()
	file := storeFile(t, base(), append(more, changed(blind, "configurator", workshopConfigurator()))...)
	return start(t, options{redis: redistest.Mini(t).URL(), stores: []string{file}}).client(t)
}

// The store document's table of refusals: with a code on a line add, without one at the
// configurator's quote.
func TestEveryRowOfTheConfiguratorTable(t *testing.T) {
	t.Parallel()
	shop := workshop(t)
	path := shop.newCart()
	dimensions := func(members string) string { return `{"dimensions":{` + members + `},"choices":["linen","wall"]}` }
	choices := func(ids string) string { return `{"dimensions":{"width":1200,"height":1005},"choices":[` + ids + `]}` }
	for _, c := range []struct{ name, configuration, want string }{
		{"a dimension missing", dimensions(`"width":1200`), fieldErrors("dimensions.height", "Height is required.")},
		{"no dimensions", `{"choices":["linen","wall"]}`, fieldErrors("dimensions.width", "Width is required.", "dimensions.height", "Height is required.")},
		{"an empty list of dimensions", `{"dimensions":[],"choices":["linen","wall"]}`,
			fieldErrors("dimensions.width", "Width is required.", "dimensions.height", "Height is required.")},
		{"a fraction", dimensions(`"width":1200.5,"height":1005`), fieldErrors("dimensions.width", "Width must be a whole number.")},
		{"a string", dimensions(`"width":"1200","height":1005`), fieldErrors("dimensions.width", "Width must be a whole number.")},
		{"null", dimensions(`"width":null,"height":1005`), fieldErrors("dimensions.width", "Width must be a whole number.")},
		{"an exponent without end", dimensions(`"width":1e-999999999999,"height":1005`), fieldErrors("dimensions.width", "Width must be a whole number.")},
		{"below the least", dimensions(`"width":299,"height":1005`), fieldErrors("dimensions.width", "Width must be at least 300.")},
		{"above the greatest", dimensions(`"width":1e999999999999,"height":1005`), fieldErrors("dimensions.width", "Width must be at most 3000.")},
		{"off the step", dimensions(`"width":1200,"height":1000`), fieldErrors("dimensions.height", "Height must be in steps of 10.")},
		{"an unknown dimension", dimensions(`"depth":"x","width":1200,"height":1005`), fieldErrors("dimensions.depth", "This dimension does not exist.")},
		{"an unknown choice", choices(`"linen","wall","velvet"`), fieldErrors("choices.velvet", "This choice is not available.")},
		{"an unavailable choice", choices(`"linen","wall","twin"`), fieldErrors("choices.twin", "This choice is not available.")},
		{"an unavailable choice fills no group", choices(`"felt","wall"`),
			fieldErrors("choices.felt", "This choice is not available.", "choices", "Choose an option for Fabric.")},
		{"a required choice absent", choices(`"silk","ceiling"`), fieldErrors("choices.silk", "Silk requires On the wall.")},
		{"nothing chosen", `{"dimensions":{"width":1200,"height":1005}}`,
			fieldErrors("choices", "Choose an option for Fabric.", "choices", "Choose an option for Mounting.")},
		{"two chosen", choices(`"linen","paper","wall"`), fieldErrors("choices", "Choose one option for Fabric.")},
		{"beyond the last break", dimensions(`"width":2001,"height":1005`), fieldErrors("configuration", noPrice)},
		{"dimensions that are no map", `{"dimensions":"1200","choices":["linen","wall"]}`, fieldErrors("configuration", malformed)},
		{"dimensions null", `{"dimensions":null,"choices":["linen","wall"]}`, fieldErrors("configuration", malformed)},
		{"choices that are no list", `{"dimensions":{"width":1200,"height":1005},"choices":{"0":"linen"}}`, fieldErrors("configuration", malformed)},
		{"choices that are no strings", choices(`"linen","wall",1`), fieldErrors("configuration", malformed)},
		{"all at once, in their order", `{"choices":["silk","velvet","paper","cassette"],"dimensions":{"zz":1,"height":400,"width":"x","aa":2}}`, fieldErrors(
			"dimensions.width", "Width must be a whole number.", "dimensions.height", "Height must be at least 405.",
			"dimensions.zz", "This dimension does not exist.", "dimensions.aa", "This dimension does not exist.",
			"choices.silk", "Silk requires On the wall.", "choices.velvet", "This choice is not available.", "choices.cassette", "Cassette requires On the wall.",
			"choices", "Choose one option for Fabric.", "choices", "Choose an option for Mounting.")},
		{"one half of the wrong shape", `{"dimensions":{"width":1},"choices":"linen"}`,
			fieldErrors("dimensions.width", "Width must be at least 300.", "dimensions.height", "Height is required.", "configuration", malformed)},
	} {
		t.Run(c.name, func(t *testing.T) {
			withCode := strings.TrimSuffix(c.want, "}") + `,"code":"INVALID_CONFIGURATION"}`
			shop.in(t).post(path+"/lines", addBody(blind, "1", configured(c.configuration))).want(422, withCode)
			shop.in(t).post(quotePath, c.configuration).want(422, c.want)
		})
	}
	if got := shop.get(path).cart(http.StatusOK).Lines; len(got) != 0 {
		t.Errorf("the refused adds left %d lines", len(got))
	}
}

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

	// Silk: 12.5 % of 4900 = 612.5. Cable: 1.05 × 0.3 × 0.405 + 2 × 0.405 = 0.937575.
	silk := `{"configuration":{"dimensions":{"width":300,"height":405},"choices":["silk","wall","cassette"],
		"breakdown":[{"label":"Standard","amount":4900},{"label":"Silk","amount":613},{"label":"On the wall","amount":0},{"label":"Cassette","amount":0}],
		"components":[{"product_id":"` + cable + `","qty":"0.937575"},{"product_id":"` + nails + `","qty":"4"}],
		"matrix":{"id":"std","name":"Standard"}}}`
	one.post(path+"/lines", addBody(blind, "1", configured(`{"dimensions":{"width":300,"height":405},"choices":["cassette","silk","wall"]}`))).
		wantConfigured(201, "3 × 8400 "+snapshot("6900"), "1 × 5513 "+silk)

	matrix := configurator["matrices"].(list)[1].(object)
	matrix["amounts"] = list{list{5000, 7000}}
	imports(t, r, storeFile(t, document)).wantStores(t, "imported")
	wantFollowed(t, "a matrix", func(c client) bool {
		return strings.Contains(string(c.post(quotePath, linenOnWall).body), `"unit_price_amount":8500,`)
	}, []client{one, two})
	id := two.get(path).configuredLines(200)[0].ID
	two.patch(path+"/lines/"+id, `{"quantity":5}`).wantConfigured(200, "5 × 8400 "+snapshot("6900"), "1 × 5513 "+silk)
	one.post(path+"/lines", addBody(blind, "1", configured(linenOnWall))).wantConfigured(201, "6 × 8500 "+snapshot("7000"), "1 × 5513 "+silk)
	two.get(path).wantConfigured(200, "6 × 8500 "+snapshot("7000"), "1 × 5513 "+silk)
	one.post(path+"/lines", addBody(blind, "1.5", configured(linenOnWall))).want(422, oneField("quantity", "The quantity must be a whole number.", ""))
	one.post(path+"/lines", addBody(blind, "95", configured(linenOnWall))).want(422, aboveMax)
}

// No route shows unavailable choices and matrices.
func TestTheSchemaShowsAvailableChoicesOnly(t *testing.T) {
	t.Parallel()
	shop := workshop(t)
	got := shop.get(schemaPath).want(200, `{"product_id":"`+blind+`",
		"dimensions":[{"key":"width","label":"Width","unit":"mm","min":300,"max":3000,"step":1},{"key":"height","label":"Height","unit":"mm","min":405,"max":2000,"step":10}],
		"groups":[
			{"id":"fabric","label":"Fabric","required":true,"multiple":false,"choices":[
				{"id":"linen","label":"Linen","price":{"type":"fixed","amount":1500},"requires":[]},
				{"id":"silk","label":"Silk","price":{"type":"percent","percent":"12.5"},"requires":["wall"]},
				{"id":"paper","label":"Paper","price":{"type":"per_m2","amount":905},"requires":[]}]},
			{"id":"mount","label":"Mounting","required":true,"multiple":false,"choices":[
				{"id":"wall","label":"On the wall","price":{"type":"fixed","amount":0},"requires":[]},
				{"id":"ceiling","label":"On the ceiling","price":{"type":"fixed","amount":0},"requires":[]}]},
			{"id":"extras","label":"Extras","required":false,"multiple":true,"choices":[
				{"id":"cassette","label":"Cassette","price":{"type":"fixed","amount":0},"requires":["wall"]}]}],
		"matrices":[{"id":"std","name":"Standard"}]}`)
	quote := shop.post(quotePath, `{"dimensions":{"width":1200,"height":1005},"choices":["felt","twin"]}`).wantStatus(422)
	for _, a := range []answer{got, quote} {
		if strings.Contains(string(a.body), "secret") {
			t.Errorf("%v\nwant: nothing of what is unavailable", a)
		}
	}
}

func TestConfiguratorQuote(t *testing.T) {
	t.Parallel()
	shop := workshop(t, setting("quotes", object{"enabled": true, "cart_threshold_amount": 84000, "customer_group_ids": list{groupQuote}}))
	hash := func(body string) string {
		var quote struct {
			Hash string `json:"config_hash"`
		}
		a := shop.post(quotePath, body).wantStatus(200)
		if err := json.Unmarshal(a.body, &quote); err != nil || len(quote.Hash) != 64 || strings.Trim(quote.Hash, "0123456789abcdef") != "" {
			t.Errorf("%v\nwant: a SHA-256 in hexadecimal (%v)", a, err)
		}
		return quote.Hash
	}
	first := hash(linenOnWall)
	if again := hash(`{"choices":["wall","linen"],"dimensions":{"height":1005,"width":1200}}`); again != first {
		t.Errorf("in another order the hash is %s, not %s", again, first)
	}
	if other := hash(`{"choices":["wall","linen"],"dimensions":{"height":1005,"width":1201}}`); other == first {
		t.Errorf("another width has the hash %s, too", first)
	}
	body := func(requires string) string {
		return `{"unit_price_amount":8400,"unit_price":{"amount":8400,"currency":"EUR"},
			"breakdown":[{"label":"Standard","amount":6900},{"label":"Linen","amount":1500},{"label":"On the wall","amount":0}],
			"components":[{"product_id":"` + cable + `","qty":"1.2663"},{"product_id":"` + nails + `","qty":"4"}],
			"matrix":{"id":"std","name":"Standard"},"config_hash":"` + first + `","requires_quote":` + requires + `}`
	}
	with := func(quantity string) string {
		return strings.TrimSuffix(linenOnWall, "}") + `,"quantity":` + quantity + `}`
	}
	shop.post(quotePath, linenOnWall).want(200, body("false"))
	shop.post(quotePath, with(`"9"`)).want(200, body("false"))
	shop.post(quotePath, with("10")).want(200, body("true"))
	shop.withToken(tokenQuinn).post(quotePath, linenOnWall).want(200, body("true"))
	shop.withToken("secret-token-nobody").post(quotePath, linenOnWall).want(200, body("false"))

	shop.post(quotePath, with("0")).want(422, oneField("quantity", quantityPositive, ""))
	shop.post(quotePath, with("1.5")).want(422, oneField("quantity", "The quantity must be a whole number.", ""))
	shop.post(quotePath, `{"quantity":"x","choices":5}`).want(422, oneField("quantity", quantityNumber, ""))
	shop.post(quotePath, `[1]`).want(400, `{"message":"The request body is not valid JSON."}`)
}

// The configurator's routes: first the module, then the scope (catalog:read or commerce:read). A
// product that is inactive or has no configurator is 404.
func TestConfiguratorRoutes(t *testing.T) {
	t.Parallel()
	reader := func(document object) {
		document["api_keys"] = append(document["api_keys"].(list), apiKey("catalog", "secret-key-catalog", "catalog:read"))
	}
	shop := workshop(t, reader, changed(relic, "capability", "made_to_measure"), changed(relic, "configurator", object{}))
	off := serve(t, keyNoConfigurator)
	for _, c := range []struct{ method, path, body string }{{"GET", schemaPath, ""}, {"POST", quotePath, linenOnWall}} {
		for key, status := range map[string]int{keyReader: 200, "secret-key-catalog": 200, keyAll: 200, keyWriter: 403, keyNothing: 403, keyRevoked: 401} {
			shop.withKey(key).request(c.method, c.path, c.body).wantStatus(status)
		}
		off.request(c.method, c.path, c.body).want(403, `{"error":"Module not enabled: configurator"}`)
		for _, id := range []string{hammer, relic, unknownID, "blind"} {
			want := `{"message":"No query results for model [Product] ` + id + `"}`
			shop.request(c.method, strings.Replace(c.path, blind, id, 1), c.body).want(404, want)
		}
		shop.request(c.method, strings.Replace(c.path, blind, strings.ToUpper(blind), 1)+"/", c.body).wantStatus(200)
	}
}

// Spec: Cart, quote_reasons. A choice that needs a quote counts at once.
func TestAChoiceThatNeedsAQuote(t *testing.T) {
	t.Parallel()
	shop := workshop(t)
	path := shop.newCart()
	silk := `{"dimensions":{"width":1200,"height":1005},"choices":["silk","wall"]}`
	shop.post(quotePath, linenOnWall).wantQuote(false)
	shop.post(quotePath, silk).wantQuote(true)
	shop.add(path, blind, "1", configured(linenOnWall))
	got := shop.add(path, blind, "1", configured(silk))
	if !got.RequiresQuote || strings.Join(got.QuoteReasons, " ") != commerce.QuoteConfiguratorChoice {
		t.Errorf("the cart requires a quote: %v, %v; want configurator_choice", got.RequiresQuote, got.QuoteReasons)
	}
	shop.remove(path + "/lines/" + got.Lines[1].ID).wantStatus(200)
	if got := shop.get(path).cart(200); got.RequiresQuote {
		t.Errorf("without the line the cart still requires a quote: %v", got.QuoteReasons)
	}
}

func (a answer) wantQuote(required bool) {
	a.t.Helper()
	if !strings.HasSuffix(string(a.wantStatus(200).body), fmt.Sprintf(`"requires_quote":%v}`, required)) {
		a.t.Errorf("%v\nwant: requires_quote %v", a, required)
	}
}
