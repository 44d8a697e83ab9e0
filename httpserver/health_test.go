package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/answers"
)

// Spec: single-object endpoints such as GET /v1/api/me return a bare object. With a customer token vat_display
// is that of the customer's context; a bad token is a guest's.
func TestMe(t *testing.T) {
	h := start(t)
	key := &commerce.APIKey{Name: "storefront", Scopes: commerce.AllScopes()}
	h.engine.admission.Key = key
	for _, row := range []struct {
		name    string
		visitor commerce.Visitor
		display string
	}{
		{"a guest", commerce.Visitor{}, "inc"},
		{"a consumer", commerce.Visitor{Known: true}, "inc"},
		{"a business", commerce.Visitor{Known: true, B2B: true}, "ex"},
		{"a bad token of a business", commerce.Visitor{B2B: true}, "inc"},
	} {
		h.engine.admission.Visitor = row.visitor
		got := h.expect(call{method: "GET", path: "/v1/api/me"}.with("X-Customer-Token: "+testToken), 200,
			string(answers.Me.Append(nil, answers.MeView{Store: h.engine.admission.Store, Key: key, Visitor: &row.visitor})))
		if !strings.Contains(got.body, `"vat_display":"`+row.display+`"`) {
			t.Errorf("%s: %s, want %s", row.name, got.body, row.display)
		}
		if asks := h.engine.asks; asks[len(asks)-1].Token == nil {
			t.Errorf("%s: the token was not read", row.name)
		}
	}
}
