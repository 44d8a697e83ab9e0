package bodies

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of the account routes. A faulty body is refused without a read of Redis.
var (
	Register = Object("Registration",
		Required("email", Email, "", func(r *engine.Registration) *string { return &r.Email }),
		Required("password", newPassword, "Used exactly as sent, with its spaces.", func(r *engine.Registration) *string { return &r.Password }),
		Optional("first_name", TextOrNull(commerce.MaxPersonName), "", func(r *engine.Registration) *string { return &r.FirstName }),
		Optional("last_name", TextOrNull(commerce.MaxPersonName), "", func(r *engine.Registration) *string { return &r.LastName }),
		Asked("kind", business, "A business (b2b) starts unapproved.", func(r *engine.Registration) *bool { return &r.B2B }),
		Optional("company_name", TextOrNull(commerce.MaxCompanyName), "Needed for b2b.", func(r *engine.Registration) *string { return &r.CompanyName }).
			RequiredIf(func(r *engine.Registration) bool { return r.B2B }),
		Optional("registration_number", TextOrNull(commerce.MaxRegistrationNumber), "", func(r *engine.Registration) *string { return &r.RegistrationNumber }),
		Optional("vat_id", TextOrNull(commerce.MaxVATID), "", func(r *engine.Registration) *string { return &r.VATID }),
		Optional("phone", TextOrNull(commerce.MaxPhone), "", func(r *engine.Registration) *string { return &r.Phone }))
	// AccountPut leaves it to the account whether a company's name is needed.
	AccountPut = Form("AccountPut", func(a *commerce.ExternalAccount) *commerce.Faults { return &a.Faults },
		Required("email", Email, "", func(a *commerce.ExternalAccount) *string { return &a.Email }),
		Asked("password", Pointer(newPassword), "Not needed. It replaces the present one, and ends no session.",
			func(a *commerce.ExternalAccount) **string { return &a.Password }),
		Optional("first_name", Pointer(TextOrNull(commerce.MaxPersonName)), "", func(a *commerce.ExternalAccount) **string { return &a.FirstName }),
		Optional("last_name", Pointer(TextOrNull(commerce.MaxPersonName)), "", func(a *commerce.ExternalAccount) **string { return &a.LastName }),
		Asked("kind", Pointer(business), "A new account is b2c without it. One that becomes a business (b2b) is not approved at first.",
			func(a *commerce.ExternalAccount) **bool { return &a.B2B }),
		Optional("company_name", Pointer(TextOrNull(commerce.MaxCompanyName)), "A business needs one. Absent, the account keeps the one that it has.",
			func(a *commerce.ExternalAccount) **string { return &a.CompanyName }),
		Optional("registration_number", Pointer(TextOrNull(commerce.MaxRegistrationNumber)), "",
			func(a *commerce.ExternalAccount) **string { return &a.RegistrationNumber }),
		Optional("vat_id", Pointer(TextOrNull(commerce.MaxVATID)), "", func(a *commerce.ExternalAccount) **string { return &a.VATID }),
		Asked("reverse_charge", Pointer(Boolean), "Whether the VAT id, which must be there, is good for reverse charge. Another vat_id without it ends it.",
			func(a *commerce.ExternalAccount) **bool { return &a.ReverseCharge }),
		Optional("phone", Pointer(TextOrNull(commerce.MaxPhone)), "", func(a *commerce.ExternalAccount) **string { return &a.Phone }))
	TokenIssue = Object("TokenIssue",
		Asked("expires_in_minutes", tokenMinutes,
			"The lifetime of the token. Without it the token lives as long as one of a login.", func(minutes *int64) *int64 { return minutes }))
	Login = Object("Login",
		Required("email", Email, "", func(c *engine.Credentials) *string { return &c.Email }),
		Required("password", password, "", func(c *engine.Credentials) *string { return &c.Password }))
	ForgotPassword = Object("ForgotPassword", Required("email", Email, "", func(email *string) *string { return email }))
	PasswordReset  = Object("PasswordReset",
		Required("token", secret, "From the link that the store sent.", func(p *engine.PasswordReset) *commerce.KeyHash { return &p.Token }),
		Required("email", Email, "", func(p *engine.PasswordReset) *string { return &p.Email }),
		Required("password", confirmed(newPassword), "", func(p *engine.PasswordReset) *string { return &p.Password }),
		confirmation[engine.PasswordReset]())
	PasswordChange = Object("PasswordChange",
		Required("current_password", password, "", func(p *engine.PasswordChange) *string { return &p.Current }),
		Required("password", confirmed(newPassword), "", func(p *engine.PasswordChange) *string { return &p.Password }),
		confirmation[engine.PasswordChange]())
)

// tokenMinutes is the kind of a token's lifetime; 0 if it is not sent.
var tokenMinutes = wholeMinutes.Shaped(wholeMinutes.Schema.Default(engine.MaxSessionMinutes))

var wholeMinutes = Whole(1, engine.MaxSessionMinutes)

// accountKinds are the kinds of accounts; the first one is the default.
var accountKinds = []string{"b2c", "b2b"}

var accountKind = Names(accountKinds...)

// business is the kind of kinds of accounts: true for b2b.
var business = Kind[bool]{Schema: accountKind.Schema.Default(accountKinds[0]), read: func(f *fields, name string, value strictjson.Value, into *bool) {
	var kind string
	accountKind.read(f, name, value, &kind)
	*into = kind == accountKinds[1]
}}

// password is the kind of passwords, which are kept with their spaces. newPassword is that of a password that is to be set.
var (
	password = Kind[string]{Schema: openapi.Text, read: func(f *fields, name string, value strictjson.Value, into *string) {
		f.verbatim(name, value, into)
	}}
	newPassword = Kind[string]{Schema: openapi.Text.MinLength(commerce.MinPassword), read: func(f *fields, name string, value strictjson.Value, into *string) {
		if f.verbatim(name, value, into) {
			f.faults.NewPassword(name, *into)
		}
	}}
)

// confirmed is the kind of a field whose {name}_confirmation must have the same text.
func confirmed(kind Kind[string]) Kind[string] {
	read := kind.read
	kind.read = func(f *fields, name string, value strictjson.Value, into *string) {
		read(f, name, value, into)
		repeated, _ := f.object.Get(name + "_confirmation")
		if *into != "" && !repeated.Is(*into) {
			f.faults.Add(name, commerce.MsgConfirmed(name))
		}
	}
	return kind
}

func confirmation[T any]() Field[T] {
	return Described[T]("password_confirmation", openapi.Text, "The password once more.")
}

// secret is the kind of tokens, of which only the hash goes on.
var secret = Kind[commerce.KeyHash]{Schema: openapi.Text, read: func(f *fields, name string, value strictjson.Value, into *commerce.KeyHash) {
	if text, ok := f.text(name, value); ok {
		text = commerce.Trim(text)
		f.faults.Line(name, text)
		*into = commerce.HashSecret([]byte(text))
	}
}}
