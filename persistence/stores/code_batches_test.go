package stores

import (
	"encoding/base64"
	"errors"
	"fmt"
	"testing"
	"time"

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
			_, err := db.SaveStore(background, discountShop("refused", d).document(t), true)
			if !errors.Is(err, errBatchReused) {
				t.Errorf("SaveStore = %v; want errBatchReused", err)
			}
			if after := everything(t, s); len(after) != len(before) || after[batchSecretsKey(shopID)] != before[batchSecretsKey(shopID)] {
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
		results := db.importChanges(background, shopID, []*Change{category(t, 1, "A"), set("other")})
		var faults *storefile.Faults
		if results[0].Err != nil || !errors.As(results[1].Err, &faults) {
			t.Fatalf("got %v, %v", results[0].Err, results[1].Err)
		}
		changeOne(t, db, set("a"))
		const path, message = "set.discounts[0].code_batches[0].secret", "is not the secret that the number had before: give the new codes another number"
		if f := faults.List()[0]; f.Path != path || f.Message != message || f.Value != "" {
			t.Errorf("got %+v", f)
		}
	})
}

// The uses of codes last as long as a document names the discount.
func TestUsesOfCodesLastWithTheirDiscount(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		discountShop("both", vouchers(1, batch(1, "a")), vouchers(2, batch(2, "b")), discount(3, 5, 0)).save(t, db)
		client := s.Client()
		ttl := func(n int) time.Duration {
			left := client.PTTL(background, UsesKey(shopID, testID(0xd00+n))).Val()
			if left == lasting {
				return lasting
			}
			return left.Round(time.Hour)
		}
		for n := 1; n <= 3; n++ {
			client.HSet(background, UsesKey(shopID, testID(0xd00+n)), "1:0", 1)
		}
		client.PExpire(background, UsesKey(shopID, testID(0xd01)), time.Hour)
		client.PExpire(background, UsesKey(shopID, testID(0xd03)), 2*time.Hour)
		discountShop("one", vouchers(1, batch(1, "a")), discount(3, 5, 0)).save(t, db)
		if ttl(1) != lasting || ttl(2) != usesKeptFor || ttl(3) != 2*time.Hour {
			t.Errorf("after an import: %v, %v, %v", ttl(1), ttl(2), ttl(3))
		}
		client.PExpire(background, UsesKey(shopID, testID(0xd02)), time.Hour)
		changeOne(t, db, category(t, 1, "A"))
		if ttl(1) != lasting || ttl(2) != time.Hour {
			t.Errorf("after a change set: %v, %v", ttl(1), ttl(2))
		}
		discountShop("again", vouchers(2, batch(2, "b"))).save(t, db)
		if ttl(1) != usesKeptFor || ttl(2) != lasting {
			t.Errorf("after the discount's return: %v, %v", ttl(1), ttl(2))
		}
	})
}
