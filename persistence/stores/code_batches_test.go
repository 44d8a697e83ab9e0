package stores

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"cartd/commerce/storefile"
	"cartd/internal/redistest"
)

// batch is a batch of codes whose secret is made from a word.
func batch(n int, secret string) object {
	return object{"number": n, "prefix": fmt.Sprint("B", n), "secret": "whsec_" + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%-24s", secret))}
}

// vouchers is a discount with batches of codes.
func vouchers(n int, batches ...object) object {
	d := discount(n, 5, 0)
	delete(d, "code")
	d["code_batches"] = batches
	return d
}

// The number of a batch is never used again for other codes, also after a document without it.
// docs/store-document.md#batches-of-codes.
func TestABatchKeepsItsSecret(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		discountShop("first", vouchers(1, batch(1, "a"), batch(2, "b"))).save(t, db)
		refused := func(d object) {
			t.Helper()
			before := everything(t, s)
			doc := discountShop("refused", d).document(t)
			judged := db.JudgeImport(background, doc)
			_, err := db.SaveStore(background, doc, true)
			if !errors.Is(err, errBatchReused) || !errors.Is(judged, errBatchReused) {
				t.Errorf("SaveStore = %v, JudgeImport = %v; want errBatchReused", err, judged)
			}
			if after := everything(t, s); !reflect.DeepEqual(after, before) {
				t.Error("a refused document has changed the store")
			}
		}
		refused(vouchers(1, batch(1, "other"), batch(3, "new")))
		discountShop("without", vouchers(1, batch(3, "c"))).save(t, db)
		refused(vouchers(1, batch(2, "other")))
		discountShop("none").save(t, db)
		refused(vouchers(1, batch(3, "other")))
		discountShop("again", vouchers(1, batch(1, "a"), batch(3, "c")), vouchers(2, batch(4, "d"))).save(t, db)
		renamed := batch(2, "b")
		renamed["prefix"], renamed["uses"], renamed["active"] = "RENAMED", 9, false
		discountShop("renamed", vouchers(1, renamed)).save(t, db)
		wantStore(t, s, "renamed")
	})
}

// A change set with another secret is faulty; it spoils no other.
func TestAChangeSetKeepsTheSecretsOfBatches(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *Stores) {
		discountShop("first", vouchers(1, batch(1, "a"))).save(t, db)
		set := func(secret string) *Change {
			text := fmt.Sprintf(`{"format":1,"set":{"discounts":[{"id":"%s","name":"D","kind":"order","value":{"type":"percent","percent":"5"},
				"code_batches":[{"number":1,"prefix":"B1","secret":"%s"}]}]}}`, testID(0xd01), batch(1, secret)["secret"])
			parsed, err := storefile.ParseChangeSet([]byte(text), storefile.OperatorSettings)
			if err != nil {
				t.Fatal(err)
			}
			return &Change{Set: parsed, By: "test"}
		}
		changeOne(t, db, category(t, 1, "A"))
		var faults *storefile.Faults
		if _, err := db.ImportChange(background, shopID, set("other")); !errors.As(err, &faults) {
			t.Fatalf("got %v", err)
		}
		changeOne(t, db, set("a"))
		const path, message = "set.discounts[0].code_batches[0].secret", "is not the secret that the number had before: give the new codes another number"
		if f := faults.List()[0]; f.Path != path || f.Message != message || f.Value != "" {
			t.Errorf("got %+v", f)
		}
	})
}
