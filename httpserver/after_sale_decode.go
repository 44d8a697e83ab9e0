package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// storeOrderParameters are the parameters that decodeNumberQuery reads.
var storeOrderParameters = []openapi.Parameter{
	queryOf("after", openapi.Integer.Min(0).Default(0), "The number after which the page begins."),
	queryOf("status", openapi.Names(commerce.OrderStatusNames()...), "Leaves other orders out of the page that they fall on."),
	queryOf("payment_status", openapi.Names(commerce.PaymentStatusNames()...), "Leaves other orders out of the page that they fall on."),
	queryOf("per_page", openapi.Integer.Min(1).Max(orderRows.max).Default(orderRows.standard), "Orders on a page. A number out of range is clamped."),
}

// decodeNumberQuery reads the parameters of the list of a store's orders.
func decodeNumberQuery(x *exchange) (q engine.NumberQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	if text := commerce.Trim(lastArg(x, "after")); text != "" {
		if after := faults.Amount("after", text); after != nil {
			q.After = min(int64(*after), maxPage)
		}
	}
	q.Status = statusArg(x, &faults, "status", commerce.ParseOrderStatus)
	q.Payment = statusArg(x, &faults, "payment_status", commerce.ParsePaymentStatus)
	q.Size = x.page(orderRows, 0).size
	return q, faults.Refusal()
}
