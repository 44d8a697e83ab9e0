package httpserver

import (
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// contactView writes the part of a contact that an answer shows.
type contactView func(dst []byte, x *exchange, reply *engine.Reply) []byte

func appendNothing(dst []byte, _ *exchange, _ *engine.Reply) []byte { return dst }

// contactOutcome is the engine's answer.
type contactOutcome struct {
	reply engine.Reply
	err   error
}

func (s *Server) readContact(x *exchange) contactOutcome {
	reply, err := s.engine.ReadContact(x.contactRequest())
	return contactOutcome{reply, err}
}

// changeContact passes a command to the engine, together with the fault of its body. The engine
// judges the contact and its address first, then the fault. part is the address that the answer
// shows.
func (s *Server) changeContact(x *exchange, command commerce.Command[*commerce.Contact], part uuid.UUID, fault *commerce.Refusal) contactOutcome {
	request := x.contactRequest()
	request.Command, request.Part = command, part
	x.complete(request, fault)
	reply, err := s.engine.ChangeContact(request)
	x.useFacts(reply.Facts)
	return contactOutcome{reply, err}
}

// contactRequest returns a request on the token's contact.
func (x *exchange) contactRequest() *engine.Request {
	request := &x.request
	request.ContactID = x.facts.Visitor.CustomerID
	return request
}

// answerContact renders an answer about a contact. If a version does not match, the refusal shows
// the current address list and its ETag.
func (x *exchange) answerContact(o contactOutcome, view contactView) error {
	if o.err != nil {
		if !errors.Is(o.err, commerce.AddressBookChanged) || o.reply.Contact == nil {
			return o.err
		}
		view = appendAddressList
	}
	if err := x.makesRecord(o.reply.Size); err != nil {
		return err
	}
	x.out = view(x.out, x, &o.reply)
	return x.answerReply(&o.reply, o.err)
}

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
