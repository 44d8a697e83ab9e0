package commerce

import (
	"reflect"
	"testing"
	"time"
)

// An archived order keeps its ids, status, payment and totals, and loses every text, list and address; under
// which customers its uses count stays for their erasure.
func TestArchivedOrder(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000).UTC()
	whole := &Order{
		Number: 7, Email: "ada@example.com", CustomerNote: "Ring twice.", Reference: "PO 1", PlacedAt: now.Add(-time.Hour),
		Metadata: Metadata{{Key: "channel"}}, Lines: []OrderLine{{Total: 100}}, Discounts: []OrderDiscount{{Name: "Welcome"}},
		Shipping: &OrderShipping{Name: "Parcel"}, ShippingAddress: &Address{City: "Amsterdam"}, BillingAddress: &Address{City: "Utrecht"},
		Totals: OrderTotals{Subtotal: 83, TaxTotal: 17, Total: 100, DiscountTotal: 5, Breakdown: []TaxRow{{Base: 83, Tax: 17}}},
		Takes:  []StockAsk{{Quantity: 1}}, Uses: []Use{{Counter: CountCode, Field: "CODE"}, {Counter: CountCustomer, Field: "x"}}, Status: OrderCompleted,
		Payment: Payment{PaidAt: now.Add(-time.Minute), Reference: "pi_1"}, DeliveredAt: now, Parts: []Part{
			{ID: tile, Kind: PartShipment, At: now, Lines: []PartLine{{0, One}}, ShipmentDetails: ShipmentDetails{Carrier: "Post"}, Reference: "S1"},
			{ID: parcel, Kind: PartReturn, At: now, Lines: []PartLine{{0, One}}, Restocked: true, Reason: "Scratched", Reference: "RMA 1"},
			{ID: orderID, Kind: PartRefund, At: now, Lines: []PartLine{{0, One}}, Shipping: true, Amount: 30, Taxes: []TaxRow{{Base: 25, Tax: 5}},
				Reason: "Scratched", Reference: "re_1"},
		},
	}
	want := &Order{
		Number: 7, PlacedAt: whole.PlacedAt, Status: OrderCompleted, Payment: whole.Payment, ArchivedAt: now,
		Totals: OrderTotals{Subtotal: 83, TaxTotal: 17, Total: 100, DiscountTotal: 5}, Uses: []Use{{Counter: CountCustomer, Field: "x"}},
		Parts: []Part{{ID: tile, Kind: PartShipment, At: now}, {ID: parcel, Kind: PartReturn, At: now},
			{ID: orderID, Kind: PartRefund, At: now, Shipping: true, Amount: 30, Reference: "re_1"}},
	}
	if got := whole.Archived(now); !reflect.DeepEqual(got, want) {
		t.Errorf("Archived:\n got %+v\nwant %+v", got, want)
	}
	for reason, want := range map[string]string{UnpaidReason: UnpaidReason, ShopperReason: ShopperReason, "bad address of Ada": ""} {
		ended := &Order{Status: OrderCancelled, CancelReason: reason}
		if got := ended.Archived(now).CancelReason; got != want {
			t.Errorf("of the reason %q stays %q, want %q", reason, got, want)
		}
	}
}

func TestArchivable(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000)
	for _, c := range []struct {
		name  string
		order Order
		want  bool
	}{
		{"completed before", Order{Status: OrderCompleted, PlacedAt: now.Add(-time.Millisecond)}, true},
		{"cancelled before", Order{Status: OrderCancelled, PlacedAt: now.Add(-time.Hour)}, true},
		{"placed", Order{Status: OrderPlaced, PlacedAt: now.Add(-time.Hour)}, false},
		{"completed at the time", Order{Status: OrderCompleted, PlacedAt: now}, false},
		{"archived already", Order{Status: OrderCompleted, PlacedAt: now.Add(-time.Hour), ArchivedAt: now}, false},
	} {
		if got := c.order.Archivable(now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The merchant's commands go by the stub's status and payment; a shipment is refused.
func TestCommandsOnAnArchivedOrder(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000)
	completed := (&Order{Status: OrderCompleted, Totals: OrderTotals{Total: 100}, Payment: Payment{PaidAt: now, Reference: "pi_1"}}).Archived(now)
	cancelled := (&Order{Status: OrderCancelled, Totals: OrderTotals{Total: 100}}).Archived(now)
	for _, c := range []struct {
		name  string
		order *Order
		cmd   Command[*Order]
		want  *Refusal
	}{
		{"a payment that comes again", completed, PayOrder{Reference: "pi_1", Amount: 100}, nil},
		{"another payment", completed, PayOrder{Reference: "pi_2", Amount: 100}, AlreadyPaid},
		{"a refund", completed, RefundOrder{}, nil},
		{"a cancel", completed, CancelOrder{}, OrderIsCompleted},
		{"a delivery", completed, DeliverOrder{}, nil},
		{"a shipment", completed, ShipOrder{}, OrderIsArchived},
		{"a cancel again", cancelled, CancelOrder{}, nil},
		{"a payment too late", cancelled, PayOrder{Reference: "pi_1", Amount: 100}, OrderIsCancelled},
	} {
		if _, _, got := ChangeOrder(c.order, c.cmd, &Input{Store: &Store{}, Now: now}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
