package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// ProfileView is a contact of a store.
type ProfileView struct {
	*commerce.Contact
	Store *commerce.Store
}

// Profile is the profile of a contact. The customer group is null if the store no longer has it.
var Profile = Object("Profile", append(slices.Clip(profile),
	Member("created_at", Time, "", func(v ProfileView) *time.Time { return &v.CreatedAt }))...)

var profile = Rows(
	Member("id", UUID, "", func(v ProfileView) *uuid.UUID { return &v.ID }),
	Value("kind", Names("b2c", "b2b"), "", func(v ProfileView) string { return v.Kind() }),
	Member("email", TextOrNull, "", func(v ProfileView) *string { return &v.Email }),
	Member("first_name", TextOrNull, "", func(v ProfileView) *string { return &v.FirstName }),
	Member("last_name", TextOrNull, "", func(v ProfileView) *string { return &v.LastName }),
	Member("phone", TextOrNull, "", func(v ProfileView) *string { return &v.Phone }),
	Value("display_name", TextOrNull, "The company, else first and last name, else the e-mail address.", func(v ProfileView) string { return v.DisplayName() }),
	Member("company_name", TextOrNull, "", func(v ProfileView) *string { return &v.CompanyName }),
	Member("registration_number", TextOrNull, "", func(v ProfileView) *string { return &v.RegistrationNumber }),
	Member("vat_id", TextOrNull, "", func(v ProfileView) *string { return &v.VATID }),
	Member("reverse_charge", Boolean, "Whether the VAT id is good for reverse charge; the merchant says so.",
		func(v ProfileView) *bool { return &v.ReverseCharge }),
	Member("external_id", TextOrNull, "", func(v ProfileView) *string { return &v.ExternalID }),
	Value("customer_group", OrNull(Object("CustomerGroup",
		Member("id", UUID, "", func(g *commerce.CustomerGroup) *uuid.UUID { return &g.ID }),
		Member("name", Text, "", func(g *commerce.CustomerGroup) *string { return &g.Name }),
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
	SignedIn    = Object("SignedIn", append(issuedToken, Value("contact", Profile, "", func(v SignedInView) ProfileView { return v.Contact }))...)
	IssuedToken = Object("IssuedToken", issuedToken...)
)

var issuedToken = Rows(
	Value("token", Text, "For the header X-Customer-Token. No later answer shows it.", func(v SignedInView) string { return v.Token }),
	Value("expires_at", Time, "", func(v SignedInView) time.Time { return v.ExpiresAt }),
)

// Message is an answer in words.
var Message = Object("Message", Self("message", Text, ""))
