package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"cartd/commerce/storefile"
	"cartd/engine"
)

// The memory of a store is estimated to a third, whatever its products look like. No other test runs meanwhile,
// because it is not parallel.
func TestTheMemoryOfAStoreIsEstimated(t *testing.T) {
	words := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%x", rand.Uint32()>>(rand.IntN(4)*6))
		}
		return strings.Join(all, " ")
	}
	id := func(kind, n int) string { return fmt.Sprintf("d%07d-0000-4000-8000-%012d", kind, n) }
	const products = 1000
	for shape, change := range map[string]func(p map[string]any, i int){
		"short": func(map[string]any, int) {},
		"described": func(p map[string]any, i int) {
			p["description"] = words(30)
			p["media"] = []any{map[string]any{"url": fmt.Sprint("https://cdn.example/", i, ".jpg"), "alt": words(3)}}
			p["attributes"] = map[string]any{"Colour": words(1), "Material": "Wood"}
		},
		"long texts": func(p map[string]any, _ int) { p["description"] = words(300) },
		"variants": func(p map[string]any, i int) {
			var variants []any
			for n := range 5 {
				variants = append(variants, map[string]any{"id": id(2, 10*i+n), "sku": fmt.Sprint("S-", i, "-", n), "name": fmt.Sprint("V", n), "price_amount": 100})
			}
			p["variants"] = variants
			delete(p, "price_amount")
		},
	} {
		text, err := os.ReadFile("demo/store.json")
		if err != nil {
			t.Fatal(err)
		}
		document := map[string]any{}
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		document = map[string]any{"format": 1, "store": document["store"], "tax_rates": document["tax_rates"]}
		delete(document["store"].(map[string]any), "quotes") // it names groups of customers
		var list []any
		for i := range products {
			p := map[string]any{"id": id(1, i), "sku": fmt.Sprint("S-", i), "name": fmt.Sprint("Thing ", i), "slug": fmt.Sprint("thing-", i),
				"price_amount": 1999, "tax": "standard"}
			change(p, i)
			list = append(list, p)
		}
		document["products"] = list
		if text, err = json.Marshal(document); err != nil {
			t.Fatal(err)
		}
		parsed, err := storefile.Parse(text)
		if err != nil {
			t.Fatalf("%.500s", err.Error())
		}
		texts := map[storefile.PageName][]byte{}
		for i, name := range parsed.Pages.Pages {
			if texts[name], err = storefile.Unpack(name, parsed.Pages.Packed[i]); err != nil {
				t.Fatal(err)
			}
		}
		before := heap()
		paged, err := new(storefile.PagedStore).Assemble(parsed.Pages.Table, func(name storefile.PageName) ([]byte, error) { return texts[name], nil })
		if err != nil {
			t.Fatal(err)
		}
		catalogue := engine.NewCatalogue(paged.Store)
		took := heap() - before
		t.Logf("%s: %d bytes a product", shape, took/products)
		runtime.KeepAlive(catalogue)
		runtime.KeepAlive(document)
		runtime.KeepAlive(list)
		runtime.KeepAlive(text)
		runtime.KeepAlive(parsed)
		runtime.KeepAlive(texts)
		runtime.KeepAlive(paged)
		if estimated := storefile.MemoryOf(paged.Store, paged.Bytes()); took < estimated*3/4 || took > estimated*4/3 {
			t.Errorf("%s: %d bytes are estimated, and %d are taken", shape, estimated, took)
		}
	}
}

// heap are the live bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
