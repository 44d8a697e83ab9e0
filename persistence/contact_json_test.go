package persistence

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// formerContact is a record as the release before the packed format wrote it.
func formerContact(t testing.TB) string {
	b, err := os.ReadFile("testdata/contact.1")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// jsonRecord is a record of format 1 with this body.
func jsonRecord(r *engine.Record[*commerce.Contact], body string) []byte {
	b := appendContactHead(appendStamp([]byte{1}, r.Stamp), headOf(r.State))
	return appendText(appendWriters(b, r.Writers), body)
}

func TestAContactOfTheFormerFormatIsRead(t *testing.T) {
	at := func(ms int) time.Time { return time.Date(2026, 11, 20, 13, 20, 32, ms*1e6, time.UTC) }
	id := uuid.MustParse
	want := commerce.Contact{
		ID: ada, B2B: true, Approved: true, GroupID: id("be000000-0000-4000-8000-600000000001"),
		Email: "visitor-0@bench.example.com", FirstName: "Ada", LastName: "King", Phone: "+31 6",
		CompanyName: `Engines "Ltd"`, RegistrationNumber: "R1", VATID: "NL1", ExternalID: "X-1",
		PasswordHash: "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z1Z3Z1Z3Z1Z3Z1Z3Z1Z3Z1Z3",
		Own:          commerce.OwnLastName | commerce.OwnPhone,
		CreatedAt:    at(0), UpdatedAt: at(944),
		Addresses: []commerce.Address{
			{
				ID: id("e8bb4d68-461a-4e1a-b3b9-c19c0ca633d9"), Type: "work", Label: "Büro", IsDefault: true, Name: "Ada",
				Street: "Eén 1", PostalCode: "1", City: "A", Country: "NL", Phone: "7",
			},
			{
				ID: id("c12e8819-98d7-4661-9490-8708a2945d20"), Type: "shipping", Name: "Last",
				Street: "Three 3", PostalCode: "3", City: "C", Country: "DE",
			},
		},
		Deleted: []commerce.DeletedAddress{{At: at(935), Address: commerce.Address{
			ID: id("8991f318-ca5e-4aec-b530-0d1d62b437f8"), Type: "shipping", Name: "Gone",
			Street: "Two 2", PostalCode: "2", City: "B", Country: "BE",
		}}},
		Tokens: []commerce.CustomerToken{{
			Hash: commerce.HashSecret([]byte("cartbench-token-0000-0000")), ExpiresAt: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		}},
	}
	key := engine.RecordKey{ID: ada}
	got, err := decodeContact(key, formerContact(t))
	if err != nil || !reflect.DeepEqual(*got.State, want) || got.Stamp.Counter != 6 || len(got.Writers) != 1 {
		t.Fatalf("read as %+v, %v\n%+v\nwant %+v", got, err, got.State, want)
	}
	again, err := decodeContact(key, string(appendContact(nil, &got)))
	got.State.Deleted = nil // put aside with the commit
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("written and read again it is %+v, %v\nwant %+v", again.State, err, got.State)
	}
}

func TestACorruptContactOfTheFormerFormatIsTold(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	record := seeded(t).contact()
	for body, ok := range map[string]bool{
		`{"email":"a@b.co"}`: true,
		`{"reset":{"sha256":"` + hash + `","expires_at":"2026-11-20T12:00:00Z"}}`: true,
		`{"reset":{"sha256":"x"}}`:                false,
		`{"reset":{"sha256":"` + hash[2:] + `"}}`: false,
		`{"tokens":[{"sha256":"00"}]}`:            false,
		`{`:                                       false,
		``:                                        false,
	} {
		got, err := decodeContact(engine.RecordKey{}, string(jsonRecord(record, body)))
		if (err == nil) != ok {
			t.Errorf("%s: %v", body, err)
		}
		if ok && strings.Contains(body, hash) && (len(got.State.Resets) != 1 || got.State.Resets[0].Hash[0] != 0xab || !got.State.Resets[0].ExpiresAt.Equal(noon)) {
			t.Errorf("the resets are %+v", got.State.Resets)
		}
	}
}
