package bench

import (
	"strings"
	"testing"
)

func TestTemplates(t *testing.T) {
	var v values
	v.set(slotCart, "c1")
	v.set(slotQuantity, "2.5")
	for text, want := range map[string]string{
		"/carts/{cart}/lines":               "/carts/c1/lines",
		`{"quantity":{quantity}}`:           `{"quantity":2.5}`,
		`{"a":{"b":{quantity}},"c":"{x}"}{`: `{"a":{"b":2.5},"c":"{x}"}{`,
		"{cart}{cart}":                      "c1c1",
		"":                                  "",
	} {
		parsed := parseTemplate(text)
		if got := string(parsed.append(nil, &v)); got != want {
			t.Errorf("%s filled is %s, want %s", text, got, want)
		}
	}
}

// The error of an adapter lists all its faults.
func TestAdapterFaults(t *testing.T) {
	_, err := ParseAdapter([]byte(`{
		"decimals": 9, "articles": [{"unit_price": 1}],
		"operations": {
			"create": {"method": "POST", "path": "carts", "status": 201},
			"read": {"method": "GET", "path": "/carts/{basket}", "status": 200, "shape": "cart"},
			"buy": {"method": "POST", "path": "/buy", "status": 200}
		}}`))
	if err == nil {
		t.Fatal("the adapter is accepted")
	}
	for _, want := range []string{"name is missing", "decimals", "articles[0]", "operations.create: method", `no shape "cart"`, "unknown placeholder {basket}",
		"operations.buy: unknown operation"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks the fault %q:\n%v", want, err)
		}
	}
	if _, err := ParseAdapter([]byte(`{"name": "x", "colour": "red"}`)); err == nil {
		t.Error("an unknown field is accepted")
	}
}

// Every built-in scenario can run with the cartd adapter.
func TestScenariosFitTheCartdAdapter(t *testing.T) {
	a, err := LoadAdapter("cartd")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Scenarios {
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, o := range s.ops() {
			if _, ok := a.Operations[o.String()]; !ok {
				t.Errorf("scenario %s needs %s, which the adapter lacks", s.Name, o)
			}
		}
	}
	for o := range ops {
		if _, ok := a.Operations[o.String()]; !ok && o != opPrepare {
			t.Errorf("the adapter lacks %s", o)
		}
	}
}
