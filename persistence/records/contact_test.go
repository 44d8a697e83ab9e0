package records

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

func (d dice) contact() *engine.Record[*commerce.Contact] {
	c := &commerce.Contact{
		Guest: d.IntN(2) == 0, B2B: d.IntN(2) == 0, Approved: d.IntN(2) == 0, ReverseCharge: d.IntN(2) == 0, Session: d.Uint64(), GroupID: d.id(),
		Email: d.text(), FirstName: d.text(), LastName: d.text(), Phone: d.text(),
		CompanyName: d.text(), RegistrationNumber: d.text(), VATID: d.text(), ExternalID: d.text(),
		PasswordHash: d.text(), Own: commerce.ProfileFields(d.IntN(8)), CreatedAt: d.time(),
	}
	if d.IntN(2) == 0 {
		c.UpdatedAt = d.moment()
	}
	for range d.IntN(commerce.MaxResets + 1) {
		c.Resets = append(c.Resets, commerce.PasswordReset{Hash: commerce.HashSecret([]byte(d.text())), ExpiresAt: d.moment()})
	}
	for range d.IntN(4) {
		c.Addresses = append(c.Addresses, d.address())
	}
	for range d.IntN(3) {
		c.Tokens = append(c.Tokens, commerce.CustomerToken{Hash: commerce.HashSecret([]byte(d.text())), ExpiresAt: d.moment()})
	}
	return &engine.Record[*commerce.Contact]{Stamp: d.stamp(), Writers: d.writers(), State: c}
}

func (d dice) address() commerce.Address {
	a := commerce.Address{
		ID: d.id(), Type: d.text(), Label: d.text(), IsDefault: d.IntN(2) == 0, Name: d.text(), Street: d.text(),
		PostalCode: d.text(), City: d.text(), Country: d.text(), Phone: d.text(),
	}
	if d.IntN(2) == 0 {
		a.Company, a.Region = d.text(), d.text()
	}
	return a
}

// moment returns any time that a document may have.
func (d dice) moment() time.Time {
	return time.Date(d.IntN(10000), 1, 1, 0, 0, d.IntN(1e9), d.IntN(1e9), time.UTC)
}

func TestDecodedContactEqualsTheEncodedOne(t *testing.T) {
	d := seeded(t)
	for range 300 {
		want := d.contact()
		want.State.ID = uuid.UUID{15: 0xad}
		text := string(appendContact(nil, want))
		want.Size = len(text)
		got, err := Contacts.Decode(engine.RecordKey{ID: uuid.UUID{15: 0xad}}, text)
		if err != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("got %+v, %v\n%+v\nwant %+v\n%+v", got, err, got.State, want, want.State)
		}
	}
}

func TestCutContactRecordIsCorrupt(t *testing.T) {
	whole := string(appendContact(nil, seeded(t).contact()))
	for n := range whole {
		if got, err := Contacts.Decode(engine.RecordKey{}, whole[:n]); err != redisdb.ErrCorrupt || got.State != nil {
			t.Fatalf("the first %d of %d bytes decode to %+v, %v", n, len(whole), got, err)
		}
	}
}

func TestGuestRecordDecodesToAGuest(t *testing.T) {
	stamp := engine.Stamp{Counter: 4, Writer: 5, Sequence: 6}
	got, err := Contacts.Decode(engine.RecordKey{}, string(GuestRecord(&commerce.Guest{ID: uuid.Nil, Email: "a@b.co", At: noon}, stamp)))
	if err != nil {
		t.Fatal(err)
	}
	want := commerce.Contact{Guest: true, Email: "a@b.co", CreatedAt: noon}
	if got.Stamp != stamp || !reflect.DeepEqual(*got.State, want) {
		t.Errorf("guest record %+v %+v, want %+v", got.Stamp, *got.State, want)
	}
}

// Every field of a contact that the rules use is in its record.
func TestRecordHasEveryFieldOfAContact(t *testing.T) {
	d := seeded(t)
	filled := map[string]bool{"ID": true} // in the key
	for range 100 {
		state := reflect.ValueOf(*d.contact().State)
		for i := range state.NumField() {
			field := state.Type().Field(i).Name
			filled[field] = filled[field] || !state.Field(i).IsZero()
		}
	}
	for field, ok := range filled {
		if !ok {
			t.Errorf("no record fills %s: it is not tested", field)
		}
	}
}

func FuzzDecodeContact(f *testing.F) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	f.Add([]byte(nil))
	for range 4 {
		f.Add(appendContact(nil, d.contact()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := Contacts.Decode(engine.RecordKey{}, string(b))
		if err != nil {
			return
		}
		once := appendContact(nil, &first)
		second, err := Contacts.Decode(engine.RecordKey{}, string(once))
		if err != nil {
			t.Fatalf("a decoded record cannot be decoded again: %v", err)
		}
		if twice := appendContact(nil, &second); string(twice) != string(once) {
			t.Fatalf("encodes to %q\n and then %q", once, twice)
		}
	})
}
