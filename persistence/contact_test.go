package persistence

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

func (d dice) contact() *commerce.Record[*contact] {
	c := &contact{
		contactHead: contactHead{
			guest: d.IntN(2) == 0, b2b: d.IntN(2) == 0, approved: d.IntN(2) == 0, session: d.Uint64(), group: d.id(),
		},
		contactBody: contactBody{
			Email: d.text(), FirstName: d.text(), LastName: d.text(), Phone: d.text(),
			CompanyName: d.text(), RegistrationNumber: d.text(), VATID: d.text(), ExternalID: d.text(),
			PasswordHash: d.text(), CreatedAt: d.time(),
		},
	}
	for range d.IntN(4) {
		c.Addresses = append(c.Addresses, commerce.Address{ID: d.id(), Type: "billing", Name: d.text(), IsDefault: true, Country: "NL"})
	}
	return &commerce.Record[*contact]{Stamp: d.stamp(), Writers: d.writers(), State: c}
}

func TestAContactSurvivesItsRecord(t *testing.T) {
	d := seeded(t)
	for range 300 {
		want := d.contact()
		got, err := decodeContact(string(appendContact(nil, want)))
		if err != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("got %+v, %v\n%+v\nwant %+v\n%+v", got, err, got.State, want, want.State)
		}
	}
}

func TestACutContactRecordIsCorrupt(t *testing.T) {
	whole := string(appendContact(nil, seeded(t).contact()))
	for n := range whole {
		if got, err := decodeContact(whole[:n]); err != errCorrupt || got.State != nil {
			t.Fatalf("the first %d of %d bytes decode to %+v, %v", n, len(whole), got, err)
		}
	}
}

func TestWhatTheNextFormatAppendsToAContactIsIgnored(t *testing.T) {
	want := seeded(t).contact()
	body, err := json.Marshal(want.State.contactBody)
	if err != nil {
		t.Fatal(err)
	}
	b := appendStamp([]byte{recordFormat + 1}, want.Stamp)
	b = appendWriters(appendContactHead(b, &want.State.contactHead), want.Writers)
	b = appendText(b, strings.TrimSuffix(string(body), "}")+`,"appended":{"x":[1]}}`)
	got, err := decodeContact(string(b) + "appended")
	if err != nil || !reflect.DeepEqual(&got, want) {
		t.Errorf("got %+v, %v\n%+v\nwant %+v\n%+v", got, err, got.State, want, want.State)
	}
}

func TestWhatATokenResolvesTo(t *testing.T) {
	account := contactHead{b2b: true, approved: true, session: 7, group: tradeGroup}
	guest := account
	guest.guest = true
	valid := tokenText(ada, noon.Add(time.Millisecond), 7)
	session := commerce.Session{ExpiresAt: noon.UnixMilli() + 1, Number: 7}
	known := commerce.Visitor{TokenSent: true, Known: true, CustomerID: ada, GroupID: tradeGroup, B2B: true, Approved: true, Session: session}
	nobody := commerce.Visitor{TokenSent: true}
	for _, c := range []struct {
		rule  string
		reply any
		want  commerce.Visitor
	}{
		{"valid", []any{valid, headOf(account)}, known},
		{"without a group", []any{valid, headOf(contactHead{session: 7})}, commerce.Visitor{TokenSent: true, Known: true, CustomerID: ada, Session: session}},
		{"at its expiry", []any{tokenText(ada, noon, 7), headOf(account)}, nobody},
		{"past its expiry", []any{tokenText(ada, noon.Add(-time.Hour), 7), headOf(account)}, nobody},
		{"of an ended session", []any{tokenText(ada, noon.Add(time.Hour), 6), headOf(account)}, nobody},
		{"of a session to come", []any{tokenText(ada, noon.Add(time.Hour), 8), headOf(account)}, nobody},
		{"of a guest", []any{valid, headOf(guest)}, nobody},
		{"of a contact that is gone", []any{valid, ""}, nobody},
		{"with a cut head", []any{valid, headOf(account)[:20]}, nobody},
		{"of a format to come", []any{valid, "\xff" + headOf(account)[1:]}, nobody},
		{"unknown", []any{}, nobody},
		{"no reply", nil, nobody},
		{"no texts", []any{int64(1), int64(2)}, nobody},
	} {
		if got := resolveToken(c.reply, noon); got != c.want {
			t.Errorf("a token %s resolves to %+v, want %+v", c.rule, got, c.want)
		}
	}
}

