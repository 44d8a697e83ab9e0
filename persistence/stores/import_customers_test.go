package stores

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
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

// readContact reads a customer of the shop from Redis.
func readContact(t testing.TB, client *redis.Client, id uuid.UUID) engine.Record[*commerce.Contact] {
	t.Helper()
	key := engine.RecordKey{Store: shopID, ID: id}
	c, err := records.Contacts.Decode(key, client.Get(background, records.Contacts.Key(key)).Val())
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	return c
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

func TestCustomerIsCreatedAndThenUpdatedByID(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		client, customer := s.Client(), theCustomer()
		shopWith(customer).save(t, db)
		first := readContact(t, client, ada)
		if c := first.State; c.Email != "ada@example.com" || c.FirstName != "Ada" || c.Guest || c.B2B || len(c.Addresses) != 1 || c.CreatedAt.IsZero() {
			t.Fatalf("created as %+v", *c)
		}
		rewrite(t, client, func(c *commerce.Contact) { // as the customer changes it through the API
			c.Session, c.PasswordHash, c.Addresses[0].City = 3, "theirs", "Theirs"
		})
		customer["email"], customer["kind"], customer["group_id"], customer["approved"] = "new@example.com", "b2b", tradeGroup, false
		customer["password"], customer["addresses"].([]object)[0]["city"] = "second-password", "Second"
		delete(customer, "first_name")
		shopWith(customer).save(t, db)
		want := *first.State
		want.B2B, want.Approved, want.Session, want.GroupID = true, false, 3, tradeGroup
		want.Email, want.FirstName, want.PasswordHash = "new@example.com", "", "theirs"
		want.Addresses = append([]commerce.Address(nil), want.Addresses...)
		want.Addresses[0].City = "Theirs"
		got := readContact(t, client, ada)
		if !reflect.DeepEqual(*got.State, want) {
			t.Errorf("updated to %+v\nwant %+v", *got.State, want)
		}
		if got.Stamp.Counter != first.Stamp.Counter+2 || got.Stamp.Writer == first.Stamp.Writer || len(got.Writers) != 1 {
			t.Errorf("stamps %+v, then %+v with writers %+v", first.Stamp, got.Stamp, got.Writers)
		}
		shopWith().save(t, db)
		if kept := readContact(t, client, ada); !reflect.DeepEqual(kept, got) {
			t.Errorf("a customer no longer in the document is %+v, want it kept as %+v", *kept.State, *got.State)
		}
	})
}

// A customer that the document does not change is not written and keeps its version.
func TestUnchangedCustomerIsNotWritten(t *testing.T) {
	s := redistest.Mini(t)
	save := func(shopName, firstName string) {
		changed := with(firstName)
		changed.Name = shopName
		changed.save(t, node(t, s))
	}
	save("One", "Ada")
	before := readContact(t, s.Client(), ada)
	save("Two", "Ada")
	if after := readContact(t, s.Client(), ada); !reflect.DeepEqual(after, before) {
		t.Errorf("the customer is %+v, was %+v", after, before)
	}
	save("Three", "Augusta")
	if after := readContact(t, s.Client(), ada); after.Stamp == before.Stamp || after.State.FirstName != "Augusta" {
		t.Errorf("the customer is %+v after a change", after)
	}
}

// An import's write of a customer that conflicts is applied again, as any other write.
func TestImportKeepsAConcurrentChangeOfACustomer(t *testing.T) {
	s := redistest.Mini(t)
	client, db := s.Client(), node(t, s)
	shopWith(theCustomer()).save(t, node(t, s))
	lease, end, err := db.beginImport(background, shopID, headOf(t, db))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	w := contactImport{importLease: lease, contacts: records.MakeWriter()}
	// Between the import's read and its write:
	hook, _ := redistest.Ahead(2, func() { rewrite(t, client, func(c *commerce.Contact) { c.Session = 8 }) })
	db.client.Redis.AddHook(hook)
	if err := w.save(background, with("Augusta").document(t).Customers); err != nil {
		t.Fatalf("save = %v", err)
	}
	if got := readContact(t, client, ada).State; got.Session != 8 || got.FirstName != "Augusta" {
		t.Errorf("the customer is %+v, want both changes", *got)
	}
}

func TestTokenLeavesAtItsExpiry(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		expiry, past := time.Now().Add(time.Hour), object{"token": "past", "expires_at": time.Now().Add(-time.Hour)}
		shopWith(theCustomer(object{"tokens": []object{inAnHour("token-ada"), past}})).save(t, db)
		if ttl := s.Client().PTTL(background, accounts.TokenKey(shopID, secret("token-ada"))).Val(); (ttl - time.Until(expiry)).Abs() > 10*time.Second {
			t.Errorf("the token leaves in %v, want %v", ttl, time.Until(expiry))
		}
		if n := s.Client().Exists(background, accounts.TokenKey(shopID, secret("past"))).Val(); n != 0 {
			t.Error("a token past its expiry was stored")
		}
	})
}

// An import fails if any of its reads fails, also when the first one only found nothing: a new
// customer's address must not be written over an index entry that cannot be read.
func TestImportSeesEveryErrorOfItsReads(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		entry := accounts.EmailKey(shopID, "ada@example.com")
		s.Client().RPush(background, entry, "no text")
		if _, err := db.SaveStore(background, shopWith(theCustomer()).document(t), true); err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
			t.Errorf("SaveStore = %v, want WRONGTYPE", err)
		}
		if kind := s.Client().Type(background, entry).Val(); kind != "list" {
			t.Errorf("the index entry is a %s now", kind)
		}
	})
}
