package blackbox_test

import (
	"testing"

	"cartd/internal/redistest"
)

// A store may be given again with the same content. Other content needs --store-replace. What a change
// set has changed meanwhile stays.
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

	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"products":[`+hammerEntry(2300)+`]}}`))
	imports(t, r, "--merge", set).wantStores(t, "1 changed, 0 removed")
	price(nil, first).wantLines(201, "Hammer 1 × 2300 = 2300")
}
