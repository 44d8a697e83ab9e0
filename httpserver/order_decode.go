package httpserver

import (
	"time"

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
	moment := func(name string, end time.Duration) time.Time {
		text := trim(lastArg(x, name))
		if text == "" {
			return time.Time{}
		}
		at, ok := parseMoment(text, end)
		if !ok {
			faults.Add(name, commerce.MsgDate(name))
		}
		return at
	}
	q.From = moment("placed_from", 0)
	q.To = moment("placed_to", 24*time.Hour-time.Millisecond)
	return q, faults.Refusal()
}

// parseMoment reads a date, which stands for its beginning in UTC or for what comes so much later, or
// a time of RFC 3339.
func parseMoment(text string, later time.Duration) (time.Time, bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Add(later), true
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}
