package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
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
