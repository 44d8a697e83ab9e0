package storefile

import (
	"strings"

	"cartd/commerce"
)

func (d *document) group(f field) commerce.CustomerGroup {
	o := f.object()
	defer o.close()
	return commerce.CustomerGroup{
		ID:   o.required("id").uniqueID(&d.groups),
		Name: o.required("name").text(),
	}
}

func (d *document) customer(f field) commerce.Customer {
	o := f.object()
	defer o.close()
	c := commerce.Customer{
		ID:                 o.required("id").uniqueID(&d.customers),
		Email:              d.email(o.required("email")),
		FirstName:          o.get("first_name").remark(),
		LastName:           o.get("last_name").remark(),
		Phone:              o.get("phone").remark(),
		B2B:                o.get("kind").word("b2c", "b2b") == "b2b",
		CompanyName:        o.get("company_name").remark(),
		RegistrationNumber: o.get("registration_number").remark(),
		VATID:              o.get("vat_id").remark(),
		ExternalID:         o.get("external_id").remark(),
		GroupID:            o.get("group_id").reference(d.groups, aGroup),
		Approved:           o.get("approved").boolean(true),
		Tokens:             list(o.get("tokens"), d.token),
		Addresses:          d.addressBook(o.get("addresses")),
	}
	password, hash := o.get("password"), o.get("password_hash")
	if !password.absent() && !hash.absent() {
		o.fault("must have at most one of password and password_hash")
	}
	c.Password, c.PasswordHash = password.text(), passwordHash(hash)
	return c
}

func (d *document) email(f field) string {
	text, ok := f.note()
	if !ok {
		return ""
	}
	email, ok := commerce.ParseEmail(text)
	if !ok {
		f.fault("must be an e-mail address")
		return ""
	}
	d.emails.claim(f, email)
	return email
}

// passwordHash reads a hash in the usual $…$ text; which of its parameters can be
// verified is for the login to say.
func passwordHash(f field) string {
	text, ok := f.note()
	if ok && !strings.HasPrefix(text, "$2") && !strings.HasPrefix(text, "$argon2id$") {
		f.fault("must be a bcrypt or argon2id hash")
	}
	return text
}

func (d *document) token(f field) commerce.CustomerToken {
	o := f.object()
	defer o.close()
	return commerce.CustomerToken{
		Hash:      secret(o, "token", "token_sha256", &d.tokenHashes),
		ExpiresAt: o.required("expires_at").time(),
	}
}
