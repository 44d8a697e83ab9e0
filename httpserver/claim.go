package httpserver

import "cartd/internal/answers"

// handleCartClaim binds the cart to the token's account and folds the account's other active carts into
// it: docs/api/carts.md#claim.
func handleCartClaim(s *Server, x *exchange) error {
	request, err := x.cartChange(nil, nil)
	if err != nil {
		return err
	}
	reply, err := s.engine.ClaimCart(request)
	if err = x.answerWrite(reply, err); err == nil && x.includes(answers.IncludeMergeReport) {
		// The ETag stays the one of the envelope alone, which later reads have.
		x.out = answers.ClaimAnswer.Append(x.out[:0], answers.ClaimView{CartAnswerView: x.cartView(), Report: reply.Report})
	}
	return err
}
