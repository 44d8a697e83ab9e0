package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/openapi"
)

// orderQueryParameters are the parameters that decodeOrderQuery reads.
var orderQueryParameters = []openapi.Parameter{
	queryOf("status", openapi.Names(commerce.OrderStatus), ""),
	queryOf("placed_from", openapi.Text, "A date, which stands for a whole day in UTC, or a time as in RFC 3339; inclusive."),
	queryOf("placed_to", openapi.Text, "A date or a time, as in placed_from."),
}

// orderQueryRefusals is an example of the refusals of decodeOrderQuery.
var orderQueryRefusals = []*commerce.Refusal{faultOf("status", commerce.MsgIn("status"))}

// decodeOrderQuery reads the filters of the list of orders. Of a filter sent twice the last value
// counts. A blank value counts as absent.
func decodeOrderQuery(x *exchange) (q engine.OrderQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	if status := commerce.Trim(lastArg(x, "status")); status != "" && status != commerce.OrderStatus {
		faults.Add("status", commerce.MsgIn("status"))
	}
	q.From = faults.From("placed_from", commerce.Trim(lastArg(x, "placed_from")))
	q.To = faults.To("placed_to", commerce.Trim(lastArg(x, "placed_to")))
	return q, faults.Refusal()
}
