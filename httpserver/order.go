package httpserver

import (
	"slices"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

// handleOrderList shows the visitor's orders, newest first: docs/api/checkout.md#orders.
func handleOrderList(s *Server, x *exchange) error {
	query, fault := decodeOrderQuery(x)
	if fault != nil {
		return fault
	}
	var p page
	query.Page = func(total int) (from, to int) {
		p = x.page(orderRows, total)
		return p.bounds()
	}
	query.Room = x.room
	found, err := s.engine.ReadOrders(&x.request, &query)
	if err != nil {
		return err
	}
	return writePage(x, answers.OrderList, p, slices.Values(found.Orders))
}

// handleOrderRead shows one of the visitor's orders.
func handleOrderRead(s *Server, x *exchange) error {
	order, err := s.engine.ReadOrder(&x.request, x.param("id"))
	return x.writeOrder(order, err, answers.Order)
}

// handleOrderByToken shows the order of a token, for any visitor.
func handleOrderByToken(s *Server, x *exchange) error {
	order, err := s.engine.ReadOrderByToken(&x.request, x.decodedParam("token"))
	return x.writeOrder(order, err, answers.Order)
}

func (x *exchange) writeOrder(order *engine.Record[*commerce.Order], err error, as answers.Kind[*commerce.Order]) error {
	if err != nil {
		return err
	}
	if err = x.makesRecord(order.Size); err != nil {
		return err
	}
	x.out = as.Append(x.out, order.State)
	return x.answerVersion(order.Stamp.Version(0), nil)
}
