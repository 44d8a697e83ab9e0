package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// codesRefusals are examples of the refusals of a request for codes.
var codesRefusals = []*commerce.Refusal{faultOf("batch", commerce.MsgIn("batch")), commerce.TooFewCodes(0)}

// handleCodeAttach attaches a discount code. Spec: Cart, discount_code.
// docs/api/discounts.md#attach-and-detach.
func handleCodeAttach(s *Server, x *exchange) error {
	code, fault := bodies.DiscountCode.Read(x.body)
	request, err := x.cartChange(commerce.AttachCode{Code: code}, fault)
	if err != nil {
		return err
	}
	reply, err := s.engine.AttachCode(request)
	err = x.answerWrite(reply, err)
	x.setNestedBudget(causeCode, &reply.Nested)
	return err
}

// givenCode is the estimate of a code in an answer, in bytes.
const givenCode = 32

// handleCodesGive gives codes of a batch. A discount that does not exist comes ahead of faults of the body.
func handleCodesGive(s *Server, x *exchange) error {
	id, ok := commerce.ParseID(x.param("id"))
	if !ok || x.facts.Store.Discount(id) == nil {
		return commerce.NotFound("Discount", x.param("id"))
	}
	x.request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		return x.keyFault
	}
	asked, fault := bodies.CodeRequest.Read(x.body)
	if fault != nil {
		return fault
	}
	asked.Discount = id
	given, err := s.engine.GiveCodes(&x.request, &asked)
	if err != nil {
		return err
	}
	x.setReplayed(given.Replayed)
	if err = x.makes(int(given.Count) * givenCode); err != nil {
		return err
	}
	x.out = answers.GivenCodes.Append(x.out, &given)
	return nil
}

// handleCodesDetach removes all attached codes.
func handleCodesDetach(s *Server, x *exchange) error {
	return s.changeCart(x, commerce.DetachCode{}, nil)
}

// handleCodeDetach removes the code in the path.
func handleCodeDetach(s *Server, x *exchange) error {
	code := x.decodedParam("code")
	return s.changeCart(x, commerce.DetachCode{Code: &code}, nil)
}

// usesParameters are the parameters of handleDiscountUses.
var usesParameters = []openapi.Parameter{
	queryOf("code", openapi.Text, "A code of the discount, active, whose uses are asked for."),
	queryOf("customer_id", openapi.UUID, "A customer whose uses are asked for."),
}

// handleDiscountUses shows how often a discount was used.
func handleDiscountUses(s *Server, x *exchange) error {
	var faults commerce.Faults
	customer := idArg(x, &faults, "customer_id")
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	uses, err := s.engine.ReadDiscountUses(&x.request, x.param("id"), lastArg(x, "code"), customer)
	if err == nil {
		x.out = answers.DiscountUses.Append(x.out, &uses)
	}
	return err
}
