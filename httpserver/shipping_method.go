package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of shipping methods. An order's method has the first three members of a row.
var (
	methodHeadShape = openapi.Object("OrderShippingMethod").
			Has("id", openapi.UUID, "").
			Has("name", openapi.Text, "").
			Has("price", moneyShape, "After shipping discounts.")
	orderMethodShape = methodHeadShape.Has("price_with_tax", moneyShape, "")
	shippingShape    = methodHeadShape.Named("ShippingMethod").
				Has("description", openapi.Text.OrNull(), "").
				Has("min_days", openapi.Integer.OrNull(), "The least number of days until delivery.").
				Has("max_days", openapi.Integer.OrNull(), "").
				Has("metadata", metadataShape, "The store document's.").
				Has("tax_rate", openapi.Number, "In per cent.").
				Has("order_total", moneyShape, "The total of the order with this method, tax included.")
	shippingMethodsAnswer = listOf("ShippingMethodList", shippingShape)

	// shippingQueryParameters are the parameters that decodeCountry reads.
	shippingQueryParameters = []openapi.Parameter{
		queryOf("country", openapi.Text, "The country of delivery, two letters in any case. Without it no country is judged."),
	}
	// shippingQueryRefusals is an example of the refusals of decodeCountry.
	shippingQueryRefusals = []*commerce.Refusal{faultOf("country", commerce.MsgSize("country", commerce.CountryLength))}
)

// handleShippingMethods lists the methods that can be chosen for the cart. The cart may have any
// status. docs/api/checkout.md#shipping-methods.
func handleShippingMethods(s *Server, x *exchange) error {
	if !x.isCart {
		return x.cartNotFound()
	}
	reply, err := s.engine.ReadCart(&x.request)
	if err != nil {
		return err
	}
	x.carries(&reply)
	country, fault := decodeCountry(x)
	if fault != nil {
		return fault
	}
	a := x.facts
	x.writeMethods(s, commerce.DeliveryOptions(reply.Cart, a.Store, a.Visitor, a.Now, country))
	return nil
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
	x.writeMethods(s, quote.State.DeliveryOptions(x.facts.Store, country))
	return nil
}

// decodeCountry reads the country of delivery; nil if it is absent or blank.
func decodeCountry(x *exchange) (*commerce.Country, *commerce.Refusal) {
	var faults commerce.Faults
	country := faults.Country("country", commerce.Trim(lastArg(x, "country")))
	return country, faults.Refusal()
}

// writeMethods writes a page of methods.
func (x *exchange) writeMethods(s *Server, methods []commerce.DeliveryOption) {
	p := x.page(shippingMethodRows, len(methods))
	from, to := p.bounds()
	x.out = append(x.out, `{"data":[`...)
	for i := from; i < to; i++ {
		x.out = appendDeliveryOption(appendComma(x.out, i-from), &methods[i])
	}
	x.out = x.appendPages(append(x.out, ']'), s, p)
}

func appendDeliveryOption(dst []byte, m *commerce.DeliveryOption) []byte {
	dst = appendShipping(dst, &commerce.OrderShipping{ID: m.ID, Name: m.Name, Price: m.Cost})
	dst = appendText(append(dst, `,"description":`...), m.Description)
	dst = appendIntOrNull(append(dst, `,"min_days":`...), m.MinDays)
	dst = appendIntOrNull(append(dst, `,"max_days":`...), m.MaxDays)
	dst = appendMetadata(append(dst, `,"metadata":`...), m.Metadata)
	dst = m.Tax.AppendJSON(append(dst, `,"tax_rate":`...))
	return append(appendMoney(append(dst, `,"order_total":`...), m.OrderTotal), '}')
}

// appendShipping writes a shipping method at a price. It leaves the object open.
func appendShipping(dst []byte, m *commerce.OrderShipping) []byte {
	dst = appendUUID(append(dst, `{"id":`...), m.ID)
	dst = appendString(append(dst, `,"name":`...), m.Name)
	return appendMoney(append(dst, `,"price":`...), m.Price)
}

func appendIntOrNull(dst []byte, n *int) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	return appendInt(dst, *n)
}
