package commerce

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// sold is a scene with an order that must be paid within a day.
func sold(t *testing.T, edits ...func(*Store)) (*scene, *Order) {
	s := checkoutScene(t)
	s.shop.PaymentTime = 24 * time.Hour
	s.shop.Product(tile).TrackStock = true
	for _, edit := range edits {
		edit(s.shop)
	}
	s.shop.Index()
	s.do(s.order())
	order := *s.effects.Sale.Order
	order.Number = 7
	s.in.Now = s.in.Now.Add(time.Hour)
	return s, &order
}

// change applies a command to an order, which must stay as it was.
func (s *scene) change(o *Order, command Command[*Order]) (*Order, Effects, *Refusal) {
	s.Helper()
	before := fmt.Sprintf("%+v", *o)
	if r := command.Locate(o); r != nil {
		s.Fatalf("%+v: %v", command, r)
	}
	next, effects, r := ChangeOrder(o, command, &s.in)
	if after := fmt.Sprintf("%+v", *o); after != before {
		s.Fatalf("the order changed from\n%s to\n%s", before, after)
	}
	return next, effects, r
}

// must applies commands that succeed, an hour apart.
func (s *scene) must(o *Order, commands ...Command[*Order]) *Order {
	s.Helper()
	for _, command := range commands {
		next, _, r := s.change(o, command)
		if r != nil {
			s.Fatalf("%+v: %v", command, r)
		}
		s.in.Now = s.in.Now.Add(time.Hour)
		o = next
	}
	return o
}

// payment is the payment of an order.
func payment(o *Order, reference string) PayOrder {
	return PayOrder{Reference: reference, Amount: o.Totals.Total}
}

// orderCommands are the commands of the table below.
var orderCommands = map[string]func(o *Order) Command[*Order]{
	"payment":          func(o *Order) Command[*Order] { return payment(o, "p1") },
	"another payment":  func(o *Order) Command[*Order] { return payment(o, "p2") },
	"payment of less":  func(o *Order) Command[*Order] { return PayOrder{Reference: "p3", Amount: o.Totals.Total - 1} },
	"cancel":           func(*Order) Command[*Order] { return CancelOrder{Restock: true} },
	"refund":           func(*Order) Command[*Order] { return RefundOrder{AskedPart{Reference: "r1"}} },
	"shipment":         func(*Order) Command[*Order] { return ShipOrder{ShipmentDetails: ShipmentDetails{Carrier: "Post"}} },
	"another shipment": func(*Order) Command[*Order] { return ShipOrder{ShipmentDetails: ShipmentDetails{Carrier: "Bike"}} },
	"delivered":        func(*Order) Command[*Order] { return DeliverOrder{} },
}

