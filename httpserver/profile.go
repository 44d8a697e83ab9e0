package httpserver

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"

	"github.com/google/uuid"
)

// The shapes of the profile routes.
var (
	profileShape = openapi.Object("Profile").
			Has("id", openapi.UUID, "").
			Has("kind", openapi.Names("b2c", "b2b"), "").
			Has("email", openapi.Text.OrNull(), "").
			Has("first_name", openapi.Text.OrNull(), "").
			Has("last_name", openapi.Text.OrNull(), "").
			Has("phone", openapi.Text.OrNull(), "").
			Has("display_name", openapi.Text.OrNull(), "The company, else first and last name, else the e-mail address.").
			Has("company_name", openapi.Text.OrNull(), "").
			Has("registration_number", openapi.Text.OrNull(), "").
			Has("vat_id", openapi.Text.OrNull(), "").
			Has("external_id", openapi.Text.OrNull(), "").
			Has("customer_group", openapi.Object("CustomerGroup").Has("id", openapi.UUID, "").Has("name", openapi.Text, "").OrNull(), "").
			Has("created_at", openapi.Time, "")
	profilePatchShape = openapi.Object("ProfilePatch").
				May("first_name", personNameShape, "").
				May("last_name", personNameShape, "").
				May("phone", openapi.Text.MaxLength(commerce.MaxPhone).OrNull(), "")
)

// handleProfileRead shows the contact's profile.
func handleProfileRead(s *Server, x *exchange) error {
	return x.answerContact(s.readContact(x), appendProfileOf)
}

// handleProfilePatch changes the fields of the profile that the customer may change.
func handleProfilePatch(s *Server, x *exchange) error {
	patch, fault := decodeProfilePatch(x.body)
	return x.answerContact(s.changeContact(x, patch, uuid.Nil, fault), appendProfileOf)
}

func decodeProfilePatch(body sentBody) (commerce.PatchProfile, *commerce.Refusal) {
	f := decodeObject(body)
	patch := commerce.PatchProfile{
		FirstName: f.nullableText("first_name", commerce.AtMost(commerce.MaxPersonName)),
		LastName:  f.nullableText("last_name", commerce.AtMost(commerce.MaxPersonName)),
		Phone:     f.nullableText("phone", commerce.AtMost(commerce.MaxPhone)),
	}
	return patch, f.refusal()
}

func appendProfileOf(dst []byte, x *exchange, reply *engine.Reply) []byte {
	return AppendProfile(dst, reply.Contact, x.facts.Store)
}

// AppendProfile writes the profile without an envelope. The customer group is null if the store no
// longer has it.
func AppendProfile(dst []byte, c *commerce.Contact, s *commerce.Store) []byte {
	dst = appendUUID(append(dst, `{"id":`...), c.ID)
	dst = appendString(append(dst, `,"kind":`...), c.Kind())
	dst = appendText(append(dst, `,"email":`...), c.Email)
	dst = appendText(append(dst, `,"first_name":`...), c.FirstName)
	dst = appendText(append(dst, `,"last_name":`...), c.LastName)
	dst = appendText(append(dst, `,"phone":`...), c.Phone)
	dst = appendText(append(dst, `,"display_name":`...), c.DisplayName())
	dst = appendText(append(dst, `,"company_name":`...), c.CompanyName)
	dst = appendText(append(dst, `,"registration_number":`...), c.RegistrationNumber)
	dst = appendText(append(dst, `,"vat_id":`...), c.VATID)
	dst = appendText(append(dst, `,"external_id":`...), c.ExternalID)
	dst = append(dst, `,"customer_group":`...)
	if g := s.Group(c.GroupID); g == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendUUID(append(dst, `{"id":`...), g.ID)
		dst = append(appendString(append(dst, `,"name":`...), g.Name), '}')
	}
	dst = appendTime(append(dst, `,"created_at":`...), c.CreatedAt)
	return append(dst, '}')
}

// appendTime writes a time in whole seconds of UTC: "2026-11-20T10:00:00Z".
func appendTime(dst []byte, t time.Time) []byte {
	dst = t.UTC().AppendFormat(append(dst, '"'), "2006-01-02T15:04:05Z")
	return append(dst, '"')
}
