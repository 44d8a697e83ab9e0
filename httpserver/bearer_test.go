package httpserver

import (
	"testing"

	"github.com/valyala/fasthttp"
)

// Spec: API key 1. Scheme in any letter case, one key after it.
func TestBearer(t *testing.T) {
	for _, row := range []struct {
		name string
		sent []string
		key  string // empty if unauthenticated
	}{
		{"plain", []string{"Bearer k"}, "k"},
		{"small", []string{"bearer k"}, "k"},
		{"spaces around", []string{"  Bearer   k  "}, "k"},
		{"signs", []string{"Bearer a.b-c_d~e+f/g=="}, "a.b-c_d~e+f/g=="},
		{"none", nil, ""},
		{"no key", []string{"Bearer"}, ""},
		{"a blank key", []string{"Bearer   "}, ""},
		{"no space", []string{"Bearerk"}, ""},
		{"another scheme", []string{"Basic k"}, ""},
		{"a second scheme", []string{"Token Bearer k"}, ""},
		{"two keys", []string{"Bearer k l"}, ""},
		{"key alone", []string{"k"}, ""},
		{"two headers", []string{"Bearer k", "Bearer l"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var header fasthttp.RequestHeader
			for _, value := range row.sent {
				header.Add("Authorization", value)
			}
			var sent sentHeaders
			sent.read(&header)
			key, ok := bearer(&sent.authorization)
			if string(key) != row.key || ok != (row.key != "") {
				t.Errorf("bearer(%q) = %q, %v, want %q", row.sent, key, ok, row.key)
			}
		})
	}
}

// A key in the query, the body or another header does not count. Spec: API key 1.
func TestOnlyAuthorizationHasTheKey(t *testing.T) {
	h := start(t)
	h.do(call{method: "GET", path: "/v1/api/me?api_key=" + testKey + "&access_token=" + testKey, anonymous: true, body: `{"api_key":"` + testKey + `"}`,
		header: []string{"X-Api-Key: " + testKey, "Cookie: Authorization=Bearer " + testKey}})
	if h.engine.asks[0].Key != nil {
		t.Error("a key was found")
	}
}
