package operator

import (
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// An erasure fails if the entry of the address cannot be read: it would stay.
func TestErasureSeesTheErrorOfTheIndex(t *testing.T) {
	s := redistest.Mini(t)
	db, entry := on(t, s), accounts.EmailKey(shopID, "ada@example.com")
	db.save(t, shopID, adasContact())
	reads := 0
	db.Redis().Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if args := cmd.Args(); args[0] == "get" && args[1] == entry {
			if reads++; reads == 2 { // the first read finds the customer
				cmd.SetErr(errBroken)
				return errBroken
			}
		}
		return next()
	}))
	if _, _, err := db.EraseCustomer(background, shopID, ada.String(), false); !errors.Is(err, errBroken) {
		t.Errorf("EraseCustomer = %v, want the error of the read", err)
	}
	if _, _, err := db.EraseCustomer(background, shopID, ada.String(), false); err != nil || s.Client().Exists(background, entry).Val() != 0 {
		t.Errorf("once more: %v, the entry is there: %d", err, s.Client().Exists(background, entry).Val())
	}
}

// A customer is found by every spelling of the address's accents, also one whom an earlier release has
// stored in another spelling.
func TestErasureFindsEverySpellingOfAnAddress(t *testing.T) {
	const nfc, nfd = "andr\u00e9@example.com", "andre\u0301@example.com"
	for _, stored := range []string{nfc, nfd} {
		s := redistest.Mini(t)
		o, client := on(t, s), s.Client()
		o.save(t, shopID, adasContact())
		contact := record(2, &commerce.Contact{ID: ada, Email: stored, CreatedAt: noon, UpdatedAt: noon})
		client.Set(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: ada}), records.Contacts.Encode(nil, contact, nil), 0)
		client.Set(background, accounts.EmailKey(shopID, stored), ada.String(), 0)
		_, report, err := o.EraseCustomer(background, shopID, nfc, false)
		if err != nil || report[len(report)-1].Records == 0 || client.Exists(background, accounts.EmailKey(shopID, stored)).Val() != 0 {
			t.Errorf("stored as %+q: erased %+v, %v", stored, report, err)
		}
	}
}
