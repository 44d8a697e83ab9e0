package httpserver

import (
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// checkoutRefusals are those of a checkout, beside the faults of its fields. The lifecycle page,
// Checkout.
var checkoutRefusals = []*commerce.Refusal{
	commerce.ProductUnavailable, commerce.NotPurchasable, commerce.CapabilityInactive, commerce.ChooseVariant, commerce.VariantUnavailable,
	commerce.ConfigurationInvalid, commerce.QuantityNotWhole,
	commerce.LoginRequired, commerce.GuestsOnly, commerce.ApprovalRequired, commerce.ConsumersOnly, commerce.BusinessesOnly, commerce.MinOrderNotReached,
	commerce.QuoteRequired, commerce.TotalChanged, commerce.OutOfStock,
}

// handleCheckout sells the cart, or shows the order that it has become. The lifecycle page, Checkout.
func handleCheckout(s *Server, x *exchange) error {
	form, fault := decodeCheckout(x.body())
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
	x.judgedBy(reply.Facts)
	x.leaves(reply.Answered)
	x.out = append(AppendOrder(append(x.out, `{"data":`...), reply.Order), '}')
	x.tagWrite(&reply)
	if reply.Existing {
		x.status = fasthttp.StatusOK
	}
	return nil
}

// appendShort writes an item that is short.
func appendShort(dst []byte, s *commerce.StockShort) []byte {
	dst = appendStockOf(dst, s.ProductID, s.VariantID)
	dst = s.Requested.AppendJSON(append(dst, `,"requested":`...))
	return s.Available.AppendJSON(append(dst, `,"available":`...))
}
