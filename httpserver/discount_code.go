package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
)

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

// handleCodesDetach removes all attached codes.
func handleCodesDetach(s *Server, x *exchange) error {
	return s.changeCart(x, commerce.DetachCode{}, nil)
}

// handleCodeDetach removes the code in the path.
func handleCodeDetach(s *Server, x *exchange) error {
	code := x.pathText("code")
	return s.changeCart(x, commerce.DetachCode{Code: &code}, nil)
}
