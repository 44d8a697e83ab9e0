package httpserver

import (
	"errors"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
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

// checkoutChecks is the addition to a kept checkout.
var checkoutChecks = include{answers.IncludeChecks, "adds the refusals that a checkout would get now."}

// keptCheckoutRefusals are examples of the refusals of a PATCH, apart from the faults of its fields.
var keptCheckoutRefusals = []*commerce.Refusal{
	faultOf("shipping_method_id", commerce.MsgIn("shipping_method_id")), faultOf("shipping_address_id", commerce.MsgIn("shipping_address_id")),
}

// handleCheckoutKeep changes what is kept of a cart's checkout: docs/api/checkout.md#a-checkout-of-several-pages.
func handleCheckoutKeep(s *Server, x *exchange) error {
	form, fault := bodies.KeptCheckout.Read(x.body)
	request, err := x.cartChange(&form, fault)
	if err != nil {
		return err
	}
	reply, err := s.engine.KeepCheckout(request)
	x.useFacts(reply.Facts)
	return s.answerKeptCheckout(x, reply, err)
}

// handleCheckoutRead shows what is kept of a cart's checkout. The cart may have any status.
func handleCheckoutRead(s *Server, x *exchange) error {
	reply, err := x.readCart()
	if err != nil {
		return err
	}
	return s.answerKeptCheckout(x, reply, nil)
}

// answerKeptCheckout renders what is kept. If a version does not match, the refusal shows the current
// ETag.
func (s *Server) answerKeptCheckout(x *exchange, reply engine.Reply, err error) error {
	x.carries(&reply)
	if err != nil && (!errors.Is(err, commerce.CartChanged) || reply.Cart == nil) {
		return err
	}
	a := x.facts
	view := answers.KeptCheckoutView{PreparedCheckout: commerce.PrepareCheckout(reply.Cart, a.Store, a.Visitor, a.Now)}
	if view.HasChecks = err == nil && x.includes(answers.IncludeChecks); view.HasChecks {
		checks, err := s.checks(x, reply.Cart)
		if err != nil {
			return err
		}
		view.Checks = checks
	}
	if failed := x.makesRecord(reply.Size); failed != nil {
		return failed
	}
	x.out = answers.KeptCheckoutAnswer.Append(x.out, view)
	return x.answerReply(&reply, err)
}

// checks are the refusals that a checkout of the cart would get now.
func (s *Server) checks(x *exchange, cart *commerce.Cart) ([]commerce.CheckoutCheck, error) {
	a := x.facts
	levels, err := s.engine.CartLevels(a.Store, cart.ID, cart.StockItems(a.Store), x.request.Deadline)
	if err != nil {
		return nil, err
	}
	sold := *cart
	if sold.OrderID, err = s.engine.OrderOf(&x.request, cart); err != nil {
		return nil, err
	}
	return commerce.CheckoutChecks(&sold, a.Store, a.Visitor, a.Now, levels), nil
}
