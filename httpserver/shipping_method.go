package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/openapi"
)

// The shapes of shipping methods.
var (
	shippingShape = openapi.Object("ShippingMethod").
			Has("id", openapi.UUID, "").
			Has("name", openapi.Text, "").
			Has("price", moneyShape, "After shipping discounts.")
	shippingMethodsAnswer = listOf("ShippingMethodList", shippingShape)
)

// handleShippingMethods lists the store's shipping methods at their prices for the cart. The cart
// may have any status. The lifecycle page, Shipping methods.
func handleShippingMethods(s *Server, x *exchange) error {
	if !x.isCart {
		return x.cartNotFound()
	}
	reply, err := s.engine.ReadCart(&x.request)
	if err != nil {
		return err
	}
	x.carries(&reply)
	a := x.facts
	methods := a.Store.ShippingMethods
	prices := commerce.DeliveryPrices(reply.Cart, a.Store, a.Visitor, a.Now)
	p := x.page(shippingMethodRows, len(methods))
	from, to := p.bounds()
	x.out = append(x.out, `{"data":[`...)
	for i := from; i < to; i++ {
		x.out = append(appendShipping(appendComma(x.out, i-from), &commerce.OrderShipping{ID: methods[i].ID, Name: methods[i].Name, Price: prices[i]}), '}')
	}
	x.out = x.appendPages(append(x.out, ']'), s, p)
	return nil
}

// appendShipping writes a shipping method at a price. It leaves the object open.
func appendShipping(dst []byte, m *commerce.OrderShipping) []byte {
	dst = appendUUID(append(dst, `{"id":`...), m.ID)
	dst = appendString(append(dst, `,"name":`...), m.Name)
	return appendMoney(append(dst, `,"price":`...), m.Price)
}
