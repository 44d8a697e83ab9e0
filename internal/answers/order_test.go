package answers

import (
	"math/rand/v2"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

func slowTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}

func slowAddress(a *commerce.Address) any {
	if a == nil {
		return nil
	}
	shown := object{
		"label", orNull(a.Label), "name", a.Name, "street", a.Street, "postal_code", a.PostalCode, "city", a.City, "country", a.Country, "phone", orNull(a.Phone),
	}
	if a.Company != "" {
		shown = append(shown, "company", a.Company)
	}
	if a.Region != "" {
		shown = append(shown, "region", a.Region)
	}
	return shown
}

// slowTaxation are the fields of the frozen taxation.
func slowTaxation(t *commerce.Taxation, vatID string) object {
	var country, included any
	if (t.Country != commerce.Country{}) {
		country, included = string(t.Country[:]), t.Included
	}
	return object{"tax_country", country, "tax_exemption", orNull([]string{"", "export", "reverse_charge"}[t.Exemption]), "vat_id", orNull(vatID),
		"prices_include_tax", included}
}

func (d dice) taxation() commerce.Taxation {
	if d.bool() {
		return commerce.Taxation{Included: d.bool()}
	}
	return commerce.Taxation{Country: commerce.Country{'D', 'E'}, Exemption: commerce.Exemption(d.IntN(3)), Included: d.bool()}
}

func slowOrderLine(l *commerce.OrderLine, t *commerce.Taxation) any {
	return slowSoldLine(l, t, object{"configuration", slowConfiguration(l.Configuration), "returnable", l.Returnable, "lead_time_days", l.LeadTimeDays})
}

// slowOrder is an order as the shopper sees it, or with the members for the merchant; lines are its
// lines, their number, or nothing.
func slowOrder(o *commerce.Order, merchant bool, lines ...any) string {
	id, discounts := idOrNull(o.Customer.ID), slowList(o.Discounts, func(d *commerce.OrderDiscount) any {
		return slowDiscount(d.ID, d.Name, d.Code, d.Kind, d.Amount)
	})
	payment := object{"status", o.Payment.Status().String(), "paid_at", slowTime(o.Payment.PaidAt), "due_at", slowTime(o.Payment.DueAt)}
	var shipment, method, reason any
	if s := o.Shipment; s != nil {
		shipment = object{
			"carrier", orNull(s.Carrier), "tracking_number", orNull(s.TrackingNumber), "tracking_url", orNull(s.TrackingURL),
			"shipped_at", slowTime(s.ShippedAt), "delivered_at", slowTime(s.DeliveredAt),
		}
	}
	if s := o.Shipping; s != nil {
		var rate any
		if (o.Tax.Country != commerce.Country{}) {
			if rate = slowPercent(s.TaxRate); o.Tax.Exemption != commerce.NotExempt {
				rate = slowPercent(0)
			}
		}
		method = object{"id", s.ID, "name", s.Name, "price", euros(s.Price), "price_with_tax", euros(s.PriceWithTax), "price_without_tax",
			euros(o.Totals.ShippingTotal), "tax_rate", rate}
	}
	if merchant {
		payment = append(payment, "reference", orNull(o.Payment.Reference))
		lines = append([]any{"restocked", o.Restocked}, lines...)
	}
	if merchant || o.CancelReason == "unpaid" {
		reason = orNull(o.CancelReason)
	}
	all := append(object{
		"id", o.ID, "number", o.Number, "cart_id", idOrNull(o.CartID), "quote_id", idOrNull(o.QuoteID), "status", o.Status.String(), "currency", "EUR",
		"email", orNull(o.Email), "customer_id", id, "contact_id", id, "customer_note", orNull(o.CustomerNote), "reference", orNull(o.Reference),
		"metadata", slowMetadata(o.Metadata), "placed_at", slowTime(o.PlacedAt), "payment", payment, "shipment", shipment,
		"cancelled_at", slowTime(o.CancelledAt), "cancel_reason", reason,
	}, lines...)
	all = append(all,
		"discounts", discounts, "discount_breakdown", discounts, "shipping_method", method,
		"shipping_address", slowAddress(o.ShippingAddress), "billing_address", slowAddress(o.BillingAddress),
		"totals", object{
			"subtotal", euros(o.Totals.Subtotal), "shipping_total", euros(o.Totals.ShippingTotal), "tax_total", euros(o.Totals.TaxTotal),
			"discount_total", euros(o.Totals.DiscountTotal), "total", euros(o.Totals.Total), "tax_breakdown", slowTaxes(o.Totals.Breakdown),
		},
		"discount_total", euros(o.Totals.DiscountTotal),
	)
	return slowJSON(append(all, slowTaxation(&o.Tax, o.VATID)...))
}

