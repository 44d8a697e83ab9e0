//go:build long

package blackbox_test

import (
	"encoding/json"
)

// orders reads a list of orders.
func (c client) orders(query string) (rows []order, total int) {
	c.t.Helper()
	var page struct {
		Data []order
		Meta struct{ Total int }
	}
	a := c.get("commerce/orders" + query).wantStatus(200)
	if err := json.Unmarshal(a.body, &page); err != nil {
		c.t.Fatalf("%v\n%v", a, err)
	}
	return page.Data, page.Meta.Total
}
