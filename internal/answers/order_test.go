package answers

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

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

func slowOrderLine(l *commerce.OrderLine, t *commerce.Taxation, parted ...any) any {
	return slowSoldLine(l, t, object{"configuration", slowConfiguration(l.Configuration), "returnable", l.Returnable, "lead_time_days", l.LeadTimeDays},
		parted...)
}

// slowParted is what became of the line of an order with an index.
func slowParted(o *commerce.Order, i int) []any {
	var of [4]commerce.Quantity
	for _, p := range o.Parts {
		for _, l := range p.Lines {
			if l.Line == i {
				of[p.Kind] += l.Quantity
			}
		}
	}
	if o.Status == commerce.OrderCancelled {
		of[commerce.PartCancel] = o.Lines[i].Quantity
	}
	pieces := func(kind commerce.PartKind) any { return slowDecimal(int64(of[kind]), 1000) }
	share := o.Lines[i].Total
	if shares, _ := o.Shares(); shares != nil {
		share = shares[i]
	}
	var waits bool
	var day any
	var last commerce.Date
	for _, ahead := range o.Ahead {
		item := o.Takes[ahead.Take].Item
		if l := &o.Lines[i]; ahead.Left >= 0 || l.Quantity == 0 || l.Configuration != nil || item != sold(l) {
			continue
		}
		if waits = true; ahead.From > last {
			last, day = ahead.From, ahead.From.String()
		}
	}
	return []any{"total_share", euros(share), "shipped_quantity", pieces(commerce.PartShipment), "cancelled_quantity", pieces(commerce.PartCancel),
		"returned_quantity", pieces(commerce.PartReturn), "refunded_quantity", pieces(commerce.PartRefund), "backordered", waits, "available_from", day}
}

// sold is the stock item of a line that is not made to measure.
func sold(l *commerce.OrderLine) uuid.UUID {
	if l.VariantID != uuid.Nil {
		return l.VariantID
	}
	return l.ProductID
}

func slowPart(p *commerce.Part, o *commerce.Order, merchant bool) any {
	var lines []any
	for _, l := range p.Lines {
		lines = append(lines, object{"line_id", o.Lines[l.Line].ID, "quantity", slowDecimal(int64(l.Quantity), 1000)})
	}
	var shipping, amount, net, taxes, restocked any
	switch p.Kind {
	case commerce.PartRefund:
		shipping, amount, taxes = p.Shipping, p.Amount, slowTaxes(p.Taxes)
		if p.Taxes != nil && o.Tax.Exemption != commerce.NotExempt {
			taxes = slowTaxes([]commerce.TaxRow{{Base: p.Amount}})
		}
		if p.Taxes != nil {
			var sum commerce.Amount
			for _, row := range p.Taxes {
				sum += row.Base
			}
			net = sum
		}
	case commerce.PartCancel, commerce.PartReturn:
		restocked = p.Restocked
	}
	shown := object{
		"id", p.ID, "kind", p.Kind.String(), "at", slowTime(p.At), "lines", slowList(lines, func(l *any) any { return *l }),
		"carrier", orNull(p.Carrier), "tracking_number", orNull(p.TrackingNumber), "tracking_url", orNull(p.TrackingURL),
		"shipping", shipping, "amount", amount, "amount_without_tax", net, "tax_breakdown", taxes,
	}
	if merchant {
		shown = append(shown, "reference", orNull(p.Reference), "reason", orNull(p.Reason), "restocked", restocked)
	}
	return shown
}

