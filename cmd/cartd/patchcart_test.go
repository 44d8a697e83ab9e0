package main_test

import (
	"net/http"
	"strings"
	"testing"
)

// The conventions: e-mail.
func TestEmailAddresses(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	for _, c := range []struct {
		sent string
		want string // as stored; empty: refused
	}{
		{"a@b", "a@b"},
		{"ada@example.com", "ada@example.com"},
		{"Ada@Example.COM", "ada@example.com"},
		{"o'neil+x@a.co", "o'neil+x@a.co"},
		{"first.last@sub.example.co.uk", "first.last@sub.example.co.uk"},
		{"ÄDA@EXÄMPLE.DE", "äda@exämple.de"},
		{"用户@例え.jp", "用户@例え.jp"},
		{"a_b@c.de", "a_b@c.de"},
		{"-a-@c.de", "-a-@c.de"},
		{"a@b-c.de", "a@b-c.de"},
		{"a@1.2", "a@1.2"},
		{"a@" + strings.Repeat("d", 63) + ".de", "a@" + strings.Repeat("d", 63) + ".de"},
		{longEmail(255), longEmail(255)},
		{"é" + longEmail(255)[1:], "é" + longEmail(255)[1:]}, // 255 code points, 256 bytes
		{"  ada@example.com\t", "ada@example.com"},
		{"\u00a0\u200b\ufeffada@example.com\u2003", "ada@example.com"},

		{"ada", ""},
		{"@", ""},
		{"@example.com", ""},
		{"ada@", ""},
		{".ada@example.com", ""},
		{"ada.@example.com", ""},
		{"a..da@example.com", ""},
		{"ada@.example.com", ""},
		{"ada@example.com.", ""},
		{"ada@example..com", ""},
		{"a da@example.com", ""},
		{"ada@exam ple.com", ""},
		{"ada @example.com", ""},
		{"ada@@example.com", ""},
		{"ada@b@example.com", ""},
		{"ada@exa_mple.com", ""},
		{"ada@-example.com", ""},
		{"ada@example-.com", ""},
		{"ada@sub.-example.com", ""},
		{"ada@" + strings.Repeat("d", 64) + ".de", ""},
		{"ada(comment)@example.com", ""},
		{"ada@example.com(comment)", ""},
		{"Ada <ada@example.com>", ""},
		{"<ada@example.com>", ""},
	} {
		t.Run(short(c.sent), func(t *testing.T) {
			a := shop.in(t).patch(path, `{"email":`+quoted(c.sent)+`}`)
			if c.want == "" {
				a.want(422, fieldErrors("email", emailValid))
				return
			}
			if got := a.cart(http.StatusOK).Email; got == nil || *got != c.want {
				t.Errorf("%v\nwant: e-mail %q", a, c.want)
			}
		})
	}
}