// orderRules are all states of an order with the answer of every command: the event, "same" where the
// state holds already, or the code of the refusal.
var orderRules = []struct {
	after     string // commands, with commas
	unmethod  bool   // the order has no shipping method
	unpayable bool   // the store says nothing about payment
	want      map[string]string
}{
	{"", false, false, map[string]string{
		"payment": "order.paid", "payment of less": "AMOUNT_DIFFERS", "cancel": "order.cancelled", "refund": "NOT_PAID", "shipment": "PAYMENT_DUE",
		"delivered": "PAYMENT_DUE",
	}},
	{"", false, true, map[string]string{
		"payment": "order.paid", "payment of less": "AMOUNT_DIFFERS", "cancel": "order.cancelled", "refund": "NOT_PAID", "shipment": "order.shipped",
		"delivered": "NOT_SHIPPED",
	}},
	{"", true, true, map[string]string{"delivered": "order.delivered", "shipment": "order.shipped"}},
	{"payment", false, false, map[string]string{
		"payment": "same", "another payment": "ALREADY_PAID", "payment of less": "ALREADY_PAID", "cancel": "order.cancelled", "refund": "order.refunded",
		"shipment": "order.shipped", "delivered": "NOT_SHIPPED",
	}},
	{"payment", true, false, map[string]string{"delivered": "order.delivered"}},
	{"payment,refund", false, false, map[string]string{
		"payment": "same", "another payment": "ALREADY_PAID", "cancel": "order.cancelled", "refund": "same", "shipment": "REFUNDED", "delivered": "NOT_SHIPPED",
	}},
	{"payment,refund", true, false, map[string]string{"delivered": "order.delivered"}},
	{"cancel", false, false, map[string]string{
		"payment": "ORDER_CANCELLED", "payment of less": "ORDER_CANCELLED", "cancel": "same", "refund": "NOT_PAID", "shipment": "ORDER_CANCELLED",
		"delivered": "ORDER_CANCELLED",
	}},
	{"payment,cancel", false, false, map[string]string{
		"payment": "same", "another payment": "ORDER_CANCELLED", "cancel": "same", "refund": "order.refunded", "shipment": "ORDER_CANCELLED",
		"delivered": "ORDER_CANCELLED",
	}},
	{"payment,cancel,refund", false, false, map[string]string{
		"payment": "same", "another payment": "ORDER_CANCELLED", "cancel": "same", "refund": "same", "shipment": "ORDER_CANCELLED", "delivered": "ORDER_CANCELLED",
	}},
	{"payment,shipment", false, false, map[string]string{
		"payment": "same", "another payment": "ALREADY_PAID", "cancel": "ORDER_SHIPPED", "refund": "order.refunded", "shipment": "same",
		"another shipment": "order.shipped", "delivered": "order.delivered",
	}},
	{"payment,shipment,refund", false, false, map[string]string{
		"payment": "same", "cancel": "ORDER_SHIPPED", "refund": "same", "shipment": "same", "another shipment": "REFUNDED", "delivered": "order.delivered",
	}},
	{"payment,shipment,delivered", false, false, map[string]string{
		"payment": "same", "cancel": "ORDER_SHIPPED", "refund": "order.refunded", "shipment": "same", "another shipment": "order.shipped", "delivered": "same",
	}},
	{"delivered", true, true, map[string]string{
		"payment": "order.paid", "cancel": "ORDER_COMPLETED", "refund": "NOT_PAID", "delivered": "same", "shipment": "order.shipped",
	}},
}

func TestWhatAnOrderAllows(t *testing.T) {
	for _, row := range orderRules {
		for name, want := range row.want {
			s, order := sold(t, func(shop *Store) {
				if row.unpayable {
					shop.PaymentTime = 0
				}
			})
			if row.unmethod {
				order.Shipping = nil
			}
			for _, earlier := range strings.FieldsFunc(row.after, func(c rune) bool { return c == ',' }) {
				order = s.must(order, orderCommands[earlier](order))
			}
			next, effects, refusal := s.change(order, orderCommands[name](order))
			got := "same"
			switch {
			case refusal != nil:
				got = refusal.Code
				if next != nil || effects != (Effects{}) {
					t.Errorf("after %q: %s is refused and leaves %v, %v", row.after, name, next, effects)
				}
			case effects.OrderNews != nil:
				got = effects.OrderNews.Event
				if effects.OrderNews.Order != next || effects.OrderNews.At != s.in.Now {
					t.Errorf("after %q: the news of %s is %+v", row.after, name, effects.OrderNews)
				}
			case !reflect.DeepEqual(next, order) || effects != (Effects{}):
				t.Errorf("after %q: %s changes\n%+v to\n%+v", row.after, name, order, next)
			}
			if got != want {
				t.Errorf("after %q (without method %v, without payment %v): %s is %s; want %s", row.after, row.unmethod, row.unpayable, name, got, want)
			}
		}
	}
}

