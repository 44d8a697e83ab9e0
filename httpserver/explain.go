package httpserver

import "cartd/commerce"

// handleCartExplain shows how a cart's amounts come about; who may read the cart may
// read this. The routes page, Explain.
func handleCartExplain(s *Server, x *exchange) error {
	if !x.isCart {
		return x.cartNotFound()
	}
	reply, err := s.engine.ReadCart(&x.request)
	if err != nil {
		return err
	}
	a := x.facts
	x.out = appendExplanation(x.out, commerce.Explain(reply.Cart, a.Store, a.Visitor, a.Now))
	x.setTag(reply.Version())
	if x.unchanged() {
		return errNotModified
	}
	return nil
}
