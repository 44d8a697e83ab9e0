package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// A store may be given again with the same content. Other content needs --store-replace.
func TestAStoreIsReplacedOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	first, again := storeFile(t, base()), storeFile(t, base())
	other := storeFile(t, base(), changed(hammer, "price_amount", 2100), changed(hammer, "name", "Big hammer"))
	price := func(flags []string, file string) answer {
		t.Helper()
		shop := start(t, options{redis: r.URL(), stores: []string{file}, flags: flags}).client(t)
		return shop.post(shop.newCart()+"/lines", addBody(hammer, "1"))
	}
	price(nil, first).wantLines(201, "Hammer 1 × 1999 = 1999")
	price(nil, again).wantLines(201, "Hammer 1 × 1999 = 1999")
	f := runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", r.URL(), "--store", other)
	f.wantOneLine(t, "--store-replace")
	price(nil, first).wantLines(201, "Hammer 1 × 1999 = 1999")
	price([]string{"--store-replace"}, other).wantLines(201, "Big hammer 1 × 2100 = 2100")
	price([]string{"--store-replace"}, first).wantLines(201, "Hammer 1 × 1999 = 1999")
}

// A node without --store serves what Redis has.
func TestANodeWithoutStoresServesThoseOfRedis(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	path := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t).fill()
	start(t, options{redis: r.URL()}).client(t).get(path).wantStatus(http.StatusOK)
}

// After a store is replaced, lines keep name and SKU, and their price until the next write. A line
// whose product or variant is gone keeps its price for good. Spec: Line behaviour 4.
func TestLinesOutliveTheirProducts(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := shop.newCart()
	shop.add(path, hammer, "1")
	shop.add(path, paper, "1")
	c := shop.post(path+"/lines", addBody(gloves, "1", variant(glovesS))).cart(201)
	shop.node.Kill()

	later := storeFile(t, base(), changed(hammer, "price_amount", 2100), changed(hammer, "name", "Big hammer"),
		changed(paper, "active", false), changed(paper, "price_amount", 5), changed(gloves, "variants", list{
			object{"id": glovesS, "name": "S", "active": false, "price_amount": 5},
		}))
	shop = shop.on(start(t, options{redis: r.URL(), stores: []string{later}, flags: []string{"--store-replace"}}))
	shop.get(path).wantLines(200, "Hammer 1 × 1999 = 1999", "Paper 1 × 1090 = 1090", "Gloves 1 × 1200 = 1200")
	for _, l := range c.Lines {
		shop.patch(path+"/lines/"+l.ID, `{"quantity":2}`).wantStatus(200)
	}
	shop.get(path).wantLines(200, "Hammer 2 × 2100 = 4200", "Paper 2 × 1090 = 2180", "Gloves 2 × 1200 = 2400")
	shop.post(path+"/lines", addBody(paper, "1")).want(422, oneField("product_id", noProduct, ""))
	shop.post(path+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 3 × 2100 = 6300", "Paper 2 × 1090 = 2180", "Gloves 2 × 1200 = 2400")
}
