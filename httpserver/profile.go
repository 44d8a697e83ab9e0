package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/openapi"

	"github.com/google/uuid"
)

// profilePatchShape is the body of a change.
var profilePatchShape = openapi.Object("ProfilePatch").
	May("first_name", personNameShape, "").
	May("last_name", personNameShape, "").
	May("phone", openapi.Text.MaxLength(commerce.MaxPhone).OrNull(), "")

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

// profile is a contact of the request's store.
func (x *exchange) profile(c *commerce.Contact) answers.ProfileView {
	return answers.ProfileView{Contact: c, Store: x.facts.Store}
}

func appendProfileOf(dst []byte, x *exchange, reply *engine.Reply) []byte {
	return answers.Profile.Append(dst, x.profile(reply.Contact))
}
