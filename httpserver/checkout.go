package httpserver

import (
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// checkoutRefusals are the refusals of a checkout apart from the faults of its fields.
// docs/api/checkout.md#what-a-checkout-decides.
var checkoutRefusals = []*commerce.Refusal{
	commerce.ProductUnavailable, commerce.NotPurchasable, commerce.CapabilityInactive, commerce.ChooseVariant, commerce.VariantUnavailable,
	commerce.ConfigurationInvalid, commerce.QuantityNotWhole,
	commerce.LoginRequired, commerce.GuestsOnly, commerce.ApprovalRequired, commerce.ConsumersOnly, commerce.BusinessesOnly, commerce.MinOrderNotReached,
	commerce.QuoteRequired, commerce.TotalChanged, commerce.OutOfStock,
}

// handleCheckout sells the cart, or shows its order if the cart is sold already:
// docs/api/checkout.md#what-a-checkout-decides.
func handleCheckout(s *Server, x *exchange) error {
	form, fault := bodies.Checkout.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	request, err := x.cartChange(&commerce.Checkout{OrderID: id, CheckoutForm: form}, fault)
	if err != nil {
		return err
	}
	reply, err := s.engine.Checkout(request)
	if err != nil {
		return x.answerWrite(reply, err)
	}
	x.useFacts(reply.Facts)
	s.metrics.business.sold(x, &reply, reply.Order)
	if err = x.makesRecord(reply.Size); err != nil {
		return err
	}
	x.out = answers.OrderAnswer.Append(x.out, reply.Order)
	x.setOrderToken(reply.Order)
	if reply.Existing {
		x.status = fasthttp.StatusOK
	}
	return x.answerReply(&reply, nil)
}

// setOrderToken shows the token of an order that was made.
func (x *exchange) setOrderToken(o *commerce.Order) {
	x.setHeader(headerOrderToken, x.facts.Store.OrderToken(o.ID))
}