// order returns a random order with at least one line.
func (d dice) order() *commerce.Order {
	o := &commerce.Order{
		ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), QuoteID: d.id(), Email: d.text(), Customer: commerce.Binding{ID: d.id()}, CustomerNote: d.text(),
		Reference: d.text(), PlacedAt: noon.Add(time.Duration(d.IntN(1e9)) * time.Millisecond),
		Totals: commerce.OrderTotals{Subtotal: d.amount(), ShippingTotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount()},
	}
	cart := d.cart()
	o.Metadata = cart.Metadata
	for len(cart.Lines) == 0 {
		cart = d.cart()
	}
	for _, l := range cart.Lines {
		line := commerce.OrderLine{Line: l, Total: d.amount(), TaxRate: commerce.Percent(d.Int64N(int64(commerce.Hundred))),
			Returnable: d.bool(), VariantName: d.text()}
		if days := d.IntN(30); d.bool() {
			line.LeadTimeDays = &days
		}
		o.Lines = append(o.Lines, line)
		o.Discounts = append(o.Discounts, commerce.OrderDiscount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4)), Amount: d.amount()})
		o.Totals.Breakdown = append(o.Totals.Breakdown, commerce.TaxRow{Rate: line.TaxRate, Base: d.amount(), Tax: d.amount()})
	}
	o.Tax, o.VATID = d.taxation(), d.text()
	address := &commerce.Address{ID: d.id(), Type: "work", Label: d.text(), Name: d.text(), Street: d.text(), PostalCode: d.text(), City: d.text(),
		Country: d.text(), Phone: d.text(), Company: d.text(), Region: d.text()}
	if d.bool() {
		o.Shipping, o.ShippingAddress = &commerce.OrderShipping{ID: d.id(), Name: d.text(), Price: d.amount(), PriceWithTax: d.amount(),
			TaxRate: commerce.Percent(d.Int64N(int64(commerce.Hundred)))}, address
	}
	if d.bool() {
		o.BillingAddress = address
	}
	moment := func() (at time.Time) {
		if d.bool() {
			at = noon.Add(time.Duration(d.IntN(1e9)) * time.Millisecond)
		}
		return at
	}
	o.Status, o.Restocked = commerce.OrderStatus(d.IntN(3)), d.bool()
	o.Payment = commerce.Payment{DueAt: moment(), PaidAt: moment(), RefundedAt: moment(), Reference: d.text(), RefundReference: d.text()}
	if o.CancelledAt, o.CancelReason = moment(), d.text(); d.bool() {
		o.CancelReason = "unpaid"
	}
	if d.bool() {
		o.Shipment = &commerce.Shipment{ShipmentDetails: commerce.ShipmentDetails{Carrier: d.text(), TrackingNumber: d.text(), TrackingURL: d.text()},
			ShippedAt: noon, DeliveredAt: moment()}
	}
	return o
}

func TestAnOrderIsEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(400) {
		o := dice{rand.New(rand.NewPCG(seed, 2))}.order()
		lines := slowList(o.Lines, func(l *commerce.OrderLine) any { return slowOrderLine(l, &o.Tax) })
		for reader, c := range map[string]struct {
			got  []byte
			want string
		}{
			"the shopper":  {Order.Append(nil, o), slowOrder(o, false, "lines", lines)},
			"the merchant": {StoreOrder.Append(nil, o), slowOrder(o, true, "lines", lines)},
			"events":       {OrderNews.Append(nil, o), slowOrder(o, true)},
			"a list":       {OrderRow.Append(nil, engine.OrderRow{Order: o, LinesCount: len(lines)}), slowOrder(o, false, "lines_count", len(lines))},
		} {
			if string(c.got) != c.want {
				t.Fatalf("seed %d, for %s:\n got %s\nwant %s", seed, reader, c.got, c.want)
			}
		}
	}
}
