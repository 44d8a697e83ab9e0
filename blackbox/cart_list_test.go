package blackbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// cartRow is a row of the list of carts.
type cartRow struct {
	ID             string
	LinesCount     int `json:"lines_count"`
	Total          money
	Email          *string
	CreatedAt      string `json:"created_at"`
	LastActivityAt string `json:"last_activity_at"`
	ExpiresAt      string `json:"expires_at"`
}

// carts reads a page of the list of carts.
func (c client) carts(query string) (rows []cartRow, p pageSeen) {
	c.t.Helper()
	a := c.get("commerce/carts" + query).wantStatus(200)
	var list struct{ Data []cartRow }
	if err := errors.Join(json.Unmarshal(a.body, &list), json.Unmarshal(a.body, &p)); err != nil {
		c.t.Fatalf("%v\n%v", a, err)
	}
	return list.Data, p
}

// docs/api/carts.md#list-of-carts: GET commerce/carts lists the account's active carts, newest first, on any node.
func TestCartList(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	here, far := nodes[0].withToken(tokenAda), nodes[1].withToken(tokenAda)
	if rows, _ := far.carts(""); len(rows) != 0 {
		t.Errorf("at first there are %+v", rows)
	}
	var carts []string
	for i := range 28 {
		awaitMillisecond(r)
		carts = append(carts, []client{here, far}[i%2].bound(fmt.Sprintf("%d@example.com", i), "2", "3"))
	}
	nodes[0].withToken(tokenTess).bound("tess@example.com", "1", "") // another account's
	nodes[0].newCart()                                               // without an owner
	here.patch(carts[0], `{"email":"later@example.com"}`).wantStatus(200)

	rows, page := far.carts("?per_page=100")
	if page.numbers() != "1/2 25 of 28: 1-25" || len(rows) != 25 {
		t.Fatalf("%s with %d rows; want 25 of 28", page.numbers(), len(rows))
	}
	for i, row := range rows {
		if path := carts[len(carts)-1-i]; row.ID != idOf(path) || row.LinesCount != 2 || row.Email == nil ||
			*row.Email != fmt.Sprintf("%d@example.com", len(carts)-1-i) {
			t.Errorf("row %d is %+v, want %s", i, row, path)
		}
	}
	newest, seen := rows[0], here.get(carts[27]).cart(200)
	if newest.Total != seen.Totals.Total || newest.Total.Amount == 0 || !strings.HasSuffix(newest.CreatedAt, "Z") || newest.LastActivityAt < newest.CreatedAt ||
		newest.ExpiresAt <= newest.LastActivityAt {
		t.Errorf("the row is %+v, the cart's total %+v", newest, seen.Totals.Total)
	}
	if rows, _ = far.carts("?page=2"); len(rows) != 3 || rows[2].ID != idOf(carts[0]) || *rows[2].Email != "later@example.com" {
		t.Errorf("page 2: %+v", rows)
	}

	// Carts that are gone or folded are left out. Only a claim drops the gone ones from the index.
	r.Client().Del(context.Background(), "{"+storeBase+"}:cart:"+idOf(carts[27]))
	if rows, page = far.carts(""); page.Meta.Total != 28 || rows[0].ID == idOf(carts[27]) || len(rows) != 24 {
		t.Errorf("%+v with the rows %+v", page, rows[0])
	}
	here.claim(carts[25])
	if rows, page = far.carts(""); page.Meta.Total != 1 || rows[0].ID != idOf(carts[25]) {
		t.Errorf("after the claim: %+v with %+v", page, rows)
	}
}
