package stores

import (
	"encoding/json"
	"fmt"
	"testing"

	"cartd/commerce/catalogue"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
)

// saveCatalogue imports a store with products of a name and a price.
func saveCatalogue(t testing.TB, db *Stores, products int, name string, price int) {
	t.Helper()
	var list []object
	for i := range products {
		list = append(list, object{"id": testID(0x1000 + i), "name": fmt.Sprint("Thing ", i), "slug": fmt.Sprint("p", i), "tax": "high", "price_amount": 100 + i})
	}
	list[products-1]["name"], list[products-1]["price_amount"] = name, price
	text, err := json.Marshal(object{
		"format": 1, "products": list, "tax_rates": []object{{"code": "high", "rate": "21"}}, "api_keys": []object{apiKey("key")},
		"store": object{"id": shopID, "name": "Shop", "modules": []string{"catalog"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.SaveStore(background, &Document{Store: shopID, Hash: doc.Hash, Pages: doc.Pages, RateLimit: 120, Keys: doc.Keys}, true); err != nil {
		t.Fatal(err)
	}
}

// found is the number of products that a word finds.
func found(t testing.TB, c *engine.Catalogue, word string) int {
	t.Helper()
	f, err := c.Find(&catalogue.Filter{Query: word}, nil, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return f.Len()
}

// A change of a price keeps the index of the products. A change of a name is found at once in a small store, and soon
// in a large one, whose product has the new name at once.
func TestCatalogueFollowsItsStore(t *testing.T) {
	for _, products := range []int{20, 1500} {
		s := redistest.Mini(t)
		db := node(t, s)
		load := func() *Loaded {
			t.Helper()
			l, err := db.LoadUnder(background, db.Entry(shopID), s.Client().Get(background, HeadKey(shopID)).Val())
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		saveCatalogue(t, db, products, "Oak", 5)
		first := load()
		saveCatalogue(t, db, products, "Oak", 7)
		if second := load(); second.catalogue.Outdated() || second.catalogue.Catalogue == first.catalogue.Catalogue || found(t, second.catalogue, "oak") != 1 {
			t.Errorf("%d products: the catalogue does not follow a price", products)
		}
		saveCatalogue(t, db, products, "Elm", 7)
		third := load()
		if p := third.Store.ActiveProduct(fmt.Sprint("p", products-1)); p.Name != "Elm" {
			t.Errorf("the product is %s, want Elm", p.Name)
		}
		if products == 20 && (found(t, third.catalogue, "elm") != 1 || found(t, third.catalogue, "oak") != 0) {
			t.Error("a small store does not find the new name at once")
		}
		eventually(t, "the new name is found", patience, func() bool {
			l := db.Entry(shopID).Current.Load()
			return !l.catalogue.Outdated() && l.Version.Catalogue == l.catalogue && found(t, l.catalogue, "elm") == 1 && found(t, l.catalogue, "oak") == 0
		})
	}
}

// Stores whose names change all the time are indexed in turn, and none twice for one change.
func TestOutdatedCataloguesWaitTheirTurn(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	saveCatalogue(t, db, 1200, "Oak", 5)
	entry := db.Entry(shopID)
	if _, err := db.LoadUnder(background, entry, ""); err != nil {
		t.Fatal(err)
	}
	db.indexing.running = true // as while another store is indexed
	for i := range 3 {
		saveCatalogue(t, db, 1200, fmt.Sprint("Elm", i), 5)
		if _, err := db.LoadUnder(background, entry, s.Client().Get(background, HeadKey(shopID)).Val()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(db.indexing.waiting); n != 1 {
		t.Fatalf("%d turns wait for one store, want 1", n)
	}
	db.indexWaiting()
	if l := entry.Current.Load(); l.catalogue.Outdated() || found(t, l.catalogue, "elm") != 1 || db.indexing.running {
		t.Error("the store is not indexed after its turn")
	}
}
