package httpserver

import (
	"errors"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
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

// handleStoreOrderList shows the store's orders by number. docs/api/orders.md#routes.
func handleStoreOrderList(s *Server, x *exchange) error {
	query, fault := decodeNumberQuery(x)
	if fault != nil {
		return fault
	}
	room, release := x.countedRoom()
	defer release()
	query.Room = room
	page, err := s.engine.ReadStoreOrders(&x.request, &query)
	if err != nil {
		return err
	}
	if err = x.makesList(len(page.Orders) + x.linkRows()); err != nil {
		return err
	}
	return appendPage(x, answers.StoreOrderList, x.numberPages(&query, &page), slices.Values(page.Orders))
}

// numberPages returns the links and the place of a page by numbers.
func (x *exchange) numberPages(q *engine.NumberQuery, p *engine.NumberPage) *answers.Pages {
	path := x.server.scheme(x.ctx) + "://" + x.hostAndPath()
	name, first, last, next := "after", 0, max(0, int(p.Newest)-q.Size), int(p.NextAfter)
	if q.Newest {
		name, first, last, next = "before", int(p.Newest)+1, min(int(p.Newest), q.Size)+1, int(p.NextBefore)
	}
	link := pageLink(path, x.ctx.URI().QueryString(), name, "page")
	all := &answers.Pages{
		First: link.to(first), Last: link.to(last), Next: link.toIf(next, next > 0),
		Number: 1, LastNumber: 1, Path: path, Size: q.Size, Total: int(p.Total), NextAfter: int(p.NextAfter), NextBefore: int(p.NextBefore),
	}
	if n := len(p.Orders); n > 0 {
		all.From, all.To = int(p.Orders[0].Number), int(p.Orders[n-1].Number)
	}
	all.Links = []answers.PageLink{{Label: previousLabel}, {URL: all.Next, Label: nextLabel}}
	return all
}

// handleStoreOrderRead shows any order of the store. docs/api/orders.md#routes.
func handleStoreOrderRead(s *Server, x *exchange) error {
	if !x.isID {
		return x.orderNotFound()
	}
	order, err := s.engine.ReadStoreOrder(&x.request)
	return x.writeOrder(order, err, answers.StoreOrder)
}

// orderNotFound answers for an id in the path that is no UUID, and so names no order.
func (x *exchange) orderNotFound() error { return commerce.NotFound("Order", x.param("id")) }

// handlePayment, handleCancel, handleRefund, handleRefunds, handleShipment, handleShipments, handleReturns and
// handleDelivered say what became of an order. docs/api/orders.md#routes.
func handlePayment(s *Server, x *exchange) error {
	command, fault := bodies.Payment.Read(x.body)
	return s.changeOrder(x, command, fault)
}

func handleCancel(s *Server, x *exchange) error {
	command, fault := bodies.Cancel.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleRefund(s *Server, x *exchange) error {
	command, fault := bodies.Refund.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleRefunds(s *Server, x *exchange) error {
	command, fault := bodies.RefundPart.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleShipment(s *Server, x *exchange) error {
	command, fault := bodies.Shipment.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleShipments(s *Server, x *exchange) error {
	command, fault := bodies.ShipLines.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleReturns(s *Server, x *exchange) error {
	command, fault := bodies.ReturnLines.Read(x.body)
	command.PartID = uuid.New()
	return s.changeOrder(x, command, fault)
}

func handleDelivered(s *Server, x *exchange) error {
	return s.changeOrder(x, commerce.DeliverOrder{}, nil)
}

// The refusals of the routes of parts.
var (
	shipRefusals = []*commerce.Refusal{
		commerce.OrderIsCancelled, commerce.OrderIsArchived, commerce.PaymentDue, commerce.OrderIsRefunded, commerce.NothingToShip, commerce.PartsLimit,
	}
	shipPartRefusals = append([]*commerce.Refusal{commerce.ReferenceUsed}, shipRefusals...)
	cancelRefusals   = []*commerce.Refusal{
		commerce.OrderIsShipped, commerce.OrderIsCancelled, commerce.OrderIsCompleted, commerce.PaymentDue, commerce.PartsLimit, commerce.ReferenceUsed,
	}
	refundRefusals = []*commerce.Refusal{commerce.ReferenceUsed, commerce.OrderIsArchived, commerce.NotPaid, commerce.RefundTooLarge, commerce.PartsLimit}
)

var shopperCancelRefusals = []*commerce.Refusal{commerce.AlreadyPaid, commerce.NotCancellable, commerce.OrderIsShipped, commerce.OrderIsCompleted}

// handleOwnCancel ends one of the visitor's orders that waits for its payment.
// docs/api/checkout.md#cancel-an-unpaid-order
func handleOwnCancel(s *Server, x *exchange) error {
	if !x.isID {
		return x.orderNotFound()
	}
	x.request.Command = commerce.CancelByShopper{}
	x.complete(&x.request, nil)
	if err := x.roomForWrite(); err != nil {
		return err
	}
	reply, err := s.engine.ChangeOrder(&x.request)
	return x.answerOrder(&reply, err, answers.Order)
}

// handleTokenCancel is handleOwnCancel for the order of a token, for any visitor.
func handleTokenCancel(s *Server, x *exchange) error {
	x.request.Command = commerce.CancelByShopper{}
	token := x.decodedParam("token")
	if x.request.OrderID, _ = x.facts.Store.OrderOfToken(token); x.request.OrderID != uuid.Nil {
		if err := x.roomForWrite(); err != nil {
			return err
		}
	}
	reply, err := s.engine.ChangeOrderByToken(&x.request, token, func() {
		x.readKey(x.request.OrderID)
		x.complete(&x.request, nil)
	})
	return x.answerOrder(&reply, err, answers.Order)
}

// changeOrder passes a command to the engine, together with the fault of its body.
func (s *Server) changeOrder(x *exchange, command commerce.Command[*commerce.Order], fault *commerce.Refusal) error {
	if !x.isID {
		return x.orderNotFound()
	}
	x.request.Command = command
	x.complete(&x.request, fault)
	if err := x.roomForWrite(); err != nil {
		return err
	}
	reply, err := s.engine.ChangeOrder(&x.request)
	if _, pays := command.(commerce.PayOrder); pays && errors.Is(err, commerce.OrderIsCancelled) && reply.Order != nil &&
		slices.Contains(commerce.ShownReasons, reply.Order.CancelReason) {
		s.metrics.latePayments.Inc()
	}
	return x.answerOrder(&reply, err, answers.StoreOrder)
}

// answerOrder shows a changed order. If a version does not match, the refusal has the current order's ETag.
func (x *exchange) answerOrder(reply *engine.Reply, err error, as answers.Kind[*commerce.Order]) error {
	x.useFacts(reply.Facts)
	if err != nil && (!errors.Is(err, commerce.OrderChanged) || reply.Order == nil) {
		return err
	}
	if failed := x.makesRecord(reply.Size); failed != nil {
		return failed
	}
	x.server.metrics.checkOrder(reply.Order)
	x.out = as.Append(x.out, reply.Order)
	return x.answerReply(reply, err)
}

// storeOrderParameters are the parameters that decodeNumberQuery reads.
var storeOrderParameters = []openapi.Parameter{
	queryOf("number", openapi.Integer.Min(1), "Only the order with this number."),
	queryOf("customer_id", openapi.UUID, "Only the orders of this account, or of this guest."),
	queryOf("email", openapi.Text, "Only the orders of the account with this e-mail address, else of the guest with it."),
	queryOf("status", openapi.Names(commerce.OrderStatusNames()...), "Leaves other orders out of the page that they fall on."),
	queryOf("payment_status", openapi.Names(commerce.PaymentStatusNames()...), "Leaves other orders out of the page that they fall on."),
	queryOf("placed_from", openapi.Text, "A date, which stands for a whole day in UTC, or a time as in RFC 3339; inclusive."),
	queryOf("placed_to", openapi.Text, "A date or a time, as in placed_from."),
	queryOf("sort", openapi.Names("number", "newest"),
		"newest begins with the newest order. A page then looks at up to 1,000 orders to find those that are asked for."),
	queryOf("after", openapi.Integer.Min(0).Default(0), "The number after which the page begins."),
	queryOf("before", openapi.Integer.Min(0), "With sort=newest: the number before which the page begins."),
	queryOf("per_page", openapi.Integer.Min(1).Max(orderRows.max).Default(orderRows.standard), "Orders on a page. A number out of range is clamped."),
}

// storeOrderRefusals are examples of the refusals of decodeNumberQuery.
var storeOrderRefusals = append([]*commerce.Refusal{
	faultOf("customer_id", commerce.MsgUUID("customer_id")), faultOf("email", commerce.MsgEmail("email")), faultOf("sort", commerce.MsgIn("sort")),
}, orderQueryRefusals...)

// decodeNumberQuery reads the parameters of the list of a store's orders. A blank value counts as absent.
func decodeNumberQuery(x *exchange) (q engine.NumberQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	q.After = numberArg(x, &faults, "after", 0)
	q.Number = numberArg(x, &faults, "number", 1)
	q.Customer = idArg(x, &faults, "customer_id")
	if text := commerce.Trim(lastArg(x, "email")); text != "" {
		q.Email = faults.Email("email", text)
	}
	q.Status = statusArg(x, &faults, "status", commerce.ParseOrderStatus)
	q.Payment = statusArg(x, &faults, "payment_status", commerce.ParsePaymentStatus)
	q.From = faults.From("placed_from", commerce.Trim(lastArg(x, "placed_from")))
	q.To = faults.To("placed_to", commerce.Trim(lastArg(x, "placed_to")))
	switch commerce.Trim(lastArg(x, "sort")) {
	case "", "number":
	case "newest":
		q.Newest = true
	default:
		faults.Add("sort", commerce.MsgIn("sort"))
	}
	q.Before = numberArg(x, &faults, "before", 0)
	q.Size = x.page(orderRows, 0).size
	return q, faults.Refusal()
}
