package operator

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/accounts"
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

// Whatever kind of record has something about a person has its place in the order of an erasure.
func TestEveryKindIsErased(t *testing.T) {
	for _, kind := range persistence.Kinds {
		name, _ := kind.Names()
		erases := reflect.ValueOf(kind).Elem().FieldByName("Erases").String()
		if erases != "" && !slices.ContainsFunc(erasers, func(e eraser) bool { return e.parts == erases }) {
			t.Errorf("no erasure of a %s", name)
		}
	}
}