// Spec: PATCH body (Carts), metadata.
func TestMetadata(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	const full = `{"n":1.10}`
	for _, c := range []struct{ name, sent, want string }{
		{"digit for digit", `{"a":1.10,"b":1E+2,"c":12345678901234567890123,"d":0.1000,"e":-0.0,"f":1e400}`, ""},
		{"strings as sent", `{"a":" <b>/& \" ","b":"","c":"é\u0000漢","":"empty key"}`, ""},
		{"booleans and null", `{"yes":true,"no":false,"nothing":null}`, ""},
		{"16 keys", metadataOf(16), ""},
		{"a sent map replaces the whole", `{"other":1}`, ""},
		{"null clears", `null`, `null`},
		{"an empty map", `{}`, `{}`},
		{"an empty list is the empty map", `[]`, `{}`},
		{"the last duplicate", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"17 members, 16 keys", strings.TrimSuffix(metadataOf(16), "}") + `,"k0":"again"}`,
			strings.Replace(metadataOf(16), `"k0":0`, `"k0":"again"`, 1)},
		{"keys with dots and spaces", `{"a.b":1," c ":2,"metadata":3}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			shop := shop.in(t)
			path := shop.newCart()
			shop.patch(path, `{"metadata":`+full+`}`).wantStatus(http.StatusOK)
			if c.want == "" {
				c.want = c.sent
			}
			wantMetadata(t, shop.patch(path, `{"metadata":`+c.sent+`}`), c.want)
			wantMetadata(t, shop.get(path), c.want)
			wantMetadata(t, shop.patch(path, `{}`), c.want) // omitted: unchanged
		})
	}
}

func wantMetadata(t *testing.T, a answer, want string) {
	t.Helper()
	got, err := canonical(a.cart(http.StatusOK).Metadata)
	if err != nil {
		t.Fatalf("%v\nmetadata: %v", a, err)
	}
	if want, _ = canonical([]byte(want)); got != want {
		t.Errorf("%v\nmetadata: got %s, want %s", a, got, want)
	}
}

// Spec: PATCH body (Carts), absent fields.
func TestPatchChangesOnlyWhatIsSent(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.patch(path, `{"email":"ada@b","metadata":{"a":1}}`).wantStatus(http.StatusOK)
	both := string(shop.get(path).body)
	for _, body := range []string{``, `{}`, ` { } `, `{"unknown":[{}]}`, `{"Email":"x","METADATA":5}`, `{"lines":[]}`} {
		shop.patch(path, body).want(http.StatusOK, both)
	}
	shop.patch(path+"?email=x@y&metadata=5", `{}`).want(http.StatusOK, both)
	if got := shop.patch(path, `{"metadata":null}`).cart(http.StatusOK); got.Email == nil || *got.Email != "ada@b" {
		t.Errorf("clearing the metadata left e-mail %v, want ada@b", got.Email)
	}
	if got := shop.patch(path, `{"email":"x@y","email":"c@d"}`).cart(http.StatusOK); *got.Email != "c@d" {
		t.Errorf("of two e-mails the cart took %q, want the last, c@d", *got.Email)
	}
}

func TestBodiesThatAreNoJSONObjects(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	for _, body := range []string{
		`{`, `}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`, `{"a":1 "b":2}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`,
		`{"a":+1}`, `{"a":NaN}`, `{"a":tru}`, `{"a":"x}`, `{"a":"\x"}`, `{"a":"\u12"}`, "{\"a\":\"line\nbreak\"}", "{\"a\":\"\xff\"}",
		`{} {}`, `{} x`, `{}]`, `[1]`, `"text"`, `5`, `true`, `null`, `// comment`, "{\"a\":\"\xed\xa0\x80\"}",
		`{"metadata":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`,
	} {
		t.Run(short(body), func(t *testing.T) {
			shop, want := shop.in(t), `{"message":"The request body is not valid JSON."}`
			shop.patch(path, body).want(400, want)
			shop.post(path+"/lines", body).want(400, want)
			shop.patch(path+"/lines/"+lineID, body).want(400, want)
		})
	}
}

// The conventions: `[]` and blanks are the empty object, on every route that reads a body.
func TestAnEmptyListAndBlanksAreTheEmptyObject(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	all := shop.withKey(keyAll).withToken(tokenAda)
	for _, c := range []struct{ method, path string }{
		{"PATCH", path}, {"POST", path + "/lines"}, {"PATCH", path + "/lines/" + lineID}, {"POST", path + "/lines/batch"},
		{"POST", path + "/discount"}, {"POST", quotePath}, {"POST", "catalog/stock-adjustments"},
		{"POST", addressesPath}, {"PATCH", "contacts/me"}, {"PUT", "contacts/me/password"}, {"POST", "contacts/register"},
		{"POST", "contacts/login"}, {"POST", "contacts/forgot-password"}, {"POST", "contacts/reset-password"},
	} {
		want := all.request(c.method, c.path, `{}`)
		if want.status == http.StatusBadRequest || want.status == http.StatusForbidden {
			t.Errorf("%v\nwant: the body was read", want)
		}
		for _, body := range []string{"[]", " [ ] ", " ", "\r\n\t"} {
			got := all.request(c.method, c.path, body)
			if c.path == path { // the expiry is no part of the answer
				want = all.get(path)
			}
			got.want(want.status, string(want.body))
		}
	}
}

// A body on a route without one is ignored, whatever it is.
func TestBodiesOfRoutesWithoutOneAreIgnored(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	created := shop.post("commerce/carts", `{"email":`).cart(http.StatusCreated)
	path := "commerce/carts/" + created.ID
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	shop.request("GET", path, "not json").wantStatus(http.StatusOK)
	shop.request("DELETE", path+"/lines/"+lineID, "not json").wantStatus(http.StatusOK)
	shop.get(path).wantStatus(http.StatusOK)
}
