package httpserver

import "cartd/commerce"

// contactView writes what an answer shows of a contact.
type contactView func(dst []byte, x *exchange, reply *commerce.ContactReply) []byte

func appendNothing(dst []byte, _ *exchange, _ *commerce.ContactReply) []byte { return dst }

// contactOutcome is what the engine answered.
type contactOutcome struct {
	reply commerce.ContactReply
	err   error
}

func (s *Server) readContact(x *exchange) contactOutcome {
	reply, err := s.engine.ReadContact(x.contactRequest())
	return contactOutcome{reply, err}
}

// changeContact hands a command to the engine, with what is wrong with its body: the
// contact and its address are judged before that.
func (s *Server) changeContact(x *exchange, command commerce.ContactCommand, fault *commerce.Refusal) contactOutcome {
	request := x.contactRequest()
	request.Command, request.Fault, request.Match = command, fault, x.match()
	if x.keyFault != nil {
		request.Fault = x.keyFault
	}
	reply, err := s.engine.ChangeContact(request)
	return contactOutcome{reply, err}
}

// contactRequest is new for each request: the engine may hold it beyond the answer.
func (x *exchange) contactRequest() *commerce.ContactRequest {
	return &commerce.ContactRequest{
		Admission: *x.admission,
		Contact:   x.admission.Visitor.CustomerID,
		Key:       x.key,
		Began:     x.ask.Began,
		Deadline:  x.ask.Deadline,
	}
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
	x.setTag(o.reply.Stamp.Version(o.reply.Place))
	if o.reply.Replayed {
		x.setReplayed()
	}
	if o.err == nil && x.unchanged() {
		return errNotModified
	}
	return o.err
}