// slowOrder is an order as the shopper sees it, or with the members for the merchant; lines are its
// lines, their number, or nothing.
func slowOrder(o *commerce.Order, merchant bool, lines ...any) string {
	id, discounts := idOrNull(o.Customer.ID), slowList(o.Discounts, func(d *commerce.OrderDiscount) any {
		return slowDiscount(d.ID, d.Name, d.Code, d.Kind, d.Amount)
	})
	payment := object{"status", o.PaymentStatus().String(), "paid_at", slowTime(o.Payment.PaidAt), "due_at", slowTime(o.Payment.DueAt)}
	var shipment, method, reason any
	var restocked []any
	fulfilment, refunded, parts := "none", commerce.Amount(0), []any{}
	shippedOf := map[int]commerce.Quantity{}
	for i := range o.Parts {
		p := &o.Parts[i]
		parts = append(parts, slowPart(p, o, merchant))
		refunded += p.Amount
		for _, l := range p.Lines {
			if p.Kind == commerce.PartShipment || p.Kind == commerce.PartCancel {
				shippedOf[l.Line] += l.Quantity
			}
		}
		if p.Kind == commerce.PartShipment {
			fulfilment = "shipped"
			shipment = object{
				"carrier", orNull(p.Carrier), "tracking_number", orNull(p.TrackingNumber), "tracking_url", orNull(p.TrackingURL),
				"shipped_at", slowTime(p.At), "delivered_at", slowTime(o.DeliveredAt),
			}
		}
	}
	if fulfilment == "shipped" && o.Status != commerce.OrderCancelled {
		for i := range o.Lines {
			if o.Lines[i].Freight.RequiresShipping && shippedOf[i] < o.Lines[i].Quantity {
				fulfilment = "partial"
			}
		}
	}
	var share any
	if o.Shipping != nil {
		_, amount := o.Shares()
		share = euros(amount)
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
		restocked = []any{"restocked", o.Restocked}
	}
	if merchant || o.CancelReason == "unpaid" {
		reason = orNull(o.CancelReason)
	}
	all := append(object{
		"id", o.ID, "number", o.Number, "cart_id", idOrNull(o.CartID), "quote_id", idOrNull(o.QuoteID), "status", o.Status.String(), "currency", "EUR",
		"email", orNull(o.Email), "customer_id", id, "contact_id", id, "customer_note", orNull(o.CustomerNote), "reference", orNull(o.Reference),
		"metadata", slowMetadata(o.Metadata), "placed_at", slowTime(o.PlacedAt), "payment", payment, "shipment", shipment,
		"cancelled_at", slowTime(o.CancelledAt), "cancel_reason", reason,
	}, restocked...)
	all = append(append(all, "fulfilment", fulfilment, "refunded_amount", refunded, "shipping_share", share, "parts", parts), lines...)
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
			Returnable: d.bool(), VariantName: d.text(), Freight: commerce.Freight{RequiresShipping: d.bool()}}
		if days := d.IntN(30); d.bool() {
			line.LeadTimeDays = &days
		}
		o.Lines = append(o.Lines, line)
		o.Discounts = append(o.Discounts, commerce.OrderDiscount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4)), Amount: d.amount()})
		o.Totals.Breakdown = append(o.Totals.Breakdown, commerce.TaxRow{Rate: line.TaxRate, Base: d.amount(), Tax: d.amount()})
	}
	for i := range o.Lines {
		if l := &o.Lines[i]; d.IntN(3) == 0 && l.Configuration == nil {
			o.Takes = append(o.Takes, commerce.StockAsk{Item: sold(l)})
		}
	}
	slices.SortFunc(o.Takes, func(a, b commerce.StockAsk) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	for i := range o.Takes {
		if d.bool() {
			o.Ahead = append(o.Ahead, commerce.AheadTake{Take: i, Left: commerce.Micros(d.IntN(5) - 3), From: commerce.Date(d.IntN(2) * (740_000 + d.IntN(1000)))})
		}
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
	o.Payment = commerce.Payment{DueAt: moment(), PaidAt: moment(), Reference: d.text()}
	if o.CancelledAt, o.CancelReason = moment(), d.text(); d.bool() {
		o.CancelReason = "unpaid"
	}
	if d.bool() {
		o.DeliveredAt = moment()
		for range 1 + d.IntN(3) {
			o.Parts = append(o.Parts, d.part(o))
		}
	}
	return o
}

// part is a part of a kind with members of all kinds.
func (d dice) part(o *commerce.Order) commerce.Part {
	p := commerce.Part{ID: d.id(), Kind: commerce.PartKind(d.IntN(4)), At: noon, Reference: d.text(), Reason: d.text(), Restocked: d.bool(),
		ShipmentDetails: commerce.ShipmentDetails{Carrier: d.text(), TrackingNumber: d.text(), TrackingURL: d.text()}}
	for i := range o.Lines {
		if d.bool() {
			p.Lines = append(p.Lines, commerce.PartLine{Line: i, Quantity: o.Lines[i].Quantity / 3})
		}
	}
	if p.Kind == commerce.PartRefund {
		p.Shipping, p.Amount = d.bool(), 1+d.amount()
		for range d.IntN(3) {
			p.Taxes = append(p.Taxes, commerce.TaxRow{Rate: o.Lines[0].TaxRate, Base: d.amount(), Tax: d.amount()})
		}
	}
	return p
}

func TestAnOrderIsEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(400) {
		o := dice{rand.New(rand.NewPCG(seed, 2))}.order()
		at := -1
		lines := slowList(o.Lines, func(l *commerce.OrderLine) any {
			at++
			return slowOrderLine(l, &o.Tax, slowParted(o, at)...)
		})
		row := *o
		for reader, c := range map[string]struct {
			got  []byte
			want string
		}{
			"the shopper":  {Order.Append(nil, o), slowOrder(o, false, "lines", lines)},
			"the merchant": {StoreOrder.Append(nil, o), slowOrder(o, true, "lines", lines)},
			"events":       {OrderNews.Append(nil, o), slowOrder(o, true)},
			"a list":       {OrderRow.Append(nil, engine.MakeOrderRow(&row)), slowOrder(o, false, "lines_count", len(lines))},
		} {
			if string(c.got) != c.want {
				t.Fatalf("seed %d, for %s:\n got %s\nwant %s", seed, reader, c.got, c.want)
			}
		}
	}
}
