package bodies

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// The bodies of the account routes. A faulty body is refused without a read of Redis.
var (
	Register = Object("Registration",
		field.Required("email", Email, "", func(r *engine.Registration) *string { return &r.Email }),
		field.Required("password", newPassword, "Used exactly as sent, with its spaces.", func(r *engine.Registration) *string { return &r.Password }),
		field.Nullable("first_name", TextOrNull(commerce.MaxPersonName), "", func(r *engine.Registration) *string { return &r.FirstName }),
		field.Nullable("last_name", TextOrNull(commerce.MaxPersonName), "", func(r *engine.Registration) *string { return &r.LastName }),
		field.Optional("kind", business, "A business (b2b) starts unapproved.", func(r *engine.Registration) *bool { return &r.B2B }),
		requiredIf(func(r *engine.Registration) bool { return r.B2B },
			"company_name", TextOrNull(commerce.MaxCompanyName), "Needed for b2b.", func(r *engine.Registration) *string { return &r.CompanyName }),
		field.Nullable("registration_number", TextOrNull(commerce.MaxRegistrationNumber), "", func(r *engine.Registration) *string { return &r.RegistrationNumber }),
		field.Nullable("vat_id", TextOrNull(commerce.MaxVATID), "", func(r *engine.Registration) *string { return &r.VATID }),
		field.Nullable("phone", TextOrNull(commerce.MaxPhone), "", func(r *engine.Registration) *string { return &r.Phone }))
	// AccountPut leaves it to the account whether a company's name is needed.
	AccountPut = Form("AccountPut", func(a *commerce.ExternalAccount) *commerce.Faults { return &a.Faults },
		field.Required("email", Email, "", func(a *commerce.ExternalAccount) *string { return &a.Email }),
		field.Optional("password", field.Pointer(newPassword), "Not needed. It replaces the present one, and ends no session.",
			func(a *commerce.ExternalAccount) **string { return &a.Password }),
		field.Nullable("first_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(a *commerce.ExternalAccount) **string { return &a.FirstName }),
		field.Nullable("last_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(a *commerce.ExternalAccount) **string { return &a.LastName }),
		field.Optional("kind", field.Pointer(business), "A new account is b2c without it. One that becomes a business (b2b) is not approved at first.",
			func(a *commerce.ExternalAccount) **bool { return &a.B2B }),
		field.Nullable("company_name", field.Pointer(TextOrNull(commerce.MaxCompanyName)), "A business needs one. Absent, the account keeps the one that it has.",
			func(a *commerce.ExternalAccount) **string { return &a.CompanyName }),
		field.Nullable("registration_number", field.Pointer(TextOrNull(commerce.MaxRegistrationNumber)), "",
			func(a *commerce.ExternalAccount) **string { return &a.RegistrationNumber }),
		field.Nullable("vat_id", field.Pointer(TextOrNull(commerce.MaxVATID)), "", func(a *commerce.ExternalAccount) **string { return &a.VATID }),
		field.Optional("reverse_charge", field.Pointer(Boolean),
			"Whether the VAT id, which must be there, is good for reverse charge. Another vat_id without it ends it.",
			func(a *commerce.ExternalAccount) **bool { return &a.ReverseCharge }),
		field.Nullable("phone", field.Pointer(TextOrNull(commerce.MaxPhone)), "", func(a *commerce.ExternalAccount) **string { return &a.Phone }))
	TokenIssue = Object("TokenIssue",
		field.Optional("expires_in_minutes", tokenMinutes,
			"The lifetime of the token. Without it the token lives as long as one of a login.", func(minutes *int64) *int64 { return minutes }))
	Login = Object("Login",
		field.Required("email", Email, "", func(c *engine.Credentials) *string { return &c.Email }),
		field.Required("password", password, "", func(c *engine.Credentials) *string { return &c.Password }))
	ForgotPassword = Object("ForgotPassword", field.Required("email", Email, "", func(email *string) *string { return email }))
	PasswordReset  = Object("PasswordReset",
		field.Required("token", secret, "From the link that the store sent.", func(p *engine.PasswordReset) *commerce.KeyHash { return &p.Token }),
		field.Required("email", Email, "", func(p *engine.PasswordReset) *string { return &p.Email }),
		confirmedPassword(func(p *engine.PasswordReset) *string { return &p.Password }))
	PasswordChange = Object("PasswordChange",
		field.Required("current_password", password, "", func(p *engine.PasswordChange) *string { return &p.Current }),
		confirmedPassword(func(p *engine.PasswordChange) *string { return &p.Password }))
)

// tokenMinutes is the kind of a token's lifetime; 0 if it is not sent.
var tokenMinutes = field.Shaped(wholeMinutes, wholeMinutes.Schema.Default(engine.MaxSessionMinutes))

var wholeMinutes = Whole(1, engine.MaxSessionMinutes)

// accountKinds are the kinds of accounts; the first one is the default.
var accountKinds = []string{"b2c", "b2b"}

var accountKind = Names(accountKinds...)

// business is the kind of kinds of accounts: true for b2b.
var business = Kind[bool]{Schema: accountKind.Schema.Default(accountKinds[0]), Read: func(v value, into *bool) {
	var kind string
	accountKind.Read(v, &kind)
	*into = kind == accountKinds[1]
}}

// password is the kind of passwords, which are kept with their spaces. newPassword is that of a password that is to be set.
var (
	password = Kind[string]{Schema: openapi.Text, Read: func(v value, into *string) {
		v.verbatim(into)
	}}
	newPassword = Kind[string]{Schema: openapi.Text.MinLength(commerce.MinPassword), Read: func(v value, into *string) {
		if v.verbatim(into) {
			v.faults.NewPassword(v.name, *into)
		}
	}}
)

// confirmedPassword is a password that is to be set, with its confirmation, which must have the same text.
func confirmedPassword[T any](at func(into T) *string) Field[T] {
	const name, confirmation = "password", "password_confirmation"
	password := field.Required(name, newPassword, "", at)
	judge := func(object value, into T) {
		password.Read(object, into)
		repeated, _ := object.Get(confirmation)
		if text := *at(into); text != "" && !repeated.Is(text) {
			object.faults.Add(name, commerce.MsgConfirmed(name))
		}
	}
	return field.Rule(judge, func(s *openapi.Schema) *openapi.Schema {
		return s.With(password.Described...).Has(confirmation, openapi.Text, "The password once more.")
	})
}

// secret is the kind of tokens, of which only the hash goes on.
var secret = Kind[commerce.KeyHash]{Schema: openapi.Text, Read: func(v value, into *commerce.KeyHash) {
	if text, ok := v.text(); ok {
		text = commerce.Trim(text)
		v.faults.Line(v.name, text)
		*into = commerce.HashSecret([]byte(text))
	}
}}

// ProfilePatch is the body of a change of a profile.
var ProfilePatch = Object("ProfilePatch",
	field.Nullable("first_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.FirstName }),
	field.Nullable("last_name", field.Pointer(TextOrNull(commerce.MaxPersonName)), "", func(p *commerce.PatchProfile) **string { return &p.LastName }),
	field.Nullable("phone", field.Pointer(TextOrNull(commerce.MaxPhone)), "", func(p *commerce.PatchProfile) **string { return &p.Phone }),
)
