package stores

import (
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
)

// A dropped store is gone for every command but an import, although its head stays for an hour: nothing is
// written under it, and the head still ends. Its import begins anew, also with a document without products.
func TestDroppedStoreTakesNothing(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		if _, err := db.Drop(background, shopID, func(redis.Pipeliner) {}, func(int) {}); err != nil {
			t.Fatal(err)
		}
		left := everything(t, s)
		_, made := db.MakeKey(background, shopID, commerce.APIKey{Name: "late"})
		_, listed := db.ListKeys(background, shopID)
		_, _, shown := db.History(background, shopID)
		_, exported := db.ExportStore(background, shopID)
		_, read := db.ReadHead(background, shopID)
		for name, err := range map[string]error{
			"suspend": db.Suspend(background, shopID, true), "close": db.CloseForOrders(background, shopID, ""),
			"open": db.OpenForOrders(background, shopID), "limit": db.Limit(background, shopID, 5), "make a key": made,
			"revoke": db.RevokeKey(background, shopID, "key"), "list keys": listed, "history": shown, "export": exported, "head": read,
		} {
			if !errors.Is(err, errNoStore) {
				t.Errorf("%s of a dropped store: %v, want %v", name, err, errNoStore)
			}
		}
		if now := everything(t, s); len(now) != len(left) {
			t.Errorf("Redis has %v, and had %v after the drop", now, left)
		}
		if ttl := s.Client().PTTL(background, HeadKey(shopID)).Val(); ttl <= 0 || ttl > time.Hour {
			t.Errorf("the head leaves in %v, want an hour at most", ttl)
		}
		doc := theShop().document(t)
		doc.RefuseEmpty = true
		if changed, err := db.SaveStore(background, doc, true); !changed || err != nil {
			t.Errorf("an import after the drop: %v, %v", changed, err)
		}
	})
}
