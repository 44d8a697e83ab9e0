package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/openapi"
)

// orderQueryParameters are those that decodeOrderQuery reads.
var orderQueryParameters = []openapi.Parameter{
	queryOf("status", openapi.Names(commerce.OrderStatus), ""),
	queryOf("placed_from", openapi.Text, "A date, which is a whole day in UTC, or a time of RFC 3339; inclusive."),
	queryOf("placed_to", openapi.Text, "As placed_from."),
}

// orderQueryRefusals are those of its faults, by an example.
var orderQueryRefusals = []*commerce.Refusal{faultOf("status", commerce.MsgIn("status"))}

// decodeOrderQuery reads the filters of the list of orders. Of one that is sent twice the last counts,
// a blank one is absent.
func decodeOrderQuery(x *exchange) (q engine.OrderQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	if status := trim(lastArg(x, "status")); status != "" && status != commerce.OrderStatus {
		faults.Add("status", commerce.MsgIn("status"))
	}
	q.From = faults.From("placed_from", trim(lastArg(x, "placed_from")))
	q.To = faults.To("placed_to", trim(lastArg(x, "placed_to")))
	return q, faults.Refusal()
}
