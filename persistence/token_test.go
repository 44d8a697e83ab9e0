package persistence

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// Of a contact that the node holds an admission reads the head: whether it does is known
// once the token was seen.
func TestWhatAnAdmissionSeesOfATokensContact(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		held := map[uuid.UUID]bool{}
		db := node(t, s, func(c *Config) {
			c.HeldContact = func(k engine.RecordKey) (engine.Stamp, bool) {
				return engine.Stamp{}, k.Store == shopID && held[k.ID]
			}
		})
		client := s.Client()
		bob := shopCustomer{ID: testID(0xb0b), Email: "bob@example.com"}
		shopWith(theCustomer(), bob).save(t, db)
		key := once(1)
		client.Set(background, contactOnceKey(engine.RecordKey{Store: shopID, ID: ada}, key.Name), makeEntry(&engine.Effects{Idempotency: key}, none.Stamp), 0)
		records := map[uuid.UUID]engine.Record[*commerce.Contact]{ada: readContact(t, client, ada), bob.ID: readContact(t, client, bob.ID)}
		trips := countTrips(db.main.Redis)
		see := func(what string, who uuid.UUID, whole bool) {
			t.Helper()
			record := records[who]
			want := engine.Sighting[*commerce.Contact]{Stamp: record.Stamp}
			if whole {
				want.Record = &record
			}
			ask := asks("key")
			ask.Token, ask.OfContact, ask.Idempotency = secret("token-ada"), true, key
			got := admit(t, db, ask)
			if !got.Visitor.Known || got.Visitor.CustomerID != who || !reflect.DeepEqual(got.Contact, want) {
				t.Errorf("%s: %+v, contact %+v; want %+v of %s", what, got.Visitor, got.Contact, want, who)
			}
			if (got.Entry != nil) != (who == ada) {
				t.Errorf("%s: entry %+v", what, got.Entry)
			}
			trips.want(t, what, []string{"evalsha", "evalsha"})
		}
		admit(t, db, asks("key")) // loads the store
		trips.take()
		held[ada] = true
		see("a token that was not seen before", ada, true)
		see("a held contact", ada, false)
		held[ada] = false
		see("a contact that has left", ada, true)
		held[ada] = true
		client.Set(background, tokenKey(shopID, *secret("token-ada")), tokenText(bob.ID, time.Now().Add(time.Hour), 0), 0)
		see("a token that is somebody else's by now", bob.ID, false)
		see("the same again", bob.ID, true)
	})
}

func TestWhoseATokenWasIsRememberedUntilAnotherTakesItsPlace(t *testing.T) {
	var known owners
	first, second := *secret("a"), *secret("a")
	second[31]++ // the same place
	if got := known.find(shopID, &first); got != uuid.Nil {
		t.Errorf("at first it is %s's", got)
	}
	known.remember(shopID, &first, ada, uuid.Nil)
	for _, c := range []struct {
		store uuid.UUID
		token commerce.KeyHash
		want  uuid.UUID
	}{{shopID, first, ada}, {otherShop, first, uuid.Nil}, {shopID, second, uuid.Nil}} {
		if got := known.find(c.store, &c.token); got != c.want {
			t.Errorf("token %x of %s is %s's, want %s's", c.token[31], c.store, got, c.want)
		}
	}
	known.remember(shopID, &second, testID(2), uuid.Nil)
	if got := known.find(shopID, &first); got != uuid.Nil {
		t.Errorf("after another took its place it is %s's", got)
	}
}