func TestStatesOfAnOrder(t *testing.T) {
	s, order := sold(t)
	placed := s.in.Now.Add(-time.Hour)
	if p := order.Payment; order.Status != OrderPlaced || order.PaymentStatus() != PaymentIsDue || p.DueAt != placed.Add(24*time.Hour) || !order.Unpaid() {
		t.Fatalf("the order is %v, %+v", order.Status, p)
	}
	paid := s.must(order, payment(order, "pi_1"))
	if p := paid.Payment; paid.PaymentStatus() != PaymentIsPaid || p.PaidAt != placed.Add(time.Hour) || p.Reference != "pi_1" ||
		p.DueAt != order.Payment.DueAt || paid.Unpaid() {
		t.Errorf("paid: %+v", p)
	}
	refunded := s.must(paid, RefundOrder{AskedPart{Reference: "re_1"}})
	if p := refunded.Payment; refunded.PaymentStatus() != PaymentIsRefunded || refunded.RefundedAt() != placed.Add(2*time.Hour) ||
		refunded.Parts[0].Reference != "re_1" || p.PaidAt != paid.Payment.PaidAt {
		t.Errorf("refunded: %+v", p)
	}
	first, second := ShipmentDetails{"Post", "3S1", "https://example.com/3S1"}, ShipmentDetails{Carrier: "Bike"}
	shipped := s.must(paid, ShipOrder{ShipmentDetails: first})
	at := s.in.Now.Add(-time.Hour)
	if *shipped.Shipment() != (Shipment{ShipmentDetails: first, ShippedAt: at}) || shipped.Status != OrderPlaced {
		t.Errorf("shipped: %+v, %v", shipped.Shipment(), shipped.Status)
	}
	corrected := s.must(shipped, ShipOrder{ShipmentDetails: second})
	if *corrected.Shipment() != (Shipment{ShipmentDetails: second, ShippedAt: at}) {
		t.Errorf("corrected: %+v", corrected.Shipment())
	}
	done := s.must(corrected, DeliverOrder{})
	if done.Status != OrderCompleted || done.Shipment().DeliveredAt != s.in.Now.Add(-time.Hour) || !corrected.Shipment().DeliveredAt.IsZero() {
		t.Errorf("delivered: %v, %+v", done.Status, done.Shipment())
	}
	if again := s.must(done, ShipOrder{ShipmentDetails: first}); again.Status != OrderCompleted || again.Shipment().DeliveredAt != done.Shipment().DeliveredAt {
		t.Errorf("corrected after the delivery: %v, %+v", again.Status, again.Shipment())
	}
	for o, want := range map[*Order]time.Time{order: order.PlacedAt, paid: paid.Payment.PaidAt, refunded: refunded.RefundedAt(), shipped: at,
		done: done.Shipment().DeliveredAt} {
		if got := o.WrittenAt(); got != want {
			t.Errorf("%v, %v: written at %v, want %v", o.Status, o.Payment, got, want)
		}
	}
}

func TestOrderEvents(t *testing.T) {
	s, order := sold(t, func(shop *Store) {
		shop.Webhooks = []Webhook{{Events: []string{EventOrderPaid, EventOrderCancelled, EventStockAdjusted}}}
	})
	_, effects, _ := s.change(order, payment(order, "p"))
	if n := effects.OrderNews; n.Event != EventOrderPaid || n.Store != s.shop || !n.At.Equal(s.in.Now) || n.Order.PaymentStatus() != PaymentIsPaid {
		t.Errorf("paid: %+v", n)
	}
	_, effects, _ = s.change(order, CancelOrder{Restock: true})
	want := &StockNews{s.shop, StockAdjustment{ProductID: tile, Quantity: 1_000_000, Reason: &cancelReason}, s.in.Now}
	if got := effects.Return.StockNews(0); !reflect.DeepEqual(got, want) {
		t.Errorf("stock: %+v, want %+v", got, want)
	}
	if n := effects.OrderNews; n.Event != EventOrderCancelled || n.Order.Status != OrderCancelled {
		t.Errorf("cancelled: %+v", n)
	}
	_, effects, _ = s.change(s.must(order, payment(order, "p")), RefundOrder{})
	if n := effects.OrderNews; n.Event != EventOrderRefunded {
		t.Errorf("refunded: %+v", n)
	}
}
