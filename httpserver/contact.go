package httpserver

import (
	"cartd/commerce"
	"cartd/engine"

	"github.com/google/uuid"
)

// contactView writes what an answer shows of a contact.
type contactView func(dst []byte, x *exchange, reply *engine.Reply) []byte

func appendNothing(dst []byte, _ *exchange, _ *engine.Reply) []byte { return dst }

// contactOutcome is what the engine answered.
type contactOutcome struct {
	reply engine.Reply
	err   error
}

func (s *Server) readContact(x *exchange) contactOutcome {
	reply, err := s.engine.ReadContact(x.contactRequest())
	return contactOutcome{reply, err}
}

// changeContact hands a command to the engine, with what is wrong with its body: the
// contact and its address are judged before that. part is the address that the answer shows.
func (s *Server) changeContact(x *exchange, command commerce.Command[*commerce.Contact], part uuid.UUID, fault *commerce.Refusal) contactOutcome {
	request := x.contactRequest()
	request.ContactCommand, request.Part = command, part
	x.complete(request, fault)
	reply, err := s.engine.ChangeContact(request)
	x.judgedBy(reply.Facts)
	return contactOutcome{reply, err}
}

// contactRequest is a request on the token's contact.
func (x *exchange) contactRequest() *engine.Request {
	request := &x.request
	request.ContactID = x.facts.Visitor.CustomerID
	return request
}

// answerContact renders an answer about a contact. A version that does not match is
// refused with the ETag of the address list that stands there.
func (x *exchange) answerContact(o contactOutcome, view contactView) error {
	if o.err != nil {
		if o.err != error(commerce.AddressBookChanged) || o.reply.Contact == nil {
			return o.err
		}
		view = appendAddressList
	}
	x.out = view(x.out, x, &o.reply)
	x.setTag(o.reply.Version())
	if o.reply.Replayed {
		x.setReplayed()
	}
	if o.err == nil && x.unchanged() {
		return errNotModified
	}
	return o.err
}
