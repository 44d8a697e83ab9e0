package persistence

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

func (d dice) contact() *engine.Record[*commerce.Contact] {
	c := &commerce.Contact{
		Guest: d.IntN(2) == 0, B2B: d.IntN(2) == 0, Approved: d.IntN(2) == 0, Session: d.Uint64(), GroupID: d.id(),
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
	return commerce.Address{
		ID: d.id(), Type: d.text(), Label: d.text(), IsDefault: d.IntN(2) == 0, Name: d.text(), Street: d.text(),
		PostalCode: d.text(), City: d.text(), Country: d.text(), Phone: d.text(),
	}
}

// moment is any time that a document may name.
func (d dice) moment() time.Time {
	return time.Date(d.IntN(10000), 1, 1, 0, 0, d.IntN(1e9), d.IntN(1e9), time.UTC)
}

func TestAContactSurvivesItsRecord(t *testing.T) {
	d := seeded(t)
	for range 300 {
		want := d.contact()
		want.State.ID = ada
		got, err := decodeContact(engine.RecordKey{ID: ada}, string(appendContact(nil, want)))
		if err != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("got %+v, %v\n%+v\nwant %+v\n%+v", got, err, got.State, want, want.State)
		}
	}
}

func TestACutContactRecordIsCorrupt(t *testing.T) {
	whole := string(appendContact(nil, seeded(t).contact()))
	for n := range whole {
		if got, err := decodeContact(engine.RecordKey{}, whole[:n]); err != errCorrupt || got.State != nil {
			t.Fatalf("the first %d of %d bytes decode to %+v, %v", n, len(whole), got, err)
		}
	}
}

// nextContact encodes a contact as the next format would: whatever it adds stands at
// the end of a block or of the record.
func nextContact(r *engine.Record[*commerce.Contact]) []byte {
	c := r.State
	more := func(fill func([]byte) []byte) func([]byte) []byte {
		return func(b []byte) []byte { return append(fill(b), "appended"...) }
	}
	b := appendContactHead(appendStamp([]byte{contactFormat + 1}, r.Stamp), c)
	b = appendBlock(appendWriters(b, r.Writers), more(func(b []byte) []byte { return appendContactFields(b, c) }))
	b = append(b, byte(len(c.Addresses)))
	for i := range c.Addresses {
		b = appendBlock(b, more(func(b []byte) []byte { return appendAddress(b, &c.Addresses[i]) }))
	}
	b = append(b, byte(len(c.Tokens)))
	for _, token := range c.Tokens {
		b = appendBlock(b, more(func(b []byte) []byte { return appendMoment(append(b, token.Hash[:]...), token.ExpiresAt) }))
	}
	return append(b, "appended"...)
}

func TestWhatTheNextFormatAppendsToAContactIsIgnored(t *testing.T) {
	d := seeded(t)
	for range 100 {
		want := d.contact()
		got, err := decodeContact(engine.RecordKey{}, string(nextContact(want)))
		if err != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("got %+v, %v\n%+v\nwant %+v\n%+v", got, err, got.State, want, want.State)
		}
	}
}

func TestWhatATokenResolvesTo(t *testing.T) {
	account := &commerce.Contact{B2B: true, Approved: true, Session: 7, GroupID: tradeGroup}
	guest := *account
	guest.Guest = true
	valid := tokenText(ada, noon.Add(time.Millisecond), 7)
	session := commerce.Session{ExpiresAt: noon.UnixMilli() + 1, Number: 7}
	known := commerce.Visitor{Known: true, CustomerID: ada, GroupID: tradeGroup, B2B: true, Approved: true, Session: session}
	nobody := commerce.Visitor{}
	for _, c := range []struct {
		rule  string
		reply any
		want  commerce.Visitor
	}{
		{"valid", []any{valid, recordHead(account)}, known},
		{"without a group", []any{valid, recordHead(&commerce.Contact{Session: 7})}, commerce.Visitor{Known: true, CustomerID: ada, Session: session}},
		{"at its expiry", []any{tokenText(ada, noon, 7), recordHead(account)}, nobody},
		{"past its expiry", []any{tokenText(ada, noon.Add(-time.Hour), 7), recordHead(account)}, nobody},
		{"of an ended session", []any{tokenText(ada, noon.Add(time.Hour), 6), recordHead(account)}, nobody},
		{"of a session to come", []any{tokenText(ada, noon.Add(time.Hour), 8), recordHead(account)}, nobody},
		{"of a guest", []any{valid, recordHead(&guest)}, nobody},
		{"of a contact that is gone", []any{valid, ""}, nobody},
		{"unknown", []any{}, nobody},
		{"no reply", nil, nobody},
	} {
		text, _, err := parseTokenReply(shopID, commerce.KeyHash{}, c.reply)
		if err != nil {
			t.Errorf("a token %s: %v", c.rule, err)
		}
		if got := resolveToken(commerce.KeyHash{}, text, noon); got != c.want {
			t.Errorf("a token %s resolves to %+v, want %+v", c.rule, got, c.want)
		}
	}
}

func TestTokenOfAContactThatCannotBeRead(t *testing.T) {
	head, valid := recordHead(&commerce.Contact{Session: 7}), tokenText(ada, noon.Add(time.Hour), 7)
	for what, contact := range map[string]any{"cut": head[:20], "of a format to come": "\xff" + head[1:], "of another type": int64(0)} {
		_, _, err := parseTokenReply(shopID, commerce.KeyHash{}, []any{valid, contact})
		if want := brokenKey(contactKey(engine.RecordKey{Store: shopID, ID: ada})); err != want {
			t.Errorf("a contact %s: %v, want %v", what, err, want)
		}
	}
}

func TestTokenThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "no token", ada.String(), ada.String() + " soon 7"} {
		_, _, err := parseTokenReply(shopID, commerce.KeyHash{1}, []any{text, ""})
		if want := brokenKey(tokenKey(shopID, commerce.KeyHash{1})); err != want {
			t.Errorf("a token %q: %v, want %v", text, err, want)
		}
	}
}

// recordHead is a contact's record as far as the token script returns it.
func recordHead(h *commerce.Contact) string {
	record := appendContact(nil, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: h})
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
	stamp := engine.Stamp{Counter: 4, Writer: 5, Sequence: 6}
	got, err := decodeContact(engine.RecordKey{}, string(guestRecord(&commerce.Guest{ID: uuid.Nil, Email: "a@b.co", At: noon}, stamp)))
	if err != nil {
		t.Fatal(err)
	}
	want := commerce.Contact{Guest: true, Email: "a@b.co", CreatedAt: noon}
	if got.Stamp != stamp || !reflect.DeepEqual(*got.State, want) {
		t.Errorf("guest record %+v %+v, want %+v", got.Stamp, *got.State, want)
	}
}

// What the rules know of a contact is in its record, every field of it.
func TestARecordCarriesAContactsWholeState(t *testing.T) {
	d := seeded(t)
	filled := map[string]bool{"ID": true} // the key's
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
		first, err := decodeContact(engine.RecordKey{}, string(b))
		if err != nil {
			return
		}
		once := appendContact(nil, &first)
		second, err := decodeContact(engine.RecordKey{}, string(once))
		if err != nil {
			t.Fatalf("what was decoded cannot be read back: %v", err)
		}
		if twice := appendContact(nil, &second); string(twice) != string(once) {
			t.Fatalf("encodes to %q\n and then %q", once, twice)
		}
	})
}
