package httpserver

import (
	"errors"
	"strconv"

	"cartd/commerce"
	"cartd/engine"
)

// handleStoreOrderList shows the store's orders by number. After the sale: GET orders.
func handleStoreOrderList(s *Server, x *exchange) error {
	query, fault := decodeNumberQuery(x)
	if fault != nil {
		return fault
	}
	reserved := 0
	query.Room = func(bytes int) error {
		reserved += bytes
		return x.room(bytes)
	}
	page, err := s.engine.ReadStoreOrders(&x.request, &query)
	defer func() { _ = x.room(-reserved) }()
	if err != nil {
		return err
	}
	x.out = append(x.out, `{"data":[`...)
	for i, order := range page.Orders {
		x.out = AppendStoreOrder(appendComma(x.out, i), order, true)
		if err := x.grown(); err != nil {
			return err
		}
	}
	x.out = x.appendNumberPage(append(x.out, ']'), s, &query, &page)
	return nil
}

// appendNumberPage writes links and meta of a page by numbers, and ends the envelope.
func (x *exchange) appendNumberPage(dst []byte, s *Server, q *engine.NumberQuery, p *engine.NumberPage) []byte {
	path := s.scheme(x.ctx) + "://" + x.hostAndPath()
	link := pageLink(path, x.ctx.URI().QueryString(), "after", "page")
	next, newest := int(p.NextAfter), int(p.Newest)
	dst = link.append(append(dst, `,"links":{"first":`...), 0)
	dst = link.append(append(dst, `,"last":`...), max(0, newest-q.Size))
	dst = link.appendIf(append(dst, `,"prev":null,"next":`...), next, next > 0)
	dst = append(dst, `},"meta":{"current_page":1,"from":`...)
	var from, to int64
	if n := len(p.Orders); n > 0 {
		from, to = p.Orders[0].Number, p.Orders[n-1].Number
	}
	dst = appendIntIf(dst, int(from), from > 0)
	dst = append(dst, `,"last_page":1,"links":[`...)
	dst = link.appendOne(dst, 0, false, "&laquo; Previous", false)
	dst = link.appendOne(append(dst, ','), next, next > 0, "Next &raquo;", false)
	dst = appendString(append(dst, `],"path":`...), path)
	dst = appendInt(append(dst, `,"per_page":`...), q.Size)
	dst = appendIntIf(append(dst, `,"to":`...), int(to), to > 0)
	dst = strconv.AppendInt(append(dst, `,"total":`...), p.Total, 10)
	dst = appendIntIf(append(dst, `,"next_after":`...), next, next > 0)
	return append(dst, "}}"...)
}

// handleStoreOrderRead shows any order of the store. After the sale: GET orders/{id}.
func handleStoreOrderRead(s *Server, x *exchange) error {
	if !x.isOrder {
		return x.orderNotFound()
	}
	order, err := s.engine.ReadStoreOrder(&x.request)
	if err != nil {
		return err
	}
	x.out = AppendStoreOrder(x.out, order.State, true)
	x.setTag(order.Stamp.Version(0))
	if x.unchanged() {
		return errNotModified
	}
	return nil
}

// orderNotFound answers for an id in the path that is no UUID, and so names no order.
func (x *exchange) orderNotFound() error { return commerce.NotFound("Order", x.param("id")) }

// handlePayment, handleCancel, handleRefund, handleShipment and handleDelivered say what became of an
// order. After the sale.
func handlePayment(s *Server, x *exchange) error {
	command, fault := decodePayment(x.body)
	return s.changeOrder(x, command, fault)
}

func handleCancel(s *Server, x *exchange) error {
	command, fault := decodeCancel(x.body)
	return s.changeOrder(x, command, fault)
}

func handleRefund(s *Server, x *exchange) error {
	command, fault := decodeRefund(x.body)
	return s.changeOrder(x, command, fault)
}

func handleShipment(s *Server, x *exchange) error {
	command, fault := decodeShipment(x.body)
	return s.changeOrder(x, command, fault)
}

func handleDelivered(s *Server, x *exchange) error {
	return s.changeOrder(x, commerce.DeliverOrder{}, nil)
}

// changeOrder passes a command to the engine, together with the fault of its body. If a version does
// not match, the refusal has the current order's ETag.
func (s *Server) changeOrder(x *exchange, command commerce.Command[*commerce.Order], fault *commerce.Refusal) error {
	if !x.isOrder {
		return x.orderNotFound()
	}
	x.request.OrderCommand = command
	x.complete(&x.request, fault)
	reply, err := s.engine.ChangeOrder(&x.request)
	x.useFacts(reply.Facts)
	if _, pays := command.(commerce.PayOrder); pays && errors.Is(err, commerce.OrderIsCancelled) && reply.Order != nil && reply.Order.CancelReason == commerce.UnpaidReason {
		s.metrics.latePayments.Inc()
	}
	if err != nil && (!errors.Is(err, commerce.OrderChanged) || reply.Order == nil) {
		return err
	}
	x.out = AppendStoreOrder(x.out, reply.Order, true)
	x.tagWrite(&reply)
	return err
}
