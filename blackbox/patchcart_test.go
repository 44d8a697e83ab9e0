package blackbox_test

import (
	"net/http"
	"testing"
)

// Spec: PATCH body (Carts), absent fields.
func TestPatchChangesSentFieldsOnly(t *testing.T) {
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

// The conventions: `[]` and a blank body mean the empty object, on every route that reads a body.
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
			if c.path == path { // the answer does not show the expiry
				want = all.get(path)
			}
			got.want(want.status, string(want.body))
		}
	}
}
