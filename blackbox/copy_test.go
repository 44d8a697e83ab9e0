package blackbox_test

import (
	"encoding/json"
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
