package blackbox_test

import (
	"encoding/json"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// leftOut is a line that a copy lacks.
type leftOut struct {
	Product  string `json:"product_id"`
	Quantity float64
	Reason   string
}

// copied reads the answer of a copy.
func (a answer) copied(status int) (cart, []leftOut) {
	a.t.Helper()
	var body struct {
		LeftOut *[]leftOut `json:"left_out"`
	}
	if err := json.Unmarshal(a.body, &body); err != nil || body.LeftOut == nil {
		a.t.Fatalf("%v\nwant left_out: %v", a, err)
	}
	return a.cart(status), *body.LeftOut
}

// A line that cannot be added today is left out whole, with the reason.
func TestCopyLeavesOut(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := c.newCart()
	c.add(path, hammer, "5")
	c.add(path, nails, "1")
	c.patch(path, `{"metadata":{"gift":true}}`).wantStatus(200)
	imports(t, r, storeFile(t, base(), setting("policy", object{"max_quantity_per_line": 4}))).wantStores(t, "imported")
	r.Mini.SetTime(time.Now().Add(2 * time.Second)) // an import shows within a second
	got, left := c.post(path+"/copy", "").copied(201)
	if len(got.Lines) != 1 || string(got.Metadata) != `{"gift":true}` || len(left) != 1 || left[0] != (leftOut{hammer, 5, "cart_constraint"}) {
		t.Errorf("the copy is %+v, left out %+v", got, left)
	}
}
