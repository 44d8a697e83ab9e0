package httpserver

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// slowOrder is an order as encoding/json writes it.
type slowOrder struct {
	ID           string           `json:"id"`
	Number       int64            `json:"number"`
	CartID       *string          `json:"cart_id"`
	QuoteID      *string          `json:"quote_id"`
	Status       string           `json:"status"`
	Currency     string           `json:"currency"`
	Email        *string          `json:"email"`
	CustomerID   *string          `json:"customer_id"`
	ContactID    *string          `json:"contact_id"`
	Note         *string          `json:"customer_note"`
	Reference    *string          `json:"reference"`
	Metadata     *json.RawMessage `json:"metadata"`
	PlacedAt     string           `json:"placed_at"`
	Payment      slowPayment      `json:"payment"`
	Shipment     *slowShipment    `json:"shipment"`
	CancelledAt  *string          `json:"cancelled_at"`
	CancelReason *string          `json:"cancel_reason"`
	Restocked    *bool            `json:"restocked,omitempty"`
	Lines        []slowOrderLine  `json:"lines,omitempty"`
	LinesCount   *int             `json:"lines_count,omitempty"`
	Discounts    []slowDiscount   `json:"discounts"`
	Breakdown    []slowDiscount   `json:"discount_breakdown"`
	Method       *slowMethod      `json:"shipping_method"`
	Shipping     *slowSnapshot    `json:"shipping_address"`
	Billing      *slowSnapshot    `json:"billing_address"`
	Totals       slowOrderTotals  `json:"totals"`
	DiscountSums slowMoney        `json:"discount_total"`
}

type slowPayment struct {
	Status    string           `json:"status"`
	PaidAt    *string          `json:"paid_at"`
	DueAt     *string          `json:"due_at"`
	Reference *json.RawMessage `json:"reference,omitempty"`
}

type slowShipment struct {
	Carrier     *string `json:"carrier"`
	Number      *string `json:"tracking_number"`
	URL         *string `json:"tracking_url"`
	ShippedAt   string  `json:"shipped_at"`
	DeliveredAt *string `json:"delivered_at"`
}

func slowTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(t.UTC().Format("2006-01-02T15:04:05Z"))
}

type slowOrderLine struct {
	ID         string      `json:"id"`
	ProductID  string      `json:"product_id"`
	VariantID  *string     `json:"variant_id"`
	Name       string      `json:"name"`
	SKU        *string     `json:"sku"`
	Quantity   json.Number `json:"quantity"`
	UnitAmount int64       `json:"unit_price_amount"`
	UnitPrice  slowMoney   `json:"unit_price"`
	Total      slowMoney   `json:"line_total"`
	Rate       json.Number `json:"tax_rate"`
	Variant    *string     `json:"variant_name"`
	Unit       string      `json:"unit"`
	Attributes struct {
		Configuration *slowConfiguration `json:"configuration"`
		Returnable    bool               `json:"returnable"`
		Days          *int               `json:"lead_time_days"`
	} `json:"attributes"`
}

type slowMethod struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Price   slowMoney `json:"price"`
	WithTax slowMoney `json:"price_with_tax"`
}

type slowSnapshot struct {
	Label      *string `json:"label"`
	Name       string  `json:"name"`
	Street     string  `json:"street"`
	PostalCode string  `json:"postal_code"`
	City       string  `json:"city"`
	Country    string  `json:"country"`
	Phone      *string `json:"phone"`
}

type slowOrderTotals struct {
	Subtotal  slowMoney `json:"subtotal"`
	Shipping  slowMoney `json:"shipping_total"`
	Tax       slowMoney `json:"tax_total"`
	Discount  slowMoney `json:"discount_total"`
	Total     slowMoney `json:"total"`
	Breakdown []slowTax `json:"tax_breakdown"`
}

func idOrNull(id uuid.UUID) *string {
	if id == uuid.Nil {
		return nil
	}
	return orNull(id.String())
}

func slowAddress(a *commerce.Address) *slowSnapshot {
	if a == nil {
		return nil
	}
	return &slowSnapshot{orNull(a.Label), a.Name, a.Street, a.PostalCode, a.City, a.Country, orNull(a.Phone)}
}

