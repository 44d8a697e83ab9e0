package blackbox_test

import (
	"fmt"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// wordyLine is an add of a hammer with texts of so many bytes, keys included, which differ from those of other numbers.
func wordyLine(n, bytes int) string {
	texts := []string{fmt.Sprintf(`"_n":"%03d"`, n)}
	for i, left := 0, bytes-5; left > 0; i++ {
		size := min(left-2, 500)
		texts = append(texts, fmt.Sprintf(`"_%d":"%s"`, i, strings.Repeat("x", size)))
		left -= size + 2
	}
	return `{"product_id":"` + hammer + `","quantity":1,"properties":{` + strings.Join(texts, ",") + `}}`
}

// wordyLines are entries of a batch or of a basket with so many bytes each, numbered from a number on.
func wordyLines(from, n, bytes int) string {
	var all []string
	for i := range n {
		all = append(all, wordyLine(from+i, bytes))
	}
	return `{"lines":[` + strings.Join(all, ",") + `]}`
}

// withWords lets customers add texts to hammers, and carts have 100 lines.
func withWords(document object) {
	changed(hammer, "text_fields", list{})(document)
	setting("policy", object{"max_lines": 100})(document)
}

// docs/api/lines.md#properties: 64 KiB of texts a cart, on every way to them.
func TestTextsOfACartThroughTheAPI(t *testing.T) {
	t.Parallel()
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), withWords, collected)}}).client(t).withKey(keyAll)
	path := shop.newCart()
	shop.post(path+"/lines/batch", wordyLines(0, 17, 4096)).want(422, tooLarge)
	shop.post(path+"/lines/batch", wordyLines(0, 15, 4096)).wantStatus(201)
	shop.post(path+"/lines", wordyLine(15, 4000)).wantStatus(201)
	shop.post(path+"/lines", wordyLine(16, 97)).want(422, tooLarge)
	line := shop.post(path+"/lines", wordyLine(16, 96)).cart(201).Lines[16].ID
	before := shop.get(path)
	shop.post(path+"/lines", wordyLine(17, 20)).want(422, tooLarge)
	shop.patch(path+"/lines/"+line, wordyLine(16, 97)).want(422, tooLarge)
	shop.get(path).want(200, string(before.body))
	shop.post(path+"/lines", addBody(nails, "3")).wantStatus(201)
	shop.post(path+"/lines", wordyLine(3, 4096)).wantStatus(201) // the line's quantity is raised
	shop.post(path+"/copy", "").wantStatus(201)
	basket := shop.post("commerce/price", wordyLines(0, 17, 4096)).wantStatus(200)
	if got := strings.Count(string(basket.body), `"errors":null,"message":"The cart is too large.","code":"cart_constraint"`); got != 1 {
		t.Errorf("%d rows of the basket are too large for the cart", got)
	}

	// A claim takes the lines that fit and reports the others.
	account := shop.withToken(tokenAda)
	other := account.newCart()
	account.post(other+"/claim", "").wantStatus(200)
	account.post(other+"/lines/batch", wordyLines(0, 2, 4096)).wantStatus(201)
	account.post(other+"/lines/batch", wordyLines(40, 2, 4096)).wantStatus(201)
	cart, merged := account.claim(path)
	if len(merged) != 1 || merged[0].Summed != 2 || merged[0].Moved != 0 || len(merged[0].Dropped) != 2 || len(cart.Lines) != 18 {
		t.Errorf("the claim reports %+v; the cart has %d lines", merged, len(cart.Lines))
	}
	account.post(path+"/lines", wordyLine(50, 20)).want(422, tooLarge)

	// Order and quote have them all, and so has the copy of an order.
	order := account.checkOut(path, "").order(201)
	again, left := account.post("commerce/orders/"+order.ID+"/copy", "").copied(201)
	if len(again.Lines) != 18 || len(left) != 0 {
		t.Errorf("the copy of the order has %d lines, left out %v", len(again.Lines), left)
	}
	account.post("commerce/carts/"+again.ID+"/lines", wordyLine(50, 20)).want(422, tooLarge)
	account.post("commerce/carts/"+again.ID+"/quote-request", buyer).wantStatus(201)
}
