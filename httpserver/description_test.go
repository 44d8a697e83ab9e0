package httpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/site"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Every row of the table has a name of its own, a summary, the shapes of its bodies and a model for
// each id of its path.
func TestEveryRouteIsDescribed(t *testing.T) {
	ids := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		name := r.method + " " + r.path
		if r.api.id == "" || ids[r.api.id] || r.api.about == "" {
			t.Errorf("%s: id %q, about %q; want both, and an id of its own", name, r.api.id, r.api.about)
		}
		ids[r.api.id] = true
		if (r.api.out == nil) != (r.status == 204) {
			t.Errorf("%s: answers %d, and has a shape: %v", name, r.status, r.api.out != nil)
		}
		for _, model := range r.models() {
			if pathNotes[model] == "" {
				t.Errorf("%s: an id of the path names the model %q, which pathNotes does not describe", name, model)
			}
		}
		if r.api.in != nil && r.method == "GET" {
			t.Errorf("%s: has a body", name)
		}
	}
}

// Each operation links to a section of the pages with the rules, which the server shows. NoDocs removes
// the pages.
func TestEveryOperationLinksToItsRules(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		page, section, _ := strings.Cut(r.api.rules, "#")
		got := h.do(call{method: "GET", path: site.RulesPath + page, anonymous: true})
		if got.status != 200 || !strings.Contains(got.body, ` id="`+section+`"`) {
			t.Errorf("%s: got %d for %s; want a page with the heading %q", r.api.id, got.status, r.api.rules, section)
		}
		if got, want := r.describe("", exchanged{}).Rules, site.SampleOrigin+site.RulesPath+r.api.rules; got != want {
			t.Errorf("%s: its rules are at %s, want %s", r.api.id, got, want)
		}
	}
	got := h.do(call{method: "GET", path: site.RulesPath + "carts.md", anonymous: true})
	if media, policy := got.header.Get("Content-Type"), got.header.Get("Content-Security-Policy"); media != site.PageMedia || policy != site.DocsPolicy {
		t.Errorf("a page is %q under %q", media, policy)
	}
	if strings.Contains(got.body, "<script") || strings.Contains(got.body, "src=") {
		t.Errorf("the page loads something:\n%s", got.body)
	}
}

// Examples are shared by name, so one name has one body.
func TestExamplesOfRefusalsHaveNamesOfTheirOwn(t *testing.T) {
	bodies := map[string][]byte{}
	for i := range routes {
		for _, r := range routes[i].allRefusals() {
			name, body := refusalName(r), appendRefusal(nil, r, false)
			if other := bodies[name]; other != nil && !bytes.Equal(other, body) {
				t.Errorf("the example %s is %s and %s", name, other, body)
			}
			bodies[name] = body
		}
	}
}

// The description is a valid document, and is served without a key.
func TestDescriptionIsServed(t *testing.T) {
	h := start(t, func(c *Config) { c.Version = "1.2.3" })
	got := h.do(call{method: "GET", path: "/openapi.json", anonymous: true})
	expectDistinctNames(t, strictjson.Value(got.body))
	var document struct {
		OpenAPI string
		Info    struct{ Version string }
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(got.body), &document); err != nil || got.status != 200 {
		t.Fatalf("got %d, %v", got.status, err)
	}
	if document.OpenAPI != "3.1.0" || document.Info.Version != "1.2.3" {
		t.Errorf("OpenAPI %s, version %s", document.OpenAPI, document.Info.Version)
	}
	for i := range routes {
		if document.Paths[routes[i].path][strings.ToLower(routes[i].method)] == nil {
			t.Errorf("%s %s is not described", routes[i].method, routes[i].path)
		}
	}
}

// expectDistinctNames fails if an object has a name twice: readers treat that differently.
func expectDistinctNames(t *testing.T, value strictjson.Value) {
	t.Helper()
	seen := map[string]bool{}
	for name, member := range value.Members() {
		if seen[name] {
			t.Errorf("%s stands twice in %.200s", name, value)
		}
		seen[name] = true
		expectDistinctNames(t, member)
	}
	for _, item := range value.Items() {
		expectDistinctNames(t, item)
	}
}

func TestNoDocs(t *testing.T) {
	h := start(t, func(c *Config) { c.NoDocs = true })
	for _, path := range []string{"/openapi.json", "/docs", "/docs/redoc.js", "/docs/page.js", "/docs/api/carts.md"} {
		h.expect(call{method: "GET", path: path}, 404, message("The route "+path[1:]+" could not be found."))
	}
	h.expect(call{method: "GET", path: "/v1/ping"}, 200, `{"message":"pong"}`)
}

// Every declared field is read: a list in a list is a fault in each, and so is a number in place of
// a list.
func TestDeclaredFieldsAreRead(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		if r.api.in == nil {
			continue
		}
		for _, field := range r.api.in.Fields() {
			if strings.HasSuffix(field.Name, "_confirmation") {
				continue // only compared with its password
			}
			h.reset()
			c := sample(r)
			c.body = withField(t, c.body, field)
			got := h.do(c)
			// A fault in a part of a configuration is reported for the whole configuration.
			fault := got.status == 422 && (strings.Contains(got.body, field.Name) || strings.Contains(got.body, `"configuration"`))
			for _, r := range append(h.engine.requests, h.engine.contacts...) {
				fault = fault || faultyForm(r, field.Name)
				fault = fault || r.Fault != nil && strings.HasPrefix(r.Fault.Fields[0].Field, field.Name)
			}
			if !fault {
				t.Errorf("%s %s %s: got %d %.200s; want a fault of %s", c.method, c.path, c.body, got.status, got.body, field.Name)
			}
		}
	}
}

// faultyForm reports whether the request's command has a fault of a field, or a signature that is
// no text.
func faultyForm(r *engine.Request, field string) bool {
	var faults commerce.Faults
	switch c := r.Command.(type) {
	case *commerce.Checkout:
		if faults = c.Faults; field == "payment_minutes" { // the store judges it
			return c.Payment.Sent && c.Payment.Number == ""
		}
	case *commerce.RequestQuote:
		faults = c.Faults
	case *commerce.KeepCheckout:
		faults = c.Faults
	case *commerce.ChangeStanding:
		faults = c.Faults
	}
	if c, is := r.Command.(*commerce.AcceptQuote); is {
		switch faults = c.Faults; field {
		case "signature":
			return c.Signature.NoText
		case "payment_minutes":
			return c.Payment.Sent && c.Payment.Number == ""
		}
	}
	refusal := faults.Refusal()
	return refusal != nil && strings.HasPrefix(refusal.Fields[0].Field, field)
}

// withField returns a body with a value that the field does not accept.
func withField(t *testing.T, body string, field openapi.Field) string {
	t.Helper()
	members := map[string]any{}
	if body != "" {
		if err := json.Unmarshal([]byte(body), &members); err != nil {
			t.Fatal(err)
		}
	}
	if members[field.Name] = [][]int{{1}}; field.Schema.NotNull().Items() != nil {
		members[field.Name] = 7
	}
	changed, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed)
}
