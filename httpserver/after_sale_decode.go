package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

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

// numberArg reads a number of at least least; 0 if it is absent, blank or faulty.
func numberArg(x *exchange, faults *commerce.Faults, name string, least int64) int64 {
	text := commerce.Trim(lastArg(x, name))
	if text == "" {
		return 0
	}
	n, whole := commerce.ParseWhole(text)
	switch {
	case !whole:
		faults.Add(name, commerce.MsgInteger(name))
	case n < least:
		faults.Add(name, commerce.MsgMin(name, int(least)))
	}
	return max(0, min(n, maxPage))
}

// idArg reads an id; zero if it is absent, blank or faulty.
func idArg(x *exchange, faults *commerce.Faults, name string) uuid.UUID {
	text := commerce.Trim(lastArg(x, name))
	id, ok := commerce.ParseID(text)
	if text != "" && !ok {
		faults.Add(name, commerce.MsgUUID(name))
	}
	return id
}
