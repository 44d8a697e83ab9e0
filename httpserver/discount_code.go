package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// codeShape is the body that attaches a code.
var codeShape = openapi.Object("DiscountCode").
	Has("code", openapi.Text.MaxLength(commerce.MaxCodeLength), "Replaces an earlier one. Letter case, and spaces around it, do not matter.")

// handleCodeAttach attaches a discount code. Spec: Cart, discount_code.
// docs/api/discounts.md#attach-and-detach.
func handleCodeAttach(s *Server, x *exchange) error {
	code, fault := decodeCode(x.body)
	request, err := x.cartChange(commerce.AttachCode{Code: code}, fault)
	if err != nil {
		return err
	}
	reply, err := s.engine.AttachCode(request)
	err = x.answerWrite(reply, err)
	x.setNestedBudget(causeCode, &reply.Nested)
	return err
}

// handleCodeDetach removes the attached code.
func handleCodeDetach(s *Server, x *exchange) error {
	return s.changeCart(x, commerce.DetachCode{}, nil)
}

// decodeCode reads the body that attaches a code. The code is not trimmed.
func decodeCode(body sentBody) (string, *commerce.Refusal) {
	f := decodeObject(body)
	value, ok := f.required("code")
	if !ok {
		return "", f.refusal()
	}
	code := f.verbatim("code", value)
	commerce.AtMost(commerce.MaxCodeLength)(&f.faults, "code", code)
	return code, f.refusal()
}
