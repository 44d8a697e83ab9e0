package httpserver

import (
	"slices"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/openapi"
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

// orderQueryParameters are the parameters that decodeOrderQuery reads.
var orderQueryParameters = []openapi.Parameter{
	queryOf("status", openapi.Names(commerce.OrderStatusNames()...), "Leaves other orders out of the page that they fall on; `total` counts them."),
	queryOf("placed_from", openapi.Text, "A date, which stands for a whole day in UTC, or a time as in RFC 3339; inclusive."),
	queryOf("placed_to", openapi.Text, "A date or a time, as in placed_from."),
}

// orderQueryRefusals is an example of the refusals of decodeOrderQuery.
var orderQueryRefusals = []*commerce.Refusal{faultOf("status", commerce.MsgIn("status"))}

// decodeOrderQuery reads the filters of the list of orders. Of a filter sent twice the last value
// counts. A blank value counts as absent.
func decodeOrderQuery(x *exchange) (q engine.OrderQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	q.Status = statusArg(x, &faults, "status", commerce.ParseOrderStatus)
	q.From = faults.From("placed_from", commerce.Trim(lastArg(x, "placed_from")))
	q.To = faults.To("placed_to", commerce.Trim(lastArg(x, "placed_to")))
	return q, faults.Refusal()
}

// statusArg reads a filter by status; nil if it is absent or blank.
func statusArg[S any](x *exchange, faults *commerce.Faults, name string, parse func(string) (S, bool)) *S {
	text := commerce.Trim(lastArg(x, name))
	if text == "" {
		return nil
	}
	status, ok := parse(text)
	if !ok {
		faults.Add(name, commerce.MsgIn(name))
	}
	return &status
}
