package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// X-Ignored-Fields names the fields that a route does not know, and no others.
func TestIgnoredFields(t *testing.T) {
	h := start(t)
	long := strings.Repeat("n", 64)
	for _, c := range []struct{ method, path, body, want string }{
		{"PATCH", cartPath, `{"email":"a@b.co","metadata":{"free":1}}`, ""},
		{"PATCH", cartPath, `{"discount_code":"X","Email":"a@b.co","email":"a@b.co","discount_code":"Y"}`, "discount_code, Email"},
		{"PATCH", cartPath, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}`, "a, b, c, d, e"},
		{"PATCH", cartPath, `{"a b":1,"ü":1,"":1,"x\r\ny":1,"a,b":1,"` + long + `n":1,"` + long + `":1,"a.B-c_9":1}`, long + ", a.B-c_9"},
		{"PATCH", cartPath, `{"email":"a@b.co","\u0065mail":"c@d.ef"}`, ""},
		{"PATCH", cartPath, `[]`, ""},
		{"PATCH", cartPath, ``, ""},
		{"PATCH", cartPath, `{"other":`, ""},
		{"POST", cartsPath, `{"email":"a@b.co"}`, ""}, // no body is read at all
		{"POST", linesPath, `{"product_id":"` + testLine + `","quantity":1,"configuration":{"dimensions":{"w":1},"colour":1}}`, "configuration.colour"},
		{"POST", batchPath, `{"lines":[{"product_id":"` + testLine + `","quantity":1},{"qty":1,"product_id":"` + testLine + `"}],"coupon":1}`, "lines.1.qty, coupon"},
		{"POST", batchPath, `{"lines":{"0":{"qty":1}}}`, ""},
		{"POST", addressesPath, `{"zip":"1012"}`, "zip"},
	} {
		got := h.do(call{method: c.method, path: strings.Replace(c.path, "{id}", testCart, 1), body: c.body})
		if shown := got.header.Get("X-Ignored-Fields"); shown != c.want {
			t.Errorf("%s %s %s: X-Ignored-Fields %q, want %q", c.method, c.path, c.body, shown, c.want)
		}
	}
	// A refused request, a request over the limit, and the next request on a connection.
	h.engine.err = commerce.ProductUnavailable
	refused := call{method: "POST", path: strings.Replace(linesPath, "{id}", testCart, 1), body: `{"product":"` + testLine + `"}`}
	if got := h.do(refused).header.Get("X-Ignored-Fields"); got != "product" {
		t.Errorf("refused: %q, want product", got)
	}
	h.engine.admitErr = commerce.TooManyAttempts
	if got, shown := h.do(call{method: "POST", path: contactsPath + "/login", body: refused.body}).header["X-Ignored-Fields"]; shown {
		t.Errorf("over the limit: %q, want no header", got)
	}
}

// X-Ignored-Parameters names the parameters of the query that the route's row lacks, and the values
// of include that it lacks.
func TestIgnoredParameters(t *testing.T) {
	h := start(t)
	long := strings.Repeat("n", 64)
	for _, c := range []struct{ method, path, want string }{
		{"GET", productsPath, ""},
		{"GET", productsPath + "?", ""},
		{"GET", productsPath + "?q=a&sort=price&page=1&per_page=2&category_id=x&sku=y", ""},
		{"GET", productsPath + "?colour=red&q=a&Page=2&colour=blue", "colour, Page"},
		{"GET", productsPath + "?a=1&b&c=&d=4&e=5&f=6", "a, b, c, d, e"},
		{"GET", productsPath + "?a%20b=1&%C3%BC=1&=1&x%0D%0Ay=1&a%2Cb=1&ids[]=1&" + long + "n=1&" + long + "=1&a.B-c_9=1", long + ", a.B-c_9"},
		{"GET", productsPath + "?%71=a&col%6Fur=red", "colour"},
		{"GET", productsPath + "?ids=1&ids[]=1&ids[3]=1&ids[x]=1&idz=1", "idz"},
		{"GET", productsPath + "?attributes=White&attributes[Colour]=White&attributes[Colour][]=Grey", "attributes"},
		{"GET", availabilityPath + "?product_ids=" + testLine + "&variant_ids=" + testLine + "&product_id=1", "product_id"},
		{"GET", productsPath + "?include=facetz,,other,facetz", "include.facetz, include.other"},
		{"GET", productsPath + "?include=", ""},
		{"GET", availabilityPath + "?product_ids[]=" + testLine + "&cart=1", "cart"},
		{"GET", "/v1/api/me?x=1", "x"},
		{"POST", claimPath + "?include=merge_report", ""},
		{"POST", claimPath + "?include=merge_report,report&includes=1", "include.report, includes"},
		{"POST", cartsPath + "?email=a", "email"},
		{"GET", "/healthz?x=1", "x"},
		{"GET", "/v1/api/nowhere?x=1", ""},
	} {
		got := h.do(call{method: c.method, path: strings.Replace(c.path, "{id}", testCart, 1)})
		if shown := got.header.Get("X-Ignored-Parameters"); shown != c.want {
			t.Errorf("%s %s: X-Ignored-Parameters %q, want %q", c.method, c.path, shown, c.want)
		}
	}
	// A refused request names them, a request over the limit does not.
	if got := h.do(call{method: "GET", path: productsPath + "?sort=colour&x=1"}); got.status != 422 || got.header.Get("X-Ignored-Parameters") != "x" {
		t.Errorf("refused: %d with %q, want 422 with x", got.status, got.header.Get("X-Ignored-Parameters"))
	}
	h.engine.admitErr = commerce.TooManyAttempts
	if got, shown := h.do(call{method: "GET", path: productsPath + "?x=1"}).header["X-Ignored-Parameters"]; shown {
		t.Errorf("over the limit: %q, want no header", got)
	}
}

// sentName is a parameter's name as a client sends it.
func sentName(p *openapi.Parameter) string {
	if p.Brackets {
		return p.Name + "[x]"
	}
	return p.Name
}

// The header names no parameter that the route's row describes, but the tax country in a store that does not
// tax by country.
func TestDescribedParametersAreKnown(t *testing.T) {
	h := start(t)
	for i := range routes {
		for _, p := range routes[i].api.query {
			want := "unknown"
			if routes[i].api.taxed && p.Name == "country" {
				want = "unknown, country"
			}
			path := strings.NewReplacer("{id}", testCart, "{lineId}", testLine, "{token}", "t").Replace(routes[i].path)
			got := h.do(call{method: routes[i].method, path: path + "?unknown=1&" + sentName(&p) + "="}).header.Get("X-Ignored-Parameters")
			if got != want {
				t.Errorf("%s %s?%s=: X-Ignored-Parameters %q, want %s", routes[i].method, path, p.Name, got, want)
			}
		}
	}
	h.engine.admission.Store.Country = commerce.Country{'N', 'L'}
	for i := range routes {
		if routes[i].api.taxed {
			path := strings.NewReplacer("{id}", testCart).Replace(routes[i].path)
			if got := h.do(call{method: routes[i].method, path: path + "?country="}).header.Get("X-Ignored-Parameters"); got != "" {
				t.Errorf("%s in a store with a country: X-Ignored-Parameters %q", path, got)
			}
		}
	}
}
