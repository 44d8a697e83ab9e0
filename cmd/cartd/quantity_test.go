package main_test

import (
	"net/http"
	"strings"
	"testing"
)

// Spec: Quantity rules. The product is sold by the metre, in a store with room
// for 100,000 a line. An empty message means: any one message.
func TestQuantityGrammar(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyWide)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	for _, c := range []struct {
		sent    string // JSON text
		want    string // the number answered; empty: refused
		message string
	}{
		{`2`, "2", ""},
		{`2.0`, "2", ""},
		{`2.500`, "2.5", ""},
		{`0.001`, "0.001", ""},
		{`2e0`, "2", ""},
		{`25e-1`, "2.5", ""},
		{`1.5E1`, "15", ""},
		{`12345.678`, "12345.678", ""},
		{`1.2340`, "1.234", ""},
		{`"2"`, "2", ""},
		{`"2.5"`, "2.5", ""},
		{`"2.500"`, "2.5", ""},
		{`"0.125"`, "0.125", ""},
		{`"00000002"`, "2", ""},

		{`null`, "", quantityRequired},
		{`""`, "", quantityRequired},
		{`"  "`, "", quantityRequired},
		{`[]`, "", quantityRequired},
		{`{}`, "", quantityRequired},
		{`true`, "", quantityNumber},
		{`[1]`, "", quantityNumber},
		{`{"a":1}`, "", quantityNumber},
		{`"many"`, "", quantityNumber},
		{`"1,5"`, "", quantityNumber},
		{`"1e2"`, "", quantityNumber},
		{`"+1"`, "", quantityNumber},
		{`"-1"`, "", quantityNumber},
		{`" 1"`, "", quantityNumber},
		{`"1 "`, "", quantityNumber},
		{`"1\n"`, "", quantityNumber},
		{`"1."`, "", quantityNumber},
		{`".5"`, "", quantityNumber},
		{`"0x10"`, "", quantityNumber},
		{`"1_000"`, "", quantityNumber},
		{`"１"`, "", quantityNumber}, // a digit, but not one of ours
		{`"Infinity"`, "", quantityNumber},
		{`0`, "", quantityPositive},
		{`0.000`, "", quantityPositive},
		{`-0`, "", quantityPositive},
		{`-2`, "", quantityPositive},
		{`"0"`, "", quantityPositive},
		{`"0.000"`, "", quantityPositive},
		{`1.2345`, "", quantityDecimals},
		{`0.0001`, "", quantityDecimals},
		{`1e-4`, "", quantityDecimals},
		{`"1.2345"`, "", quantityDecimals},
		{`100000000`, "", quantityMax},
		{`1e8`, "", quantityMax},
		{`1e400`, "", quantityMax},
		{`"100000000"`, "", quantityMax},
		{`"000000002"`, "", ""}, // nine digits: leading zeros count
		{`1e-400`, "", ""},
		{`-0.0001`, "", ""},
		{`"` + strings.Repeat("9", 5000) + `"`, "", ""},
		{strings.Repeat("9", 5000), "", ""},
	} {
		t.Run(short(c.sent), func(t *testing.T) {
			shop := shop.in(t)
			add := shop.post(shop.newCart()+"/lines", addBody(cable, c.sent))
			change := shop.patch(path+"/lines/"+lineID, `{"quantity":`+c.sent+`}`)
			if c.want != "" {
				wantQuantity(t, add, http.StatusCreated, c.want)
				return
			}
			wantQuantityRefused(t, add, c.message)
			wantQuantityRefused(t, change, c.message)
		})
	}
}

func wantQuantity(t *testing.T, a answer, status int, want string) {
	t.Helper()
	if got := a.cart(status).Lines; len(got) != 1 || got[0].Quantity.String() != want {
		t.Errorf("%v\nwant: one line with quantity %s", a, want)
	}
}

// wantQuantityRefused wants a plain 422 on quantity alone, without a code.
func wantQuantityRefused(t *testing.T, a answer, message string) {
	t.Helper()
	if message != "" {
		a.want(422, fieldErrors("quantity", message))
		return
	}
	a.wantStatus(422)
	keys := errorKeys(a.body)
	if len(keys) != 1 || keys[0] != "quantity" || strings.Contains(string(a.body), `"code"`) {
		t.Errorf("%v\nwant: errors.quantity alone, and no code", a)
	}
}

// Spec: Quantity rule 3, for products sold by the piece.
func TestPiecesAreWhole(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	for _, whole := range []string{`2`, `2.0`, `2.000`, `"2"`, `"2.0"`, `20e-1`} {
		t.Run(whole, func(t *testing.T) {
			shop := shop.in(t)
			wantQuantity(t, shop.post(shop.newCart()+"/lines", addBody(hammer, whole)), http.StatusCreated, "2")
			wantQuantity(t, shop.patch(path+"/lines/"+lineID, `{"quantity":`+whole+`}`), http.StatusOK, "2")
		})
	}
	for _, part := range []string{`2.5`, `"2.5"`, `0.001`, `25e-1`, `"0.999"`} {
		t.Run(part, func(t *testing.T) {
			shop := shop.in(t)
			want := fieldErrors("quantity", "The quantity must be a whole number.")
			shop.post(shop.newCart()+"/lines", addBody(hammer, part)).want(422, want)
			shop.patch(path+"/lines/"+lineID, `{"quantity":`+part+`}`).want(422, want)
		})
	}
}

// Spec: Limits, Quantity per line.
func TestTheMaximumItselfIsAllowed(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, cable, "99.999").Lines[0].ID
	wantQuantity(t, shop.post(path+"/lines", addBody(cable, "0.001")), http.StatusCreated, "100")
	shop.post(path+"/lines", addBody(cable, "0.001")).want(422, aboveMax)
	shop.patch(path+"/lines/"+lineID, `{"quantity":100.001}`).want(422, aboveMax)
	shop.patch(path+"/lines/"+lineID, `{"quantity":99999999.999}`).want(422, aboveMax)
	wantQuantity(t, shop.patch(path+"/lines/"+lineID, `{"quantity":100.000}`), http.StatusOK, "100")
}
