package blackbox_test

import (
	"net/http"
	"strings"
	"testing"
)

// docs/api/contract.md#what-the-service-does: a path id may have any letter case. An id that is no UUID
// is unknown.
func TestPathIDs(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	upper := "commerce/carts/" + strings.ToUpper(idOf(path))
	shop.get(upper).want(http.StatusOK, string(shop.get(path).body))
	shop.patch(upper+"/lines/"+strings.ToUpper(lineID), `{"quantity":3}`).wantStatus(http.StatusOK)
	if path != strings.ToLower(path) || lineID != strings.ToLower(lineID) {
		t.Errorf("the ids of %s and %s are not lower case", path, lineID)
	}
	shop.remove(path+"/lines/urn:uuid:"+lineID).want(http.StatusNotFound, `{"message":"No query results for model [CartLine] urn:uuid:`+lineID+`"}`)
}

// wantPlainHeaders wants the headers of every JSON answer.
func wantPlainHeaders(a answer) {
	a.t.Helper()
	a.wantHeader("Cache-Control", "no-cache, private")
	if got := a.header.Get("Content-Type"); got != "application/json" {
		a.t.Errorf("%v\nContent-Type: got %q, want application/json", a, got)
	}
}
