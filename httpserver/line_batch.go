package httpserver

import "cartd/httpserver/bodies"

// handleLineBatch puts several products into the cart, or none: docs/api/lines.md#batch.
func handleLineBatch(s *Server, x *exchange) error {
	adds, fault := bodies.LineBatch.Read(x.body)
	for i := range adds {
		id, err := newID()
		if err != nil {
			return err
		}
		adds[i].LineID = id
	}
	return s.changeCart(x, adds, fault)
}
