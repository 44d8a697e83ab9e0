package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of orders for the merchant's own systems.
var (
	storePaymentShape = paymentShape.Named("StorePayment").Has("reference", openapi.Text.OrNull(), "The one of the recorded payment.")
	storeOrderShape   = orderRest(orderHeadShape("StoreOrder", storePaymentShape, openapi.Text).
				Has("restocked", openapi.Boolean, "Whether a cancel returned stock.").
				Has("lines", openapi.List(orderLineShape), ""))
	storeOrdersAnswer = openapi.Object("StoreOrderList").
				Has("data", openapi.List(storeOrderShape), "").
				Has("links", pageLinksShape, "next repeats the query with `after`; prev is null.").
				Has("meta", pageMetaShape.Named("NumberPageMeta").Has("next_after", openapi.Integer.OrNull(), "The `after` of the next page; null at the end."), "from and to are the numbers of the page's first and last order.")
)

// appendAfterSale writes what became of an order, as its customer sees it.
func appendAfterSale(dst []byte, o *commerce.Order) []byte {
	dst = append(appendPayment(dst, &o.Payment), '}')
	reason := ""
	if o.CancelReason == commerce.UnpaidReason {
		reason = o.CancelReason
	}
	return appendCancel(appendShipment(dst, o.Shipment), o, reason)
}

// appendStoreAfterSale writes what became of an order, as the merchant sees it.
func appendStoreAfterSale(dst []byte, o *commerce.Order) []byte {
	dst = appendPayment(dst, &o.Payment)
	dst = append(appendText(append(dst, `,"reference":`...), o.Payment.Reference), '}')
	dst = appendCancel(appendShipment(dst, o.Shipment), o, o.CancelReason)
	return strconv.AppendBool(append(dst, `,"restocked":`...), o.Restocked)
}

// appendPayment writes a payment. It leaves the object open.
func appendPayment(dst []byte, p *commerce.Payment) []byte {
	dst = append(dst, `,"payment":{"status":"`+p.Status().String()+`","paid_at":`...)
	dst = appendTimeOrNull(dst, p.PaidAt)
	return appendTimeOrNull(append(dst, `,"due_at":`...), p.DueAt)
}

func appendShipment(dst []byte, s *commerce.Shipment) []byte {
	dst = append(dst, `,"shipment":`...)
	if s == nil {
		return append(dst, "null"...)
	}
	dst = appendText(append(dst, `{"carrier":`...), s.Carrier)
	dst = appendText(append(dst, `,"tracking_number":`...), s.TrackingNumber)
	dst = appendText(append(dst, `,"tracking_url":`...), s.TrackingURL)
	dst = appendTime(append(dst, `,"shipped_at":`...), s.ShippedAt)
	return append(appendTimeOrNull(append(dst, `,"delivered_at":`...), s.DeliveredAt), '}')
}

func appendCancel(dst []byte, o *commerce.Order, reason string) []byte {
	dst = appendTimeOrNull(append(dst, `,"cancelled_at":`...), o.CancelledAt)
	return appendText(append(dst, `,"cancel_reason":`...), reason)
}
