package commerce

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// docs/api/customers.md#accounts-that-live-elsewhere
func TestExternalAccount(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	text := func(s string) *string { return &s }
	yes, no := true, false
	account := func(change func(*Contact)) *Contact {
		c := &Contact{Email: "a@b", FirstName: "A", Phone: "1", Approved: true, ExternalID: "x", PasswordHash: "old", Session: 7}
		if change != nil {
			change(c)
		}
		return c
	}
	for _, c := range []struct {
		rule    string
		before  *Contact
		sent    ExternalAccount
		hash    string
		want    *Contact
		changed bool
	}{
		{"nothing new", account(nil), ExternalAccount{Email: "a@b", FirstName: text("A")}, "", account(nil), false},
		{"absent fields stay, an empty text is null", account(nil), ExternalAccount{Email: "a@b", FirstName: text("")}, "",
			account(func(c *Contact) { c.FirstName, c.Own = "", OwnFirstName }), true},
		{"another address", account(nil), ExternalAccount{Email: "c@d"}, "", account(func(c *Contact) { c.Email, c.Own = "c@d", OwnEmail }), true},
		{"a password ends no session", account(nil), ExternalAccount{Email: "a@b"}, "new", account(func(c *Contact) { c.PasswordHash = "new" }), true},
		{"a consumer becomes a business", account(nil), ExternalAccount{Email: "a@b", B2B: &yes, CompanyName: text("C")}, "",
			account(func(c *Contact) { c.B2B, c.Approved, c.CompanyName, c.Own = true, false, "C", OwnCompany }), true},
		{"one that the operator has approved", account(func(c *Contact) { c.Own = OwnApproved }), ExternalAccount{Email: "a@b", B2B: &yes}, "",
			account(func(c *Contact) { c.B2B, c.Own = true, OwnApproved|OwnCompany }), true},
		{"a business becomes a consumer", account(func(c *Contact) { c.B2B, c.Approved = true, false }), ExternalAccount{Email: "a@b", B2B: &no}, "",
			account(func(c *Contact) { c.Own = OwnCompany }), true},
		{"company", account(nil), ExternalAccount{Email: "a@b", RegistrationNumber: text("1"), VATID: text("2"), LastName: text("L"), Phone: text("")}, "",
			account(func(c *Contact) {
				c.RegistrationNumber, c.VATID, c.LastName, c.Phone, c.Own = "1", "2", "L", "", OwnCompany|OwnLastName|OwnPhone
			}), true},
	} {
		was := *c.before
		got, changed := c.sent.Change(c.before, c.hash, now)
		if c.changed {
			c.want.UpdatedAt = now
		}
		c.want.Addresses = got.Addresses
		if !reflect.DeepEqual(got, c.want) || changed != c.changed || !reflect.DeepEqual(*c.before, was) {
			t.Errorf("%s: %+v, %v\nwant %+v, %v", c.rule, got, changed, c.want, c.changed)
		}
	}
	sent := ExternalAccount{ExternalID: "x", Email: "a@b", B2B: &yes, CompanyName: text("C")}
	want := &Contact{Email: "a@b", B2B: true, CompanyName: "C", ExternalID: "x", PasswordHash: "hash", CreatedAt: now, UpdatedAt: now}
	if got := sent.Make("hash", now); !reflect.DeepEqual(got, want) {
		t.Errorf("made %+v\nwant %+v", got, want)
	}
}

// A body that sends the kind or the company's name leaves no business without a name, whatever else it
// sends: docs/api/customers.md#accounts-that-live-elsewhere.
func TestExternalBusinessHasAName(t *testing.T) {
	text := func(s string) *string { return &s }
	yes, no := true, false
	business := &Contact{Email: "a@b", B2B: true, CompanyName: "C"}
	consumer, nameless := &Contact{Email: "a@b", CompanyName: "C"}, &Contact{Email: "a@b", B2B: true}
	required := []string{"company_name: The company name field is required."}
	for _, c := range []struct {
		rule   string
		before *Contact
		sent   ExternalAccount
		want   []string
	}{
		{"a new consumer", nil, ExternalAccount{}, nil},
		{"a new business", nil, ExternalAccount{B2B: &yes}, required},
		{"a new business with a name", nil, ExternalAccount{B2B: &yes, CompanyName: text("C")}, nil},
		{"the kind alone, of an account with a name", consumer, ExternalAccount{B2B: &yes}, nil},
		{"the kind again", business, ExternalAccount{B2B: &yes}, nil},
		{"the kind, of an account without a name", &Contact{Email: "a@b"}, ExternalAccount{B2B: &yes}, required},
		{"a business loses its name", business, ExternalAccount{CompanyName: text("")}, required},
		{"a business loses its name with its kind sent", business, ExternalAccount{B2B: &yes, CompanyName: text("")}, required},
		{"a business becomes a consumer without a name", business, ExternalAccount{B2B: &no, CompanyName: text("")}, nil},
		{"a consumer loses a name", consumer, ExternalAccount{CompanyName: text("")}, nil},
		{"neither is sent: an imported business without a name can log in", nameless, ExternalAccount{FirstName: text("A")}, nil},
		{"an imported business without a name gets one", nameless, ExternalAccount{CompanyName: text("C")}, nil},
	} {
		c.sent.Email = "a@b"
		if got := faultLines(c.sent.Judge(c.before)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
	sent := ExternalAccount{B2B: &yes}
	sent.Faults.Add("email", MsgRequired("email"))
	sent.Faults.Add("phone", MsgString("phone"))
	want := []string{"email: The email field is required.", required[0], "phone: The phone field must be a string."}
	for range 2 { // a conflict judges again
		if got := faultLines(sent.Judge(nil)); !slices.Equal(got, want) {
			t.Errorf("with other faults: %q, want %q", got, want)
		}
	}
}

// faultLines are the faults of a refusal, "field: message".
func faultLines(r *Refusal) (lines []string) {
	if r == nil {
		return nil
	}
	for _, fault := range r.Fields {
		for _, message := range fault.Messages {
			lines = append(lines, fault.Field+": "+message.Text())
		}
	}
	return lines
}
