package httpserver

import (
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// handleBasketPrice shows what a basket would cost in a cart. It stores nothing. docs/api/price.md#rules.
func handleBasketPrice(s *Server, x *exchange) error {
	basket, fault := bodies.Basket.Read(x.body)
	if fault != nil {
		return fault
	}
	tries, err := s.engine.JudgeBasket(&x.request, &basket)
	x.useFacts(&x.request.Facts)
	x.setNestedBudget(causeCode, &tries)
	if err != nil {
		return err
	}
	a := x.facts
	if basket.Dear(a.Store) {
		if err := s.explaining.begin(a.Store.ID, x.request.Deadline); err != nil {
			return err
		}
		defer s.explaining.end(a.Store.ID)
	}
	priced := basket.Price(&x.eval, a.Store, a.Visitor, a.Counts, a.Now)
	x.metrics.check(&x.eval, a.Store.PricesIncludeTax)
	x.out = answers.PricedBasket.Append(x.out, answers.BasketView{PricedBasket: priced, Codes: x.includes(answers.IncludeErrorCodes)})
	return nil
}
