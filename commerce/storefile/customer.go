package storefile

import (
	"strings"
	"unicode"

	"cartd/commerce"
)

func (d *document) group(f field) commerce.CustomerGroup {
	o := f.object()
	defer o.close()
	return commerce.CustomerGroup{
		ID:   o.required("id").uniqueID(&d.groups),
		Name: o.required("name").name(),
	}
}

func (d *document) customer(f field) commerce.Customer {
	o := f.object()
	defer o.close()
	c := commerce.Customer{
		ID:                 o.required("id").uniqueID(&d.customers),
		Email:              d.email(o.required("email")),
		FirstName:          o.get("first_name").properName(),
		LastName:           o.get("last_name").properName(),
		Phone:              o.get("phone").remark(),
		B2B:                o.get("kind").word("b2c", "b2b") == "b2b",
		CompanyName:        o.get("company_name").properName(),
		RegistrationNumber: o.get("registration_number").remark(),
		VATID:              o.get("vat_id").remark(),
		ExternalID:         o.get("external_id").remark(),
		GroupID:            o.get("group_id").reference(d.groups, aGroup),
		Approved:           o.get("approved").boolean(true),
		Tokens:             list(o.get("tokens"), d.token),
		Addresses:          d.addressBook(o.get("addresses")),
	}
	o.atMostOne("password", "password_hash")
	c.Password, c.PasswordHash = o.get("password").password(), passwordHash(o.get("password_hash"))
	return c
}

func (d *document) email(f field) string {
	text, ok := f.str()
	if !ok {
		return ""
	}
	email, ok := commerce.ParseEmail(text)
	if _, shaped := commerce.ParseEmail(strings.Map(shown, text)); !ok && shaped {
		f.conflict("must be " + anEmail)
	} else if !ok {
		f.mustBe(anEmail)
	} else {
		d.emails.unique(f, email)
	}
	return email
}

// shown replaces a character that cannot be printed and is neither space nor a control character.
// A schema's pattern accepts such a character, so its fault is one of content.
func shown(r rune) rune {
	if r < '\u00a0' || unicode.IsPrint(r) || commerce.Invisible(r) {
		return r
	}
	return unicode.ReplacementChar
}

// passwordHash reads a hash in the usual $…$ form and checks its kind and cost. Only a login finds
// out whether the rest is correct.
func passwordHash(f field) string {
	text, ok := f.str()
	switch {
	case ok && !strings.HasPrefix(text, "$2") && !strings.HasPrefix(text, "$argon2id$"):
		f.mustBe(aPasswordHash)
	case tooCostly(text):
		f.conflict("must be " + aPasswordHash)
	case !commerce.IsLine(text):
		f.conflict(noControls)
	}
	return text
}

// tooCostly reports whether a hash has a cost above the limits.
func tooCostly(hash string) bool {
	fields := strings.SplitN(hash, "$", 5) // "", kind, version, cost of argon2id, …
	switch {
	case commerce.BcryptCost(hash) > commerce.MaxImportedBcryptCost:
		return true
	case strings.HasPrefix(hash, "$argon2id$") && len(fields) > 3:
		cost, ok := commerce.ParseArgonCost(fields[3])
		return ok && !cost.WithinLimits()
	}
	return false
}

func (d *document) token(f field) commerce.CustomerToken {
	o := f.object()
	defer o.close()
	return commerce.CustomerToken{
		Hash:      secret(o, "token", "token_sha256", &d.tokenHashes),
		ExpiresAt: o.required("expires_at").time(),
	}
}
