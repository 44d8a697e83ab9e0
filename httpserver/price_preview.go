package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// sentBasket is a decoded body; fault if it is no basket.
type sentBasket struct {
	basket commerce.Basket
	fault  *commerce.Refusal
}

// readBasket decodes the body, once.
func (x *exchange) readBasket() *sentBasket {
	if x.basket == nil {
		x.parse()
		x.basket = new(sentBasket)
		x.basket.basket, x.basket.fault = bodies.Basket.Read(x.body)
	}
	return x.basket
}

// basketToCount is the basket whose codes the admission counts; nil if the body is none, or was not kept.
func (x *exchange) basketToCount() *commerce.Basket {
	if x.in.Unread {
		return nil
	}
	if sent := x.readBasket(); sent.fault == nil {
		return &sent.basket
	}
	return nil
}

// handleBasketPrice shows what a basket would cost in a cart. It stores nothing. docs/api/price.md#rules.
func handleBasketPrice(s *Server, x *exchange) error {
	sent := x.readBasket()
	if sent.fault != nil {
		return sent.fault
	}
	basket := &sent.basket
	tries, err := s.engine.JudgeBasket(&x.request, basket)
	x.useFacts(&x.request.Facts)
	x.setNestedBudget(causeCode, &tries)
	if err != nil {
		return err
	}
	a := x.facts
	if basket.Costly(a.Store) {
		if err := x.takes(s.explaining); err != nil {
			return err
		}
		defer s.explaining.End(a.Store.ID)
	}
	if err := x.makesList(len(basket.Lines)); err != nil {
		return err
	}
	priced := basket.Price(&x.eval, a.Store, a.Visitor, a.Counts, a.Now)
	x.metrics.check(&x.eval)
	x.out = answers.PricedBasket.Append(x.out, answers.BasketView{PricedBasket: priced, Codes: x.includes(answers.IncludeErrorCodes)})
	return nil
}
