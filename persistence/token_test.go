package persistence

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
)

// An admission reads only the head of a contact in memory. The node knows that only after it
// has read the token.
func TestAdmissionReadsATokensContactOrItsHead(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		resident := map[uuid.UUID]bool{}
		db := node(t, s, func(c *Config) {
			c.ResidentContact = func(k engine.RecordKey) bool { return k.Store == shopID && resident[k.ID] }
		})
		client := s.Client()
		bob := testID(0xb0b)
		shopWith(theCustomer(), object{"id": bob, "email": "bob@example.com"}).save(t, db)
		records := map[uuid.UUID]engine.Record[*commerce.Contact]{ada: readContact(t, client, ada), bob: readContact(t, client, bob)}
		trips := shoptest.CountTrips(db.client.Redis)
		see := func(what string, who uuid.UUID, whole bool) {
			t.Helper()
			record := records[who]
			want := engine.Sighting[*commerce.Contact]{Stamp: record.Stamp}
			if whole {
				want.Record = &record
			}
			ask := asks("key")
			ask.Token, ask.OfContact = secret("token-ada"), true
			got := admit(t, db, ask)
			if !got.Visitor.Known || got.Visitor.CustomerID != who || !reflect.DeepEqual(got.Contact, want) {
				t.Errorf("%s: %+v, contact %+v; want %+v of %s", what, got.Visitor, got.Contact, want, who)
			}
			trips.Want(t, what, []string{"evalsha", "evalsha"})
		}
		admit(t, db, asks("key")) // loads the store
		trips.Collect()
		resident[ada] = true
		see("a token that was not seen yet", ada, true)
		see("a resident contact", ada, false)
		resident[ada] = false
		see("a contact that has left", ada, true)
		resident[ada] = true
		client.Set(background, accounts.TokenKey(shopID, *secret("token-ada")), accounts.TokenText(bob, time.Now().Add(time.Hour), 0), 0)
		see("a token that is another customer's by now", bob, false)
		see("the same again", bob, true)
	})
}
