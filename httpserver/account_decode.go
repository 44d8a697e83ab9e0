package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of the account routes. A faulty body is refused without a read of Redis.
var (
	emailShape       = openapi.Text.MaxLength(commerce.MaxEmail)
	newPasswordShape = openapi.Text.MinLength(commerce.MinPassword)
	personNameShape  = openapi.Text.MaxLength(commerce.MaxPersonName).OrNull()
	registerShape    = openapi.Object("Registration").
				Has("email", emailShape, "").
				Has("password", newPasswordShape, "Used exactly as sent, with its spaces.").
				May("first_name", personNameShape, "").
				May("last_name", personNameShape, "").
				May("kind", openapi.Names(contactKinds...).OrNull().Default("b2c"), "A business (b2b) starts unapproved.").
				May("company_name", openapi.Text.MaxLength(commerce.MaxCompanyName).OrNull(), "Needed for b2b.").
				May("registration_number", openapi.Text.MaxLength(commerce.MaxRegistrationNumber).OrNull(), "").
				May("vat_id", openapi.Text.MaxLength(commerce.MaxVATID).OrNull(), "").
				May("phone", openapi.Text.MaxLength(commerce.MaxPhone).OrNull(), "")
	loginShape = openapi.Object("Login").
			Has("email", emailShape, "").
			Has("password", openapi.Text, "")
	forgotPasswordShape = openapi.Object("ForgotPassword").Has("email", emailShape, "")
	passwordResetShape  = openapi.Object("PasswordReset").
				Has("token", openapi.Text, "From the link that the store sent.").
				Has("email", emailShape, "").
				Has("password", newPasswordShape, "").
				Has("password_confirmation", openapi.Text, "The password once more.")
	passwordChangeShape = openapi.Object("PasswordChange").
				Has("current_password", openapi.Text, "").
				Has("password", newPasswordShape, "").
				Has("password_confirmation", openapi.Text, "The password once more.")
)

func decodeRegister(body sentBody) (r engine.Registration, refusal *commerce.Refusal) {
	f := decodeObject(body)
	r.Email = f.requiredEmail()
	r.Password = f.newPassword("password")
	r.FirstName = textOf(f.nullableText("first_name", commerce.AtMost(commerce.MaxPersonName)))
	r.LastName = textOf(f.nullableText("last_name", commerce.AtMost(commerce.MaxPersonName)))
	r.B2B = f.business()
	if r.B2B {
		r.CompanyName = textOf(f.requiredText("company_name", commerce.AtMost(commerce.MaxCompanyName)))
	} else {
		r.CompanyName = textOf(f.nullableText("company_name", commerce.AtMost(commerce.MaxCompanyName)))
	}
	r.RegistrationNumber = textOf(f.nullableText("registration_number", commerce.AtMost(commerce.MaxRegistrationNumber)))
	r.VATID = textOf(f.nullableText("vat_id", commerce.AtMost(commerce.MaxVATID)))
	r.Phone = textOf(f.nullableText("phone", commerce.AtMost(commerce.MaxPhone)))
	return r, f.refusal()
}

// contactKinds are the kinds of accounts; the first one is the default.
var contactKinds = []string{"b2c", "b2b"}

// business reports whether the kind sent is b2b. Absent, null and blank are b2c.
func (f *fields) business() bool {
	if value, _ := f.object.Get("kind"); value.Kind() == strictjson.Null || blank(value) {
		return false
	}
	kind := f.oneOf("kind", contactKinds)
	return kind != nil && *kind == contactKinds[1]
}

func decodeLogin(body sentBody) (c engine.Credentials, refusal *commerce.Refusal) {
	f := decodeObject(body)
	c.Email = f.requiredEmail()
	c.Password = f.password("password")
	return c, f.refusal()
}

func decodeForgotPassword(body sentBody) (email string, refusal *commerce.Refusal) {
	f := decodeObject(body)
	email = f.requiredEmail()
	return email, f.refusal()
}

func decodePasswordReset(body sentBody) (p engine.PasswordReset, refusal *commerce.Refusal) {
	f := decodeObject(body)
	if token := f.requiredText("token", anyLength); token != nil {
		p.Token = commerce.HashSecret([]byte(*token))
	}
	p.Email = f.requiredEmail()
	p.Password = f.confirmedPassword("password")
	return p, f.refusal()
}

func decodePasswordChange(body sentBody) (p engine.PasswordChange, refusal *commerce.Refusal) {
	f := decodeObject(body)
	p.Current = f.password("current_password")
	p.Password = f.confirmedPassword("password")
	return p, f.refusal()
}

// password reads a password as it was sent, with its spaces. A password of spaces alone counts as
// missing.
func (f *fields) password(name string) string {
	value, ok := f.required(name)
	if !ok {
		return ""
	}
	return f.verbatim(name, value)
}

// newPassword reads a password that is to be set. It returns "" if the password is faulty.
func (f *fields) newPassword(name string) string {
	text := f.password(name)
	if text != "" {
		f.faults.NewPassword(name, text)
	}
	return text
}

// confirmedPassword is newPassword for a field whose {name}_confirmation must have the same text.
func (f *fields) confirmedPassword(name string) string {
	text := f.newPassword(name)
	repeated, _ := f.object.Get(name + "_confirmation")
	if text != "" && !repeated.Is(text) {
		f.faults.Add(name, commerce.MsgConfirmed(name))
	}
	return text
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
