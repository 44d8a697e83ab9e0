package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// handleProfileRead shows the contact's profile.
func handleProfileRead(s *Server, x *exchange) error {
	return x.answerContact(s.readContact(x), appendProfileOf)
}

// handleProfilePatch changes the fields of the profile that the customer may change.
func handleProfilePatch(s *Server, x *exchange) error {
	patch, fault := bodies.ProfilePatch.Read(x.body)
	return x.answerContact(s.changeContact(x, patch, uuid.Nil, fault), appendProfileOf)
}

// profile is a contact of the request's store.
func (x *exchange) profile(c *commerce.Contact) answers.ProfileView {
	return answers.ProfileView{Contact: c, Store: x.facts.Store}
}

func appendProfileOf(dst []byte, x *exchange, reply *engine.Reply) []byte {
	return answers.Profile.Append(dst, x.profile(reply.Contact))
}
