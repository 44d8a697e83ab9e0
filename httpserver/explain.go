package httpserver

import (
	"runtime"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
	"cartd/internal/turns"
)

// handleCartExplain shows the calculation of a cart's amounts, and the refusals that a checkout would
// get now. A visitor who may read the cart may read this. docs/api/discounts.md#explain.
func handleCartExplain(s *Server, x *exchange) error {
	reply, err := x.readCart()
	if err != nil {
		return err
	}
	x.carries(&reply)
	a := x.facts
	checks, err := s.checks(x, reply.Cart)
	if err != nil {
		return err
	}
	if reserved := recordGrowth * reply.Size; reserved > largeAnswer { // ahead of both waits
		if err := x.charged(reserved); err != nil {
			return err
		}
	}
	if err := x.takes(s.explaining); err != nil {
		return err
	}
	defer s.explaining.End(a.Store.ID)
	if err := x.makesRecord(reply.Size); err != nil {
		return err
	}
	x.out = answers.Explanation.Append(x.out, answers.ExplanationView{
		Explanation: commerce.Explain(reply.Cart, a.Store, a.Visitor, a.Now, explainedDiscount(x)),
		Checks:      checks,
	})
	return x.answerVersion(reply.Version(), nil)
}

// newExplanations are the turns of explanations. One of 500 lines and 500 discounts takes 10 ms of a
// processor: many of them together would delay all other requests, so they leave half of the processors.
func newExplanations() *turns.Turns {
	n := max(1, runtime.GOMAXPROCS(0)/2)
	return turns.New(n, n, turns.Unbounded)
}

// explainParameters are the parameters that explainedDiscount reads.
var explainParameters = []openapi.Parameter{
	queryOf("discount_id", openapi.Text, "Lists the shares of this discount only."),
}

// explainedDiscount is the discount whose shares are asked for; nil for all, zero if the text is no
// id.
func explainedDiscount(x *exchange) *uuid.UUID {
	text := lastArg(x, "discount_id")
	if blankText(text) {
		return nil
	}
	id, _ := commerce.ParseID(text)
	return &id
}
