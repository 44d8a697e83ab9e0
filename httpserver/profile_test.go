package httpserver

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// viaJSON encodes a value with encoding/json, without HTML escaping.
func viaJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// The encoding equals that of encoding/json, for texts of every kind.
func TestContactsAreEncodedAsJSON(t *testing.T) {
	type group struct {
		ID   uuid.UUID `json:"id"`
		Name string    `json:"name"`
	}
	type profile struct {
		ID            uuid.UUID `json:"id"`
		Kind          string    `json:"kind"`
		Email         string    `json:"email"`
		First         any       `json:"first_name"`
		Last          any       `json:"last_name"`
		Phone         any       `json:"phone"`
		Display       any       `json:"display_name"`
		Company       any       `json:"company_name"`
		Registration  any       `json:"registration_number"`
		VATID         any       `json:"vat_id"`
		External      any       `json:"external_id"`
		CustomerGroup *group    `json:"customer_group"`
		CreatedAt     string    `json:"created_at"`
	}
	type address struct {
		ID         uuid.UUID `json:"id"`
		Type       string    `json:"type"`
		Label      any       `json:"label"`
		IsDefault  bool      `json:"is_default"`
		Name       string    `json:"name"`
		Street     string    `json:"street"`
		PostalCode string    `json:"postal_code"`
		City       string    `json:"city"`
		Country    string    `json:"country"`
		Phone      any       `json:"phone"`
	}
	id := uuid.MustParse(testContact)
	store := sampleStore()
	store.Groups = []commerce.CustomerGroup{{ID: id, Name: "Trade <&>"}}
	for _, text := range []string{"", "Ada", "a\"b\\c/<&>", "tab\there", "é\u2028\U0001F600", "\xff\x00"} {
		for _, in := range []bool{true, false} {
			c := &commerce.Contact{
				ID: id, B2B: in, Email: "a@b", FirstName: text, LastName: text, Phone: text, CompanyName: text, RegistrationNumber: text,
				VATID: text, ExternalID: text, CreatedAt: testNow.Add(time.Millisecond).In(time.FixedZone("", 3600)),
			}
			want := profile{ID: id, Kind: c.Kind(), Email: "a@b", First: orNil(text), Last: orNil(text), Phone: orNil(text), Display: orNil(c.DisplayName()), Company: orNil(text),
				Registration: orNil(text), VATID: orNil(text), External: orNil(text), CreatedAt: "2026-11-20T10:00:00Z"}
			if in {
				c.GroupID, want.CustomerGroup = id, &group{id, "Trade <&>"}
			}
			if got := string(AppendProfile(nil, c, store)); got != viaJSON(t, want) {
				t.Errorf("got  %s\nwant %s", got, viaJSON(t, want))
			}
			a := commerce.Address{ID: id, Type: "work", Label: text, IsDefault: in, Name: text, Street: text, PostalCode: text, City: text, Country: "NL", Phone: text}
			wantAddress := address{id, "work", orNil(text), in, text, text, text, text, "NL", orNil(text)}
			if got := string(appendAddress(nil, &a)); got != viaJSON(t, wantAddress) {
				t.Errorf("got  %s\nwant %s", got, viaJSON(t, wantAddress))
			}
		}
	}
	gone := &commerce.Contact{ID: id, GroupID: uuid.MustParse(testCart)}
	if got := string(AppendProfile(nil, gone, store)); !bytes.Contains([]byte(got), []byte(`"customer_group":null`)) {
		t.Errorf("a group that the store lacks: %s", got)
	}
	if got := string(appendAddresses(nil, gone)); got != `{"data":[]}` {
		t.Errorf("no addresses: %s", got)
	}
}
