package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// handleAddressList shows the contact's addresses. Spec: GET list.
func handleAddressList(s *Server, x *exchange) error {
	return x.answerContact(s.readContact(x), appendAddressList)
}

// handleAddressAdd makes an address. Spec: POST create body.
func handleAddressAdd(s *Server, x *exchange) error {
	sent, fault := bodies.AddressAdd.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	address := commerce.Address{ID: id}
	sent.Set(&address)
	return x.answerContact(s.changeContact(x, commerce.AddAddress{Address: address}, id, fault), appendOneAddress)
}

// handleAddressPatch changes an address. Spec: PATCH body (Addresses).
func handleAddressPatch(s *Server, x *exchange) error {
	sent, fault := bodies.AddressPatch.Read(x.body)
	patch := commerce.PatchAddress{AddressID: x.param("id"), Fields: sent}
	id, _ := commerce.ParseID(patch.AddressID) // an invalid id names no address
	return x.answerContact(s.changeContact(x, patch, id, fault), appendOneAddress)
}

// handleAddressRemove deletes an address softly. Spec: Address, rule 3.
func handleAddressRemove(s *Server, x *exchange) error {
	remove := commerce.RemoveAddress{AddressID: x.param("id")}
	return x.answerContact(s.changeContact(x, remove, uuid.Nil, nil), appendNothing)
}

func appendAddressList(dst []byte, _ *exchange, reply *engine.Reply) []byte {
	return answers.AddressesAnswer.Append(dst, reply.Contact)
}

func appendOneAddress(dst []byte, _ *exchange, reply *engine.Reply) []byte {
	return answers.AddressAnswer.Append(dst, reply.Contact.Address(reply.Part))
}
