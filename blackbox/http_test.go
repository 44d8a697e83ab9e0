package blackbox_test

import (
	"net/http"
	"strings"
	"testing"
)

// The conventions: a path id may have any letter case. An id that is no UUID is unknown.
func TestPathIDs(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	id := strings.TrimPrefix(path, "commerce/carts/")
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	upper := "commerce/carts/" + strings.ToUpper(id)
	shop.get(upper).want(http.StatusOK, string(shop.get(path).body))
	shop.patch(upper+"/lines/"+strings.ToUpper(lineID), `{"quantity":3}`).wantStatus(http.StatusOK)
	if id != strings.ToLower(id) || lineID != strings.ToLower(lineID) {
		t.Errorf("the ids %s and %s are not lower case", id, lineID)
	}
	for _, other := range []string{"abc", strings.ReplaceAll(id, "-", ""), "urn:uuid:" + id, id + "0", id[1:], "1", id[:35] + "g"} {
		want := `{"message":` + quoted("No query results for model [Cart] "+other) + `}`
		shop.get("commerce/carts/"+other).want(http.StatusNotFound, want)
		shop.post("commerce/carts/"+other+"/lines", addBody(hammer, "1")).want(http.StatusNotFound, want)
		want = strings.Replace(want, "[Cart]", "[CartLine]", 1)
		shop.remove(path+"/lines/"+other).want(http.StatusNotFound, want)
		shop.patch(path+"/lines/"+other, `{"quantity":1}`).want(http.StatusNotFound, want)
	}
	shop.get("commerce/carts/%7B" + id + "%7D").wantStatus(http.StatusNotFound)
}

// wantPlainHeaders wants the headers of every JSON answer.
func wantPlainHeaders(a answer) {
	a.t.Helper()
	a.wantHeader("Cache-Control", "no-cache, private")
	if got := a.header.Get("Content-Type"); got != "application/json" {
		a.t.Errorf("%v\nContent-Type: got %q, want application/json", a, got)
	}
}
