package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// batchBody is the body of a batch of these adds.
func batchBody(adds ...string) string { return `{"lines":[` + strings.Join(adds, ",") + `]}` }

// docs/api/lines.md#batch: one commit for all entries, each like an add of its own, in a body of at
// most 512 KiB.
func TestABatchIsAddedAtOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := shop.newCart()
	shop.add(path, nails, "4")
	before, _, _ := shop.get(path).tag()
	body := batchBody(addBody(hammer, "1"), addBody(nails, `"6"`), addBody(gloves, "2", variant(glovesS)), addBody(cable, "0.5", `"variant_id":null,"configuration":null`))
	body += strings.Repeat(" ", 512<<10-len(body))
	shop.post(path+"/lines/batch", body+" ").want(413, `{"message":"The request body is too large."}`)
	added := shop.ifMatch(before).post(path+"/lines/batch", body)
	const want = "Nails 10 × 450 = 4500; Hammer 1 × 1999 = 1999; Gloves 2 × 1200 = 2400; Cable 0.5 × 333 = 167"
	if got := added.cart(http.StatusCreated).plain(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	shop.get(path).want(200, string(added.body)).wantHeader("ETag", added.header.Get("ETag"))
	shop.ifMatch(before).post(path+"/lines/batch", body).want(412, cartChanged)
}

// A refusal adds nothing. Each refused entry is reported with its path.
func TestABatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.add(path, hammer, "1")
	before := shop.get(path)
	shop.post(path+"/lines/batch", batchBody(addBody(relic, "1"), addBody(nails, "1"), addBody(mystery, "1"), addBody(hammer, "100"), `[]`)).want(422,
		`{"message":"Product is not available.","errors":{"lines.0.product_id":["Product is not available."],"lines.2.product_id":["Product is not available."],
			"lines.3":["Quantity exceeds the per-line maximum."],"lines.4.product_id":["The lines.4.product_id field is required."],
			"lines.4.quantity":["The lines.4.quantity field is required."]},"code":"NOT_PURCHASABLE"}`)
	shop.get(path).want(200, string(before.body)).wantHeader("ETag", before.header.Get("ETag"))
	shop.post(path+"/lines/batch", `{"lines":[`).want(400, `{"message":"The request body is not valid JSON."}`)
	shop.post("commerce/carts/"+unknownID+"/lines/batch", "{").want(404, `{"message":"No query results for model [Cart] `+unknownID+`"}`)
}
