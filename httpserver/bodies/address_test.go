package bodies

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/answers"
)

const wholeAddress = `{"type":"work","label":"L","is_default":true,"name":"N","street":"S","postal_code":"P","city":"C","country":"NL","phone":"1"}`

// docs/api/contract.md#requests, Booleans.
func TestSpellingsOfTrueAndFalse(t *testing.T) {
	for text, want := range map[string]string{
		"true": "true", "1": "true", `"1"`: "true", `"\u0031"`: "true", "false": "false", "0": "false", `"0"`: "false",
		"null": "", "2": "", "-0": "", "1.0": "", "1e0": "", `"true"`: "", `"1 "`: "", `""`: "", "[]": "", "[true]": "", "{}": "", `"on"`: "",
	} {
		sent, fault := AddressPatch.Read(Parse([]byte(`{"is_default":` + text + `}`)))
		got := ""
		if fault == nil {
			got = fmt.Sprint(*sent.IsDefault)
		} else if fault.Message != "The is default field must be true or false." {
			t.Errorf("%s: %v", text, fault)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

// Every field at its limit and one character beyond, in code points, after trimming.
func TestLengthsOfAddressFields(t *testing.T) {
	for _, c := range []struct {
		field   string
		longest int
	}{
		{"label", 50}, {"name", 150}, {"street", 255}, {"postal_code", 20}, {"city", 100}, {"phone", 50},
	} {
		body := func(n int) []byte {
			return []byte(`{"` + c.field + `":"\u00a0` + strings.Repeat("é", n) + ` \ufeff"}`)
		}
		if _, fault := AddressPatch.Read(Parse(body(c.longest))); fault != nil {
			t.Errorf("%s of %d characters: %v", c.field, c.longest, fault)
		}
		want := commerce.MsgMaxCharacters(c.field, c.longest).Text()
		if _, fault := AddressPatch.Read(Parse(body(c.longest + 1))); fault == nil || fault.Message != want {
			t.Errorf("%s of %d characters: %v, want %q", c.field, c.longest+1, fault, want)
		}
	}
	for text, ok := range map[string]bool{"NL": true, "nl": true, "ÅÅ": true, "??": true, " N L ": false, "N": false, "NLD": false, " NL\u200b": true} {
		if _, fault := AddressPatch.Read(Parse([]byte(`{"country":"` + text + `"}`))); (fault == nil) != ok {
			t.Errorf("country %q: %v, want %v", text, fault, ok)
		}
	}
}

// A wrong value of a required field, and of the type.
func TestWrongAddressFields(t *testing.T) {
	const noType, textType = "type: The selected type is invalid.", "type: The type field must be a string."
	for _, c := range []struct{ member, want string }{
		{`"street":null`, "street: The street field is required."}, {`"postal_code":" \u00a0\ufeff"`, "postal_code: The postal code field is required."},
		{`"city":[]`, "city: The city field is required."}, {`"country":""`, "country: The country field is required."}, {`"name":7`,
			"name: The name field must be a string."},
		{`"type":"home"`, noType}, {`"type":null`, noType}, {`"type":" "`, noType}, {`"type":1`, textType},
	} {
		body := strings.TrimSuffix(wholeAddress, "}") + "," + c.member + "}" // the last of two members counts
		if _, fault := AddressAdd.Read(Parse([]byte(body))); faultsOf(fault) != c.want {
			t.Errorf("add with %s: %s, want %s", c.member, faultsOf(fault), c.want)
		}
		if _, fault := AddressPatch.Read(Parse([]byte("{" + c.member + "}"))); faultsOf(fault) != c.want {
			t.Errorf("patch with %s: %s, want %s", c.member, faultsOf(fault), c.want)
		}
	}
}

func TestAPatchKeepsAbsentFields(t *testing.T) {
	sent, fault := AddressPatch.Read(Parse([]byte(`{"unknown":1}`)))
	if fault != nil || sent != (commerce.AddressFields{}) {
		t.Errorf("nothing sent: %+v, %v", sent, fault)
	}
	sent, fault = AddressPatch.Read(Parse([]byte(`{"label":" ","phone":null}`)))
	kept := commerce.Address{Label: "L", Name: "N", Phone: "1"}
	if sent.Set(&kept); fault != nil || kept != (commerce.Address{Name: "N"}) {
		t.Errorf("null and blank: %+v, %v", kept, fault)
	}
	added, fault := addressOf([]byte(wholeAddress))
	want := commerce.Address{Type: "work", Label: "L", IsDefault: true, Name: "N", Street: "S", PostalCode: "P", City: "C", Country: "NL", Phone: "1"}
	if fault != nil || added != want {
		t.Errorf("everything sent: %+v, %v", added, fault)
	}
}

// addressOf reads the body of a new address.
func addressOf(body []byte) (a commerce.Address, fault *commerce.Refusal) {
	sent, fault := AddressAdd.Read(Parse(body))
	sent.Set(&a)
	return a, fault
}

func FuzzDecodeAddressAdd(f *testing.F) {
	for _, seed := range []string{"", "{}", "[", wholeAddress, `{"type":null,"is_default":"1","name":[],"country":"\u0000\u0000"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, fault := addressOf(body)
		checkFault(t, string(body), fault)
		if fault != nil {
			return
		}
		checkAddress(t, body, &a)
		again, fault := addressOf(answers.Address.Append(nil, &a)) // an accepted address reads back the same
		if again.ID = a.ID; fault != nil || again != a {
			t.Errorf("%q: read %+v, then %+v (%v)", body, a, again, fault)
		}
	})
}

// checkAddress checks that an address is within the limits of the specification.
func checkAddress(t *testing.T, body []byte, a *commerce.Address) {
	t.Helper()
	for _, c := range []struct {
		text              string
		shortest, longest int
	}{
		{a.Type, 4, 8}, {a.Label, 0, 50}, {a.Name, 1, 150}, {a.Street, 1, 255}, {a.PostalCode, 1, 20},
		{a.City, 1, 100}, {a.Country, 2, 2}, {a.Phone, 0, 50},
	} {
		if n := utf8.RuneCountInString(c.text); n < c.shortest || n > c.longest || commerce.Trim(c.text) != c.text {
			t.Errorf("%q: accepted %q, want %d to %d characters without space around them", body, c.text, c.shortest, c.longest)
		}
	}
}

func FuzzDecodeAddressPatch(f *testing.F) {
	for _, seed := range []string{"", "{}", wholeAddress, `{"type":" billing ","label":null}`, `{"name":null}`, `{"name":"a","name":7}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sent, fault := AddressPatch.Read(Parse(body))
		checkFault(t, string(body), fault)
		if fault != nil {
			return
		}
		a, _ := addressOf([]byte(wholeAddress))
		sent.Set(&a)
		checkAddress(t, body, &a)
	})
}
