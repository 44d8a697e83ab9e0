package httpserver

import (
	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

var (
	// shippingQueryParameters are the parameters that decodeCountry reads.
	shippingQueryParameters = []openapi.Parameter{
		queryOf("country", openapi.Text, "The country of delivery and of the tax, two letters in any case. Without it no country is judged."),
	}
	// shippingQueryRefusals is an example of the refusals of decodeCountry.
	shippingQueryRefusals = []*commerce.Refusal{faultOf("country", commerce.MsgSize("country", commerce.CountryLength))}
)

// handleShippingMethods lists the methods that can be chosen for the cart. The cart may have any
// status. docs/api/checkout.md#shipping-methods.
func handleShippingMethods(s *Server, x *exchange) error {
	reply, err := x.readCart()
	if err != nil {
		return err
	}
	x.carries(&reply)
	country, fault := decodeCountry(x)
	if fault != nil {
		return fault
	}
	a := x.facts
	return x.writeMethods(commerce.DeliveryOptions(reply.Cart, a.Store, a.Visitor, a.Now, country))
}

// handleQuoteShippingMethods lists the methods that can be chosen for the quote.
func handleQuoteShippingMethods(s *Server, x *exchange) error {
	quote, err := s.engine.ReadQuote(&x.request)
	if err != nil {
		return err
	}
	country, fault := decodeCountry(x)
	if fault != nil {
		return fault
	}
	methods, refusal := quote.State.DeliveryOptions(x.facts.Store, country)
	if refusal != nil {
		return refusal
	}
	return x.writeMethods(methods)
}

// writeMethods writes a page of methods.
func (x *exchange) writeMethods(methods []commerce.DeliveryOption) error {
	p := x.page(shippingMethodRows, len(methods))
	from, to := p.bounds()
	return writePage(x, answers.ShippingMethodList, p, pointers(methods[from:to]))
}
