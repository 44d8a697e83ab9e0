package stores

import (
	"testing"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// Above the bound the stores leave whose last use is longest ago; the one that was loaded last stays, however large it
// is, and an evicted one is loaded again.
func TestStoresAboveTheBoundLeave(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	for i := range 4 {
		store := shop{shoptest.Shop{ID: testID(0x50 + i), Name: "Shop", Keys: []object{apiKey(string(rune('a' + i)))}}}
		store.save(t, db)
	}
	load := func(i int) {
		t.Helper()
		if _, err := db.LoadUnder(background, db.Entry(testID(0x50+i)), ""); err != nil {
			t.Fatal(err)
		}
	}
	memory := func() (total int64) {
		for _, age := range db.Ages() {
			total += age.Memory
		}
		return total
	}
	present := func(want ...int) {
		t.Helper()
		if len(db.Ages()) != len(want) {
			t.Errorf("%d stores are in memory, want %v", len(db.Ages()), want)
		}
		for _, i := range want {
			if e := db.entries[testID(0x50+i)]; e == nil || e.Current.Load() == nil {
				t.Errorf("store %d is not in memory", i)
			}
		}
	}
	load(0)
	one := memory()
	db.Bound(2*one + one/2)
	load(1)
	present(0, 1)
	db.entries[testID(0x51)].used.Store(1) // store 0 was used later
	load(2)
	present(0, 2)
	if db.keys[secret("b")] != nil {
		t.Error("the key of the evicted store is still known")
	}
	db.Bound(1)
	load(3)
	present(3)
	load(1)
	present(1)
	if n := db.Evicted(); n != 4 {
		t.Errorf("%d evictions are counted, want 4", n)
	}
}
