package httpserver

import (
	"errors"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
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

// contactParameters are the parameters of handleContactList.
var contactParameters = cursorQuery(
	queryOf("email", openapi.Text, "The account with this e-mail address, and the guest of it if there is a record, an order or a quote."),
	queryOf("external_id", openapi.Text, "The account with this external id."),
	queryOf("q", openapi.Text.MinLength(minName).MaxLength(maxPart), "Accounts whose company, or last and first name, begins so, without case and accents."),
	queryOf("awaiting", openapi.Names("true"), "Businesses that await approval, the oldest first."))

// minName is the least number of characters of a name that is searched.
const minName = 2

// contactRefusals are examples of the refusals of handleContactList.
var contactRefusals = []*commerce.Refusal{
	faultOf("q", commerce.MsgRequired("q")), faultOf("email", commerce.MsgEmail("email")), faultOf("after", commerce.MsgIn("after")),
}

// handleContactList finds contacts: docs/api/merchant.md#customers.
func handleContactList(s *Server, x *exchange) error {
	query := engine.ContactQuery{ExternalID: lastArg(x, "external_id"), Awaiting: lastArg(x, "awaiting") == "true"}
	var faults commerce.Faults
	if text := commerce.Trim(lastArg(x, "email")); text != "" {
		query.Email = faults.Email("email", text)
	}
	name := commerce.Trim(lastArg(x, "q"))
	switch {
	case name != "":
		if utf8.RuneCountInString(name) < minName {
			faults.Add("q", commerce.MsgMinCharacters("q", minName))
		}
		commerce.AtMost(maxPart)(&faults, "q", name)
		query.Name = name
	case query.Email == "" && query.ExternalID == "" && !query.Awaiting && faults.Refusal() == nil:
		faults.Add("q", commerce.MsgRequired("q"))
	}
	query.After, query.Size = x.cursor()
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	page, err := s.engine.FindContacts(&x.request, &query)
	if err != nil {
		return err
	}
	rows := make([]answers.ProfileView, len(page.Contacts))
	for i, contact := range page.Contacts {
		rows[i] = x.profile(contact)
	}
	return writeCursorPage(x, answers.StoreContactList, rows, query.Size, page.NextAfter)
}

// handleContactRead shows a contact, a guest too.
func handleContactRead(s *Server, x *exchange) error {
	found, err := s.engine.ReadStoreContact(&x.request, x.param("id"))
	if err != nil {
		return err
	}
	if err = x.makesRecord(found.Size); err != nil {
		return err
	}
	x.out = answers.StoreContact.Append(x.out, x.profile(found.State))
	return x.answerVersion(found.Stamp.Version(0), nil)
}

// standingRefusals are examples of the refusals of handleContactPatch.
var standingRefusals = []*commerce.Refusal{
	faultOf("approved", commerce.MsgIn("approved")), faultOf("customer_group_id", commerce.MsgIn("customer_group_id")),
	faultOf("reverse_charge", commerce.MsgIn("reverse_charge")),
}

// handleContactPatch changes what the merchant decides about an account.
func handleContactPatch(s *Server, x *exchange) error {
	if x.request.ContactID == uuid.Nil {
		return commerce.NotFound("Contact", x.param("id"))
	}
	change, fault := bodies.ContactStanding.Read(x.body)
	x.request.Command = &change
	x.complete(&x.request, fault)
	reply, err := s.engine.ChangeStoreContact(&x.request)
	x.useFacts(reply.Facts)
	if err != nil && (reply.Contact == nil || !errors.Is(err, commerce.ContactChanged)) {
		return err
	}
	if failed := x.makesRecord(reply.Size); failed != nil {
		return failed
	}
	x.out = answers.StoreContact.Append(x.out, x.profile(reply.Contact))
	return x.answerReply(&reply, err)
}
