package persistence

import (
	"maps"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

func inAnHour(text string) object {
	return object{"token": text, "expires_at": time.Now().Add(time.Hour).UTC().Truncate(time.Second)}
}

// theCustomer is ada with a token and an address, and with some changes. She has no password,
// because a hash takes long.
func theCustomer(changes ...object) object {
	c := object{
		"id": ada, "email": "ada@example.com", "first_name": "Ada", "tokens": []object{inAnHour("token-ada")},
		"addresses": []object{{"name": "Ada", "street": "One 1", "postal_code": "1", "city": "A", "country": "NL"}},
	}
	for _, change := range changes {
		maps.Copy(c, change)
	}
	return c
}

func shopWith(customers ...object) shop {
	s := theShop()
	s.Customers = customers
	return s
}

// visitor is the sender of a request with this token.
func visitor(t testing.TB, db *DB, text string) commerce.Visitor {
	t.Helper()
	ask := asks("key")
	ask.Token = secret(text)
	return admit(t, db, ask).Visitor
}

// rewrite changes a contact in Redis as another writer would.
func rewrite(t testing.TB, client *redis.Client, edit func(*commerce.Contact)) {
	t.Helper()
	c := readContact(t, client, ada)
	edit(c.State)
	c.Stamp.Counter++
	key := records.Contacts.Key(engine.RecordKey{Store: shopID, ID: ada})
	if err := client.Set(background, key, records.Contacts.Encode(nil, &c, nil), 0).Err(); err != nil {
		t.Fatal(err)
	}
}

// Spec: Customer token.
func TestVisitorOfAToken(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		shopWith(theCustomer(object{"kind": "b2b", "group_id": tradeGroup})).save(t, db)
		known := commerce.Visitor{Known: true, CustomerID: ada, GroupID: tradeGroup, B2B: true, Approved: true}
		noVisitor := commerce.Visitor{}
		put := func(token, text string) { client.Set(background, accounts.TokenKey(shopID, *secret(token)), text, 0) }
		hour := time.Now().Add(time.Hour)
		put("expired", accounts.TokenText(ada, time.Now().Add(-time.Second), 0))
		put("ended", accounts.TokenText(ada, hour, 9))
		put("of a missing customer", accounts.TokenText(testID(0x404), hour, 0))
		put("guest's", accounts.TokenText(testID(0x90), hour, 0))
		client.Set(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: testID(0x90)}),
			records.GuestRecord(&commerce.Guest{ID: testID(0x90), Email: "g@b.co", At: noon}, engine.Stamp{Counter: 1}), 0)
		for token, want := range map[string]commerce.Visitor{
			"token-ada": known, "unknown": noVisitor, "expired": noVisitor, "ended": noVisitor, "of a missing customer": noVisitor, "guest's": noVisitor,
		} {
			got := visitor(t, db, token)
			if got.Known && got.Session.Token != *secret(token) {
				t.Errorf("token %s has the session %+v", token, got.Session)
			}
			if got.Session = (commerce.Session{}); got != want {
				t.Errorf("token %s is %+v, want %+v", token, got, want)
			}
		}
		if got := admit(t, db, asks("key")).Visitor; got != (commerce.Visitor{}) {
			t.Errorf("no token is %+v, want no visitor", got)
		}
		rewrite(t, client, func(c *commerce.Contact) { c.Session++ }) // ends all sessions
		if got := visitor(t, db, "token-ada"); got != noVisitor {
			t.Errorf("a token of an ended session is %+v, want %+v", got, noVisitor)
		}
	})
}

// An import changes a contact's group. A visit that was judged by the old group is a conflict,
// and one judged by the facts that it found matches.
func TestVisitAfterItsContactsGroupChanged(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		ask := asks("key")
		ask.Token = secret("token-ada")
		ask.Facts = admit(t, db, ask)
		v := replacing(none.Stamp, cartAt(1, ""))
		v.Requests = []*engine.Request{ask}
		shopWith(theCustomer(object{"group_id": tradeGroup})).save(t, node(t, s))
		o := send(t, db, v)
		if o.Kind != engine.OtherFacts || !o.Facts[0].Visitor.Known || o.Facts[0].Visitor.GroupID != tradeGroup || o.Facts[0].Unknown {
			t.Fatalf("outcome %+v, want other facts with the group %s", o, tradeGroup)
		}
		wantLoaded(t, db, none)
		ask.Visitor, ask.TokenText = o.Facts[0].Visitor, o.Facts[0].TokenText
		wantOutcome(t, db, v, engine.Done, none)
		known := asks("key")
		known.Token, known.Write = ask.Token, true
		if _, err := db.Recall(known); err != nil || known.Visitor.GroupID != tradeGroup {
			t.Errorf("the node remembers %+v, %v", known.Visitor, err)
		}
	})
}

// A visit that was judged by a contact's record returns the record that it finds. Without one, the
// visitor has to be read again.
func TestVisitJudgedByAnOutdatedContact(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		ask := asks("key")
		ask.Token = secret("token-ada")
		ask.Facts = admit(t, db, ask)
		old := readContact(t, s.Client(), ada)
		rewrite(t, s.Client(), func(c *commerce.Contact) { c.FirstName = "Augusta" })
		v := replacing(none.Stamp, cartAt(1, ""))
		v.Requests, ask.Contact.Record = []*engine.Request{ask}, &old
		o := send(t, db, v)
		if o.Kind != engine.OtherFacts || o.Facts[0].Unknown || o.Facts[0].Contact == nil || o.Facts[0].Contact.State.FirstName != "Augusta" {
			t.Fatalf("outcome %+v, want the contact as it is", o)
		}
		ask.TokenText, ask.Contact.Record = o.Facts[0].TokenText, o.Facts[0].Contact
		s.Client().Del(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: ada}))
		if o = send(t, db, v); o.Kind != engine.OtherFacts || !o.Facts[0].Unknown {
			t.Fatalf("without a contact: %+v, want the visitor to be read again", o)
		}
		if err := db.Refresh(ask.Store.ID, ask); err != nil || ask.Visitor.Known || ask.Contact.Record != nil {
			t.Fatalf("read again: %+v, %v; want no visitor", ask.Visitor, err)
		}
		wantOutcome(t, db, v, engine.Done, none)
	})
}

func TestTokenOfAnotherStoreIsUnknown(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	other := shopWith(theCustomer())
	other.ID, other.Keys = otherShop, nil
	other.save(t, db)
	theShop().save(t, db)
	if got, want := visitor(t, db, "token-ada"), (commerce.Visitor{}); got != want {
		t.Errorf("another store's token is %+v, want %+v", got, want)
	}
}

func TestEndedSessionStaysEndedAfterALaterImport(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		shopWith(theCustomer()).save(t, db)
		rewrite(t, client, func(c *commerce.Contact) { c.Session++ })
		shopWith(theCustomer(object{"first_name": "Augusta", "tokens": []object{inAnHour("token-ada"), inAnHour("fresh")}})).save(t, db)
		if got := visitor(t, db, "token-ada"); got.Known {
			t.Errorf("an import revived the ended session of %+v", got)
		}
		if got := visitor(t, db, "fresh"); !got.Known || got.CustomerID != ada {
			t.Errorf("a new token of the import is %+v, want the customer", got)
		}
	})
}