func slowMirrorOrder(t *testing.T, o *commerce.Order) slowOrder {
	m := slowOrder{
		ID: o.ID.String(), Number: o.Number, CartID: idOrNull(o.CartID), QuoteID: idOrNull(o.QuoteID), Status: o.Status.String(), Currency: "EUR", Email: orNull(o.Email),
		CustomerID: idOrNull(o.Customer.ID), ContactID: idOrNull(o.Customer.ID), Note: orNull(o.CustomerNote), Reference: orNull(o.Reference), Metadata: slowMetadata(t, o.Metadata),
		PlacedAt: o.PlacedAt.UTC().Format("2006-01-02T15:04:05Z"), Discounts: []slowDiscount{},
		Shipping: slowAddress(o.ShippingAddress), Billing: slowAddress(o.BillingAddress), DiscountSums: euros(o.Totals.DiscountTotal),
		Totals: slowOrderTotals{
			euros(o.Totals.Subtotal), euros(o.Totals.ShippingTotal), euros(o.Totals.TaxTotal), euros(o.Totals.DiscountTotal), euros(o.Totals.Total), []slowTax{},
		},
	}
	m.Payment = slowPayment{o.Payment.Status().String(), slowTime(o.Payment.PaidAt), slowTime(o.Payment.DueAt), nil}
	if s := o.Shipment; s != nil {
		m.Shipment = &slowShipment{orNull(s.Carrier), orNull(s.TrackingNumber), orNull(s.TrackingURL), *slowTime(s.ShippedAt), slowTime(s.DeliveredAt)}
	}
	m.CancelledAt = slowTime(o.CancelledAt)
	if o.CancelReason == "unpaid" {
		m.CancelReason = &o.CancelReason
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		from := slowMirrorLine(t, &l.Line, l.Total)
		line := slowOrderLine{
			ID: from.ID, ProductID: from.ProductID, VariantID: from.VariantID, Name: from.Name, SKU: from.SKU, Quantity: from.Quantity,
			UnitAmount: from.UnitAmount, UnitPrice: from.UnitPrice, Total: from.Total, Rate: slowDecimal(int64(l.TaxRate), int64(commerce.Hundred)/100),
			Variant: orNull(l.VariantName), Unit: l.Unit.String(),
		}
		if from.Attributes != nil {
			line.Attributes.Configuration = &from.Attributes.Configuration
		}
		line.Attributes.Returnable, line.Attributes.Days = l.Returnable, l.LeadTimeDays
		m.Lines = append(m.Lines, line)
	}
	for _, d := range o.Discounts {
		m.Discounts = append(m.Discounts, slowDiscount{d.ID.String(), d.Name, orNull(d.Code), d.Kind.String(), int64(d.Amount)})
	}
	m.Breakdown = m.Discounts
	if o.Shipping != nil {
		m.Method = &slowMethod{o.Shipping.ID.String(), o.Shipping.Name, euros(o.Shipping.Price), euros(o.Shipping.PriceWithTax)}
	}
	for _, row := range o.Totals.Breakdown {
		m.Totals.Breakdown = append(m.Totals.Breakdown, slowTax{slowDecimal(int64(row.Rate), int64(commerce.Hundred)/100), int64(row.Base), int64(row.Tax)})
	}
	return m
}

// order returns a random order with at least one line.
func (d dice) order() *commerce.Order {
	o := &commerce.Order{
		ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), QuoteID: d.id(), Email: d.text(), Customer: commerce.Binding{ID: d.id()}, CustomerNote: d.text(),
		Reference: d.text(), PlacedAt: testNow.Add(time.Duration(d.IntN(1e9)) * time.Millisecond),
		Totals: commerce.OrderTotals{Subtotal: d.amount(), ShippingTotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount()},
	}
	cart := d.cart()
	o.Metadata = cart.Metadata
	for len(cart.Lines) == 0 {
		cart = d.cart()
	}
	for _, l := range cart.Lines {
		line := commerce.OrderLine{Line: l, Total: d.amount(), TaxRate: commerce.Percent(d.Int64N(int64(commerce.Hundred))), Returnable: d.bool(), VariantName: d.text()}
		if days := d.IntN(30); d.bool() {
			line.LeadTimeDays = &days
		}
		o.Lines = append(o.Lines, line)
		o.Discounts = append(o.Discounts, commerce.OrderDiscount{ID: d.id(), Name: d.text(), Code: d.text(), Kind: commerce.DiscountKind(d.IntN(4)), Amount: d.amount()})
		o.Totals.Breakdown = append(o.Totals.Breakdown, commerce.TaxRow{Rate: line.TaxRate, Base: d.amount(), Tax: d.amount()})
	}
	address := &commerce.Address{ID: d.id(), Type: "work", Label: d.text(), Name: d.text(), Street: d.text(), PostalCode: d.text(), City: d.text(), Country: d.text(), Phone: d.text()}
	if d.bool() {
		o.Shipping, o.ShippingAddress = &commerce.OrderShipping{ID: d.id(), Name: d.text(), Price: d.amount(), PriceWithTax: d.amount()}, address
	}
	if d.bool() {
		o.BillingAddress = address
	}
	moment := func() (at time.Time) {
		if d.bool() {
			at = testNow.Add(time.Duration(d.IntN(1e9)) * time.Millisecond)
		}
		return at
	}
	o.Status, o.Restocked = commerce.OrderStatus(d.IntN(3)), d.bool()
	o.Payment = commerce.Payment{DueAt: moment(), PaidAt: moment(), RefundedAt: moment(), Reference: d.text(), RefundReference: d.text()}
	if o.CancelledAt, o.CancelReason = moment(), d.text(); d.bool() {
		o.CancelReason = "unpaid"
	}
	if d.bool() {
		o.Shipment = &commerce.Shipment{ShipmentDetails: commerce.ShipmentDetails{Carrier: d.text(), TrackingNumber: d.text(), TrackingURL: d.text()}, ShippedAt: testNow, DeliveredAt: moment()}
	}
	return o
}

func TestAnOrderIsEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(1000) {
		o := dice{rand.New(rand.NewPCG(seed, 2))}.order()
		m := slowMirrorOrder(t, o)
		if got, want := string(AppendOrder(nil, o)), slowJSON(t, m); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
		store := m
		reference := json.RawMessage(slowJSON(t, orNull(o.Payment.Reference)))
		store.Payment.Reference, store.CancelReason, store.Restocked = &reference, orNull(o.CancelReason), &o.Restocked
		if got, want := string(AppendStoreOrder(nil, o, true)), slowJSON(t, store); got != want {
			t.Fatalf("seed %d, for the merchant:\n got %s\nwant %s", seed, got, want)
		}
		store.Lines = nil
		if got, want := string(AppendStoreOrder(nil, o, false)), slowJSON(t, store); got != want {
			t.Fatalf("seed %d, for events:\n got %s\nwant %s", seed, got, want)
		}
		count := len(m.Lines)
		m.Lines, m.LinesCount = nil, &count
		if got, want := string(appendOrderRow(nil, engine.OrderRow{Order: o, LinesCount: count})), slowJSON(t, m); got != want {
			t.Fatalf("seed %d, as a row:\n got %s\nwant %s", seed, got, want)
		}
	}
}
