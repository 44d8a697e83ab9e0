package persistence

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cartd/internal/redistest"
	"cartd/persistence/accounts"
)

// A sample has the hashes of at most 16 accounts of the store, also of a store without any and beside one
// that cannot be read.
func TestSampleOfHashes(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		sample := func() []string {
			t.Helper()
			hashes, err := db.SampleHashes(shopID, time.Now().Add(patience))
			if err != nil {
				t.Fatal(err)
			}
			return hashes
		}
		theShop().save(t, db)
		if got := sample(); len(got) != 0 {
			t.Errorf("without accounts: %q", got)
		}
		few := theShop()
		hash := func(n int) string { return fmt.Sprintf("$2a$04$%053d", n) }
		for n := range 40 {
			few.Customers = append(few.Customers, object{"id": testID(0x100 + n), "email": fmt.Sprint(n, "@example.com"), "password_hash": hash(n)})
			if n == 2 {
				few.save(t, db)
				s.Client().SAdd(background, accounts.CustomersKey(shopID), "gone")
				got := sample()
				if slices.Sort(got); !slices.Equal(got, []string{hash(0), hash(1), hash(2)}) {
					t.Errorf("of three accounts: %q", got)
				}
			}
		}
		few.save(t, db)
		seen := map[string]bool{}
		eventually(t, "every account is in a sample", patience, func() bool {
			got := sample()
			for _, hash := range got {
				seen[hash] = true
			}
			if len(got) < 15 || len(got) > 16 {
				t.Fatalf("a sample of %d accounts", len(got))
			}
			return len(seen) == 40
		})
	})
}
