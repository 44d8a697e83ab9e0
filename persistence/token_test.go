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
			ask.Token, ask.OfContact = secret("token-ada"), true
			got := admit(t, db, ask)
			if !got.Visitor.Known || got.Visitor.CustomerID != who || !reflect.DeepEqual(got.Contact, want) {
				t.Errorf("%s: %+v, contact %+v; want %+v of %s", what, got.Visitor, got.Contact, want, who)
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
	text := func(customer uuid.UUID) engine.TokenText {
		return engine.TokenText{Value: tokenText(customer, noon, 0), Contact: "head"}
	}
	known.remember(shopID, first, engine.TokenText{})
	if got, found := known.find(shopID, &first); found {
		t.Errorf("an unknown token takes a place: %+v", got)
	}
	known.remember(shopID, first, text(ada))
	for _, c := range []struct {
		store uuid.UUID
		token commerce.KeyHash
		want  engine.TokenText
	}{{shopID, first, text(ada)}, {otherShop, first, engine.TokenText{}}, {shopID, second, engine.TokenText{}}} {
		if got, found := known.find(c.store, &c.token); got != c.want || found != (c.want.Value != "") {
			t.Errorf("token %x of %s is %+v, want %+v", c.token[31], c.store, got, c.want)
		}
	}
	if got := known.customer(shopID, &first); got != ada {
		t.Errorf("it is %s's, want %s's", got, ada)
	}
	known.remember(shopID, first, engine.TokenText{}) // it is gone
	if got, found := known.find(shopID, &first); !found || got.Value != "" {
		t.Errorf("a token that is gone: %+v, %v", got, found)
	}
	known.remember(shopID, second, text(testID(2)))
	if got, found := known.find(shopID, &first); found {
		t.Errorf("after another took its place it is %+v", got)
	}
}
