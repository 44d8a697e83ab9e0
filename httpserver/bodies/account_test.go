package bodies

import (
	"slices"
	"testing"
	"unicode/utf8"

	"cartd/commerce"
)

func TestAPasswordKeepsItsSpaces(t *testing.T) {
	for body, want := range map[string]string{
		`{"email":"a@b","password":" x\u00a0"}`:         " x\u00a0",
		`{"email":" A@B ","password":"\ud83d\ude00  "}`: "\U0001F600  ",
	} {
		if r, fault := Login.Read(Parse([]byte(body))); fault != nil || r.Password != want || r.Email != "a@b" {
			t.Errorf("%s: %q, %q, %v; want %q", body, r.Email, r.Password, fault, want)
		}
	}
}

// The rules of a new password, in order.
func TestNewPasswords(t *testing.T) {
	const (
		required  = "The password field is required."
		text      = "The password field must be a string."
		short     = "The password field must be at least 8 characters."
		unlike    = "The password field confirmation does not match."
		confirmed = `,"password_confirmation":`
	)
	for body, want := range map[string][]string{
		`"password":"12345678"` + confirmed + `"12345678"`:     nil,
		`"password":"éééééééé"` + confirmed + `"éééééééé"`:     nil,
		`"password":"       1"` + confirmed + `"       1"`:     nil,
		`"password":"12345678"`:                                {unlike},
		`"password":"12345678"` + confirmed + `"12345678 "`:    {unlike},
		`"password":"1234567"` + confirmed + `"1234567"`:       {short},
		`"password":"1"` + confirmed + `"2"`:                   {short, unlike},
		`"password":12345678` + confirmed + `12345678`:         {text},
		`"password":null` + confirmed + `null`:                 {required},
		`"password":"          "` + confirmed + `"          "`: {required},
		`"password":[]`: {required},
		`"password":["12345678"]` + confirmed + `["12345678"]`: {text},
	} {
		_, fault := PasswordChange.Read(Parse([]byte(`{"current_password":"x",` + body + `}`)))
		var got []string
		if fault != nil {
			got = fault.Fields[0].Texts()
		}
		if len(got) != len(want) || len(want) > 0 && got[0] != want[0] || len(want) > 1 && got[1] != want[1] {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// Each field of the company is validated for both kinds, and only b2b needs the company's name.
func TestCompanyOfARegistration(t *testing.T) {
	const needed = "company_name: The company name field is required."
	long := func(field string, n int) string { return `,"` + field + `":"` + longText(n) + `"` }
	for _, c := range []struct{ members, want string }{
		{``, ""}, {`,"kind":null,"company_name":" ","vat_id":null`, ""}, {`,"kind":" "`, ""}, {`,"kind":"b2b","company_name":"Co"`, ""},
		{`,"kind":"b2x"`, "kind: The selected kind is invalid."},
		{`,"kind":"b2b"`, needed}, {`,"kind":"b2b","company_name":null`, needed}, {`,"kind":"b2b","company_name":" "`, needed},
		{`,"kind":"b2b"` + long("phone", 51) + long("vat_id", 51),
			needed + "; vat_id: The vat id field must not be greater than 50 characters.; phone: The phone field must not be greater than 50 characters."},
	} {
		if _, fault := Register.Read(Parse([]byte(`{"email":"a@b.co","password":"12345678"` + c.members + `}`))); faultsOf(fault) != c.want {
			t.Errorf("%s: %s; want %s", c.members, faultsOf(fault), c.want)
		}
	}
	for field, longest := range map[string]int{"company_name": 255, "registration_number": 50, "vat_id": 50, "phone": 50} {
		for _, kind := range []string{"b2c", "b2b"} {
			body := func(n int) []byte {
				return []byte(`{"email":"a@b.co","password":"12345678","company_name":"Co","kind":"` + kind + `"` + long(field, n) + `}`)
			}
			if _, fault := Register.Read(Parse(body(longest))); fault != nil {
				t.Errorf("%s of %d characters: %v", field, longest, fault)
			}
			if _, fault := Register.Read(Parse(body(longest + 1))); fault == nil || fault.Message != commerce.MsgMaxCharacters(field, longest).Text() {
				t.Errorf("%s of %d characters: %v", field, longest+1, fault)
			}
		}
	}
}

// secrets are the addresses and passwords of an account body.
type secrets struct{ email, password, current string }

// accountDecoders are all decoders of account bodies, with one signature.
var accountDecoders = []func([]byte) (secrets, *commerce.Refusal){
	func(body []byte) (secrets, *commerce.Refusal) {
		r, fault := Register.Read(Parse(body))
		return secrets{email: r.Email, password: r.Password}, fault
	},
	func(body []byte) (secrets, *commerce.Refusal) {
		c, fault := Login.Read(Parse(body))
		return secrets{email: c.Email, password: c.Password}, fault
	},
	func(body []byte) (secrets, *commerce.Refusal) {
		email, fault := ForgotPassword.Read(Parse(body))
		return secrets{email: email}, fault
	},
	func(body []byte) (secrets, *commerce.Refusal) {
		p, fault := PasswordReset.Read(Parse(body))
		return secrets{email: p.Email, password: p.Password}, fault
	},
	func(body []byte) (secrets, *commerce.Refusal) {
		p, fault := PasswordChange.Read(Parse(body))
		return secrets{password: p.Password, current: p.Current}, fault
	},
}

func TestAccountFieldsAreCheckedInOrder(t *testing.T) {
	for i, want := range [][]string{
		{"email", "password", "first_name"},
		{"email", "password"},
		{"email"},
		{"token", "email", "password"},
		{"current_password", "password"},
	} {
		_, fault := accountDecoders[i]([]byte(`{"first_name":[1],"password":1,"email":1,"token":null}`))
		var got []string
		for _, f := range fault.Fields {
			got = append(got, f.Field)
		}
		if !slices.Equal(got, want) {
			t.Errorf("errors of %q, want %q", got, want)
		}
	}
}

func FuzzDecodeAccountBodies(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", `{"email":"A@b.co","password":"12345678","first_name":"A","last_name":null}`,
		`{"token":"t","email":"a@b","password":"12345678","password_confirmation":"12345678"}`,
		`{"current_password":"x","password":"12345678","password_confirmation":"12345678"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, decode := range accountDecoders {
			r, fault := decode(body)
			checkFault(t, string(body), fault)
			if fault != nil {
				continue
			}
			sets := i == 0 || i > 2
			if sets && utf8.RuneCountInString(r.password) < commerce.MinPassword || i != 2 && r.password == "" || i == 4 && r.current == "" {
				t.Errorf("body %d, %q: accepted the password %q", i, body, r.password)
			}
			if lower, ok := commerce.ParseEmail(r.email); i != 4 && (!ok || lower != r.email) {
				t.Errorf("body %d, %q: accepted the address %q", i, body, r.email)
			}
		}
		patch, fault := ProfilePatch.Read(Parse(body))
		checkFault(t, string(body), fault)
		if fault == nil && patch.Phone != nil && utf8.RuneCountInString(*patch.Phone) > commerce.MaxPhone {
			t.Errorf("%q: accepted the phone %q", body, *patch.Phone)
		}
	})
}
