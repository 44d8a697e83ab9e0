package httpserver

import (
	"testing"

	"cartd/commerce"
	"cartd/internal/answers"
)

// Spec: single-object endpoints such as GET /v1/api/me return a bare object.
func TestMe(t *testing.T) {
	h := start(t)
	key := &commerce.APIKey{Name: "storefront", Scopes: commerce.AllScopes()}
	h.engine.admission.Key = key
	h.expect(call{method: "GET", path: "/v1/api/me"}, 200, string(answers.Me.Append(nil, answers.MeView{Store: h.engine.admission.Store, Key: key})))
}
