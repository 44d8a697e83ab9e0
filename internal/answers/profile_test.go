package answers

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The encoding equals that of encoding/json, for texts of every kind.
func TestContactsAreEncodedAsJSON(t *testing.T) {
	id := uuid.UUID{5}
	store := &commerce.Store{Groups: []commerce.CustomerGroup{{ID: id, Name: "Trade <&>"}}}
	for _, text := range []string{"", "Ada", "a\"b\\c/<&>", "tab\there", "é\u2028\U0001F600", "\xff\x00"} {
		for _, in := range []bool{true, false} {
			c := &commerce.Contact{
				ID: id, B2B: in, Email: "a@b", FirstName: text, LastName: text, Phone: text, CompanyName: text, RegistrationNumber: text,
				VATID: text, ReverseCharge: in, ExternalID: text, CreatedAt: noon.Add(time.Millisecond).In(time.FixedZone("", 3600)),
			}
			var group any
			if in {
				c.GroupID, group = id, object{"id", id, "name", "Trade <&>"}
			}
			value := orNull(text)
			want := slowJSON(object{
				"id", id, "kind", c.Kind(), "email", "a@b", "first_name", value, "last_name", value, "phone", value, "display_name", orNull(c.DisplayName()),
				"company_name", value, "registration_number", value, "vat_id", value, "reverse_charge", in, "external_id", value,
				"customer_group", group, "created_at", "2026-11-20T12:00:00Z",
			})
			if got := string(Profile.Append(nil, ProfileView{Contact: c, Store: store})); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			a := commerce.Address{ID: id, Type: "work", Label: text, IsDefault: in, Name: text, Street: text, PostalCode: text, City: text, Country: "NL", Phone: text}
			want = slowJSON(object{
				"id", id, "type", "work", "label", value, "is_default", in, "name", text, "street", text, "postal_code", text, "city", text,
				"country", "NL", "phone", value,
			})
			if got := string(Address.Append(nil, &a)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
	gone := &commerce.Contact{ID: id, GroupID: uuid.UUID{6}}
	if got := string(Profile.Append(nil, ProfileView{Contact: gone, Store: store})); !strings.Contains(got, `"customer_group":null`) {
		t.Errorf("a group that the store lacks: %s", got)
	}
	if got := string(AddressesAnswer.Append(nil, gone)); got != `{"data":[]}` {
		t.Errorf("no addresses: %s", got)
	}
}
