package conformance

import (
	"net/http"
	"strings"
	"testing"
)

// shop is a description of one operation.
const shop = `{"openapi": "3.1.0", "info": {"title": "shop", "version": "1"}, "paths": {"/carts/{id}": {"patch": {
	"operationId": "change", "x-aliases": ["/baskets/{id}"], "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
	"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"email": {"type": "string", "maxLength": 5}}}}}},
	"responses": {
		"200": {"description": "OK", "headers": {"ETag": {"required": true, "schema": {"type": "string"}}},
			"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Cart"}}}},
		"404": {"description": "none", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"},
			"examples": {"gone": {"$ref": "#/components/examples/gone"}}}}}}}}},
	"components": {
		"examples": {"gone": {"value": {"message": "No [Cart] 1", "code": "gone"}}},
		"schemas": {
			"Refusal": {"type": "object", "properties": {"message": {"type": "string"}, "code": {"type": "string"}}, "required": ["message"]},
			"Cart": {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}, "extra": {"type": "object"}}, "required": ["id"]}}}}`

// Check finds each kind of fault, and accepts an exchange without one.
func TestCheck(t *testing.T) {
	c, err := New([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"id":"5f0c6f0e-8f3a-4a53-9b1a-3a1c5d0e7f11","extra":{"free":1}}`
	for _, x := range []struct {
		name, path, request string
		status              int
		header, body, want  string
	}{
		{"as described", "/carts/1", `{"email":"a@b"}`, 200, "Etag", good, ""},
		{"query and slash", "/carts/1/?page=2", ``, 200, "Etag", good, ""},
		{"tolerances", "/carts/1", `{"email":"  a@b  "}`, 200, "Etag", good, ""},
		{"empty list", "/carts/1", ` [] `, 200, "Etag", good, ""},
		{"alias", "/baskets/1", `{}`, 200, "Etag", good, ""},
		{"unknown path", "/other", `{}`, 200, "X-Other", `{}`, ""},
		{"faulty request that was refused", "/carts/1", `{"email":1}`, 404, "", `{"message":"No [Cart] 2","code":"gone"}`, ""},
		{"member missing", "/carts/1", `{}`, 200, "Etag", `{}`, "id"},
		{"member not declared", "/carts/1", `{}`, 200, "Etag", strings.Replace(good, "{", `{"more":1,`, 1), "more"},
		{"format", "/carts/1", `{}`, 200, "Etag", `{"id":"5"}`, "uuid"},
		{"no JSON", "/carts/1", `{}`, 200, "Etag", `{"id"`, "decoded"},
		{"header missing", "/carts/1", `{}`, 200, "", good, "ETag"},
		{"header not described", "/carts/1", `{}`, 404, "Etag", `{"message":"No [Cart] 2","code":"gone"}`, "Etag"},
		{"status not described", "/carts/1", `{}`, 201, "Etag", good, "201"},
		{"request not described", "/carts/1", `{"email":"longer"}`, 200, "Etag", good, "maxLength"},
		{"request of an alias", "/baskets/1", `{"email":"longer"}`, 200, "Etag", good, "maxLength"},
		{"refusal not listed", "/carts/1", `{}`, 404, "", `{"message":"No [Line] 2","code":"gone"}`, "lists no such refusal"},
		{"code not listed", "/carts/1", `{}`, 404, "", `{"message":"No [Cart] 2","code":"lost"}`, "lists no such refusal"},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if x.header != "" {
			header.Set(x.header, "text")
		}
		err := c.Check(&Exchange{
			Method: "PATCH", Path: x.path, RequestBody: []byte(x.request), Status: x.status, ResponseHeader: header, ResponseBody: []byte(x.body),
		})
		if found := err != nil && strings.Contains(err.Error(), x.want); found != (x.want != "") || err != nil && x.want == "" {
			t.Errorf("%s: got %v, want %q", x.name, err, x.want)
		}
	}
}

func TestNewRefusesInvalidJSON(t *testing.T) {
	for _, text := range []string{"", "{"} {
		if _, err := New([]byte(text)); err == nil {
			t.Errorf("New(%q): no error", text)
		}
	}
}
