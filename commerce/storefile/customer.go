package storefile

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

var customerGroup = objectKind("customer_group",
	field.Required("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.groups }), "", func(g *commerce.CustomerGroup) *uuid.UUID { return &g.ID }),
	field.Required("name", name, "", func(g *commerce.CustomerGroup) *string { return &g.Name }),
)

var customer = exportedKind("customer",
	field.Required("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.customers }), "", func(c *commerce.Customer) *uuid.UUID { return &c.ID }),
	field.Required("email", unlessZero(known(openapi.Text.Pattern(mailbox).About(anEmail).Definition("email"), (*document).email)), "",
		func(c *commerce.Customer) *string { return &c.Email }),
	field.Optional("first_name", properName, "", func(c *commerce.Customer) *string { return &c.FirstName }),
	field.Optional("last_name", properName, "", func(c *commerce.Customer) *string { return &c.LastName }),
	field.Optional("phone", line, "", func(c *commerce.Customer) *string { return &c.Phone }),
	field.Optional("kind", written(zero(judged(openapi.Names("b2c", "b2b"), func(f value) bool { return f.word("b2c", "b2b") == "b2b" }), "b2c"), kindOf), "",
		func(c *commerce.Customer) *bool { return &c.B2B }),
	field.Optional("company_name", properName, "", func(c *commerce.Customer) *string { return &c.CompanyName }),
	field.Optional("registration_number", line, "", func(c *commerce.Customer) *string { return &c.RegistrationNumber }),
	field.Optional("vat_id", line, "", func(c *commerce.Customer) *string { return &c.VATID }),
	field.Optional("reverse_charge", boolean(false), "Whether the VAT id is good for reverse charge.",
		func(c *commerce.Customer) *bool { return &c.ReverseCharge }),
	field.Optional("external_id", line, "", func(c *commerce.Customer) *string { return &c.ExternalID }),
	field.Optional("group_id", groupID, "", func(c *commerce.Customer) *uuid.UUID { return &c.GroupID }),
	field.Optional("approved", boolean(true), "Of b2b customers only: false while approval is pending.", func(c *commerce.Customer) *bool { return &c.Approved }),
	field.Optional("password", password, "In clear text, hashed at the import; for small documents.", func(c *commerce.Customer) *string { return &c.Password }),
	field.Optional("password_hash",
		marked(unlessZero(judged(openapi.Text.Pattern(`^\$(?:2|argon2id\$)`).About(aPasswordHash).Definition("password_hash"), passwordHash)), confidential), "",
		func(c *commerce.Customer) *string { return &c.PasswordHash }),
	field.Optional("tokens", marked(listOf(customerToken), confidential), "Sessions that the customer has from the start.",
		func(c *commerce.Customer) *[]commerce.CustomerToken { return &c.Tokens }),
	field.Optional("addresses", addressBook, "", func(c *commerce.Customer) *[]commerce.Address { return &c.Addresses }),
	shaping(func(_ *document, o value, c *commerce.Customer) {
		if !o.get("password").absent() && !o.get("password_hash").absent() {
			o.fault("must have at most one of password and password_hash")
		}
		if kind := o.get("kind"); !c.Approved && (kind.absent() || kind.raw.Text() == "b2c") {
			o.get("approved").conflict("is only for b2b customers")
		}
		if c.ReverseCharge && c.VATID == "" {
			o.get("reverse_charge").conflict("needs vat_id")
		}
	}, func(s *openapi.Schema) *openapi.Schema {
		return s.Not(openapi.Anything.Has("password", openapi.Something, "").Has("password_hash", openapi.Something, ""))
	}),
)

// kindOf is the kind of a customer.
func kindOf(b2b bool) any {
	if b2b {
		return "b2b"
	}
	return "b2c"
}

func (d *document) email(f value) string {
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

// shown replaces a character that cannot be printed and is neither space nor a control character, and a dot
// beyond ASCII. A schema's pattern accepts such a character, so its fault is one of content.
func shown(r rune) rune {
	if r == '\u3002' || r == '\uff0e' || r == '\uff61' {
		return unicode.ReplacementChar
	}
	if r < '\u00a0' || unicode.IsPrint(r) || commerce.Invisible(r) {
		return r
	}
	return unicode.ReplacementChar
}

// passwordHash reads a hash in the usual $…$ form and checks its kind and cost. Only a login finds
// out whether the rest is correct.
func passwordHash(f value) string {
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
	case commerce.BcryptCost(hash) > commerce.MaxBcryptCost:
		return true
	case strings.HasPrefix(hash, "$argon2id$") && len(fields) > 3:
		cost, ok := commerce.ParseArgonCost(fields[3])
		return ok && !cost.WithinLimits()
	}
	return false
}

var customerToken = exportedKind("customer_token",
	described[commerce.CustomerToken]("token", marked(text, confidential), "In clear text."),
	field.IfSet("token_sha256", writtenHash, "", func(t *commerce.CustomerToken) *commerce.KeyHash { return &t.Hash }),
	eitherOf("token", "token_sha256", func(d *document, o value, t *commerce.CustomerToken) {
		t.Hash = secret(o, "token", "token_sha256", &d.tokenHashes)
	}),
	field.Required("expires_at", written(timestamp, func(t time.Time) any { return writable(t) }), "",
		func(t *commerce.CustomerToken) *time.Time { return &t.ExpiresAt }),
)

// addressBook are a customer's addresses. Spec: Address, rule 2.
var addressBook = ahead(atMost(listOf(address), commerce.MaxAddresses, "addresses"), func(d *document) { d.defaults = map[string]bool{} })

// address is one address; its id may be absent. Spec: POST create body.
var address = exportedKind("address",
	field.Optional("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.addresses }), "", func(a *commerce.Address) *uuid.UUID { return &a.ID }),
	field.Optional("type", word(commerce.AddressTypes...), "", commerce.AddressTexts[commerce.AddressType].Place),
	addressText(&commerce.AddressTexts[commerce.AddressLabel]),
	field.Optional("is_default", boolean(false), "Of one address of each type.", func(a *commerce.Address) *bool { return &a.IsDefault }),
	rule(func(d *document, o value, a *commerce.Address) {
		if a.IsDefault && d.defaults[a.Type] {
			o.get("is_default").conflict("is a second default address of type " + a.Type)
		}
		d.defaults[a.Type] = d.defaults[a.Type] || a.IsDefault
	}),
	recipient,
)

var recipient = func() row[*commerce.Address] {
	var texts []row[*commerce.Address]
	for i := commerce.AddressRecipient; i < len(commerce.AddressTexts); i++ {
		texts = append(texts, addressText(&commerce.AddressTexts[i]))
	}
	return field.Group(texts...)
}()

func addressText(t *commerce.AddressText) row[*commerce.Address] {
	kind := trimmedLine(t.Min, t.Max)
	if t.Min > 0 {
		return field.Required(t.Name, kind, "", t.Place)
	}
	return field.Optional(t.Name, kind, "", t.Place)
}

// trimmedLine is the kind of texts that field.line reads.
func trimmedLine(shortest, longest int) kind[string] {
	about := fmt.Sprintf("%d to %d characters, not counting the space around them", shortest, longest)
	if shortest == longest {
		about = fmt.Sprintf("%d characters, not counting the space around them", longest)
	}
	return unlessZero(judged(openapi.Text.Pattern(trimmed(shortest, longest)).About(about),
		func(f value) string { return f.line(shortest, longest) }))
}

// line reads a text of one line of shortest to longest characters, without surrounding space. If shortest is
// not 0, a text of only space counts as missing.
func (f value) line(shortest, longest int) string {
	text, ok := f.str()
	text = commerce.Trim(text)
	f.judgeLine(text)
	switch n := utf8.RuneCountInString(text); {
	case !ok || shortest <= n && n <= longest:
	case shortest == longest:
		f.fault(fmt.Sprintf("must be %d characters", longest))
	case n == 0:
		f.fault("is required")
	default:
		f.fault(fmt.Sprintf("must be at most %d characters", longest))
	}
	return text
}
