package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// ProfileView is a contact of a store.
type ProfileView struct {
	*commerce.Contact
	Store *commerce.Store
}

// Profile is the profile of a contact. The customer group is null if the store no longer has it.
var Profile = field.Object("Profile", append(slices.Clip(profile),
	field.Member("created_at", Time, "", func(v ProfileView) *time.Time { return &v.CreatedAt }))...)

var profile = field.Rows(
	field.Member("id", UUID, "", func(v ProfileView) *uuid.UUID { return &v.ID }),
	field.Value("kind", Names("b2c", "b2b"), "", func(v ProfileView) string { return v.Kind() }),
	field.Member("email", TextOrNull, "", func(v ProfileView) *string { return &v.Email }),
	field.Member("first_name", TextOrNull, "", func(v ProfileView) *string { return &v.FirstName }),
	field.Member("last_name", TextOrNull, "", func(v ProfileView) *string { return &v.LastName }),
	field.Member("phone", TextOrNull, "", func(v ProfileView) *string { return &v.Phone }),
	field.Value("display_name", TextOrNull, "The company, else first and last name, else the e-mail address.",
		func(v ProfileView) string { return v.DisplayName() }),
	field.Member("company_name", TextOrNull, "", func(v ProfileView) *string { return &v.CompanyName }),
	field.Member("registration_number", TextOrNull, "", func(v ProfileView) *string { return &v.RegistrationNumber }),
	field.Member("vat_id", TextOrNull, "", func(v ProfileView) *string { return &v.VATID }),
	field.Member("reverse_charge", Boolean, "Whether the VAT id is good for reverse charge; the merchant says so.",
		func(v ProfileView) *bool { return &v.ReverseCharge }),
	field.Member("external_id", TextOrNull, "", func(v ProfileView) *string { return &v.ExternalID }),
	field.Value("customer_group", field.OrNull(field.Object("CustomerGroup",
		field.Member("id", UUID, "", func(g *commerce.CustomerGroup) *uuid.UUID { return &g.ID }),
		field.Member("name", Text, "", func(g *commerce.CustomerGroup) *string { return &g.Name }),
	)), "", func(v ProfileView) *commerce.CustomerGroup { return v.Store.Group(v.GroupID) }),
)

// SignedInView is a contact with a new token.
type SignedInView struct {
	Contact   ProfileView
	Token     string
	ExpiresAt time.Time
}

// SignedIn shows a new token with its contact, IssuedToken without.
var (
	SignedIn    = field.Object("SignedIn", append(issuedToken, field.Value("contact", Profile, "", func(v SignedInView) ProfileView { return v.Contact }))...)
	IssuedToken = field.Object("IssuedToken", issuedToken...)
)

var issuedToken = field.Rows(
	field.Value("token", Text, "For the header X-Customer-Token. No later answer shows it.", func(v SignedInView) string { return v.Token }),
	field.Value("expires_at", Time, "", func(v SignedInView) time.Time { return v.ExpiresAt }),
)

// Message is an answer in words.
var Message = field.Object("Message", field.Self("message", Text, ""))
