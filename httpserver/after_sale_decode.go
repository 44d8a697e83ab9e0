package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of requests about orders.
var (
	paymentRequestShape = openapi.Object("PaymentRequest").
				Has("reference", openapi.Text.MaxLength(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.").
				Has("amount", openapi.Integer.Min(0), "The order's total, in minor units.")
	cancelRequestShape = openapi.Object("CancelRequest").
				May("reason", openapi.Text.MaxLength(commerce.MaxCancelReason).OrNull(), "Not shown to the customer.").
				May("restock", openapi.Boolean.Default(true), "Whether the stock that the sale took comes back.")
	refundRequestShape = openapi.Object("RefundRequest").
				May("reference", openapi.Text.MaxLength(commerce.MaxPaymentReference).OrNull(), "The payment provider's.")
	shipmentRequestShape = openapi.Object("ShipmentRequest").
				May("carrier", openapi.Text.MaxLength(commerce.MaxCarrier).OrNull(), "").
				May("tracking_number", openapi.Text.MaxLength(commerce.MaxTrackingNumber).OrNull(), "").
				May("tracking_url", openapi.Text.MaxLength(commerce.MaxTrackingURL).OrNull(), "")
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

func decodePayment(body sentBody) (p commerce.PayOrder, refusal *commerce.Refusal) {
	f := decodeObject(body)
	p.Reference = textOf(f.requiredText("reference", commerce.AtMost(commerce.MaxPaymentReference)))
	if value, _ := f.object.Get("amount"); missing(value) {
		f.faults.Add("amount", commerce.MsgRequired("amount"))
	} else if amount := f.amount("amount"); amount != nil {
		p.Amount = *amount
	}
	return p, f.refusal()
}

func decodeCancel(body sentBody) (c commerce.CancelOrder, refusal *commerce.Refusal) {
	f := decodeObject(body)
	c.Reason = textOf(f.nullableText("reason", commerce.AtMost(commerce.MaxCancelReason)))
	restock := f.boolean("restock")
	c.Restock = restock == nil || *restock
	return c, f.refusal()
}

func decodeRefund(body sentBody) (r commerce.RefundOrder, refusal *commerce.Refusal) {
	f := decodeObject(body)
	r.Reference = textOf(f.nullableText("reference", commerce.AtMost(commerce.MaxPaymentReference)))
	return r, f.refusal()
}

func decodeShipment(body sentBody) (s commerce.ShipOrder, refusal *commerce.Refusal) {
	f := decodeObject(body)
	s.Carrier = textOf(f.nullableText("carrier", commerce.AtMost(commerce.MaxCarrier)))
	s.TrackingNumber = textOf(f.nullableText("tracking_number", commerce.AtMost(commerce.MaxTrackingNumber)))
	s.TrackingURL = textOf(f.nullableText("tracking_url", commerce.AtMost(commerce.MaxTrackingURL)))
	return s, f.refusal()
}

// minutes reads payment_minutes. The store decides whether it counts.
func (f *fields) minutes(name string) (asked commerce.AskedMinutes) {
	value, _ := f.object.Get(name)
	if value.Kind() == strictjson.Null || blank(value) {
		return asked
	}
	asked.Sent = true
	if value.Kind() == strictjson.Number {
		asked.Number = string(value)
	}
	return asked
}
