package persistence

import (
	"errors"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
)

// A set with faults of its own is refused as it arrives, also where its turn could not come in time. One
// without waits for its turn.
func TestFaultySetIsRefusedAsItArrives(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db) // the next turn is a second later
		shop := admit(t, db, asks("key")).Store
		for name, faulty := range map[string]bool{"Shoes": false, "": true} {
			text := `{"format":1,"set":{"categories":[{"id":"` + testID(1).String() + `","name":"` + name + `","slug":"s"}]}}`
			set, err := storefile.ParseChangeSet([]byte(text), storefile.MerchantSettings)
			if err != nil {
				t.Fatal(err)
			}
			r := &engine.Request{Facts: engine.Facts{Store: shop, Key: &commerce.APIKey{}}, Deadline: time.Now().Add(300 * time.Millisecond)}
			_, err = db.ChangeCatalogue(r, set)
			var faults *storefile.Faults
			var busy *engine.Busy
			if faulty && !errors.As(err, &faults) || !faulty && !errors.As(err, &busy) {
				t.Errorf("a category %q: %v", name, err)
			}
		}
	})
}