// headOf is a contact's record as far as the token script returns it.
func headOf(h contactHead) string {
	record := appendContact(nil, &commerce.Record[*contact]{Stamp: commerce.Stamp{Counter: 1}, State: &contact{contactHead: h}})
	return string(record[:headFrom+contactHeadSize])
}

func TestATokenTextIsReadStrictly(t *testing.T) {
	want := token{customer: ada, expires: noon.UnixMilli(), session: 3}
	if got, ok := parseToken(tokenText(ada, noon, 3)); !ok || got != want {
		t.Errorf("parseToken = %+v, %v; want %+v", got, ok, want)
	}
	for _, text := range []string{"", "x", ada.String(), ada.String() + " 1", ada.String() + " 1 -1", ada.String() + " x 1", "x 1 1", ada.String() + " 1 1 1"} {
		if got, ok := parseToken(text); ok {
			t.Errorf("parseToken(%q) = %+v", text, got)
		}
	}
}

func TestAGuestsRecordIsAGuest(t *testing.T) {
	stamp := commerce.Stamp{Counter: 4, Writer: 5, Sequence: 6}
	got, err := decodeContact(string(guestRecord(&commerce.Guest{ID: uuid.Nil, Email: "a@b.co", At: noon}, stamp)))
	if err != nil {
		t.Fatal(err)
	}
	want := contact{contactHead: contactHead{guest: true}, contactBody: contactBody{Email: "a@b.co", CreatedAt: noon}}
	if got.Stamp != stamp || !reflect.DeepEqual(*got.State, want) {
		t.Errorf("guest record %+v %+v, want %+v", got.Stamp, *got.State, want)
	}
}

// The state that the rules know has everything that the record has, both ways.
func TestAContactsStateHasItsWholeRecord(t *testing.T) {
	d := seeded(t)
	key := commerce.RecordKey{Store: shopID, ID: ada}
	filled := map[string]bool{} // by some record
	for range 300 {
		want := d.contact()
		want.State.UpdatedAt, want.State.Own = d.time(), commerce.ProfileFields(d.IntN(8))
		if d.IntN(2) == 0 {
			want.State.Reset = storedToken{Hash: hexText(make([]byte, 32)), ExpiresAt: d.time()}
		}
		for range d.IntN(3) {
			hash := commerce.HashSecret([]byte(d.text()))
			want.State.Tokens = append(want.State.Tokens, storedToken{Hash: hexText(hash[:]), ExpiresAt: d.time()})
		}
		text := string(appendContact(nil, want))
		got, err := decodeContactState(key, text)
		if err != nil || got.State.ID != ada {
			t.Fatalf("%v, %+v", err, got)
		}
		if again := string(appendContactState(nil, &got)); again != text {
			t.Fatalf("becomes %q\nwas     %q", again, text)
		}
		for i := range reflect.ValueOf(*got.State).NumField() {
			field := reflect.TypeOf(*got.State).Field(i).Name
			filled[field] = filled[field] || !reflect.ValueOf(*got.State).Field(i).IsZero()
		}
	}
	for field, ok := range filled {
		if !ok {
			t.Errorf("no record fills %s: it is not carried", field)
		}
	}
	for _, corrupt := range []func(*contact){
		func(c *contact) { c.Reset.Hash = "x" },
		func(c *contact) { c.Tokens = []storedToken{{Hash: "00"}} },
	} {
		broken := d.contact()
		corrupt(broken.State)
		if _, err := decodeContactState(key, string(appendContact(nil, broken))); err != errCorrupt {
			t.Errorf("a corrupt hash: %v, want errCorrupt", err)
		}
	}
	if _, err := decodeContactState(key, "x"); err != errCorrupt {
		t.Errorf("no record: %v", err)
	}
}

func FuzzDecodeContact(f *testing.F) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	f.Add([]byte(nil))
	for range 4 {
		f.Add(appendContact(nil, d.contact()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := decodeContact(string(b))
		if err != nil {
			return
		}
		once := appendContact(nil, &first)
		second, err := decodeContact(string(once))
		if err != nil {
			t.Fatalf("what was decoded cannot be read back: %v", err)
		}
		if twice := appendContact(nil, &second); string(twice) != string(once) {
			t.Fatalf("encodes to %q\n and then %q", once, twice)
		}
	})
}
