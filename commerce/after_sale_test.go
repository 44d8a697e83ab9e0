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

func TestPaymentOfAnotherAmountSaysTheTotal(t *testing.T) {
	s, order := sold(t)
	_, _, refusal := s.change(order, PayOrder{Reference: "x", Amount: 1})
	if refusal == nil || refusal.Kind != Conflict || *refusal.CurrentTotal != order.Totals.Total {
		t.Errorf("a payment of 1 is %+v", refusal)
	}
}

// After an erasure the same payment again still changes nothing, and another one is refused. Erasing twice is
// erasing once.
func TestErasedPaymentCanBeRepeated(t *testing.T) {
	const reference = "pi_123 of Ada"
	erased := ErasedReference(reference)
	if erased != "erased:05191f06ac98e658810775dd06fa72aa" || ErasedReference(erased) != erased {
		t.Errorf("erased: %q", erased)
	}
	if ErasedReference("") != "" || ErasedReference("erased:x") == "erased:x" {
		t.Error("an empty reference stays empty, another one is erased")
	}
	order := Order{Status: OrderPlaced, Payment: Payment{PaidAt: time.UnixMilli(1), Reference: erased}}
	for sent, want := range map[string]*Refusal{reference: nil, erased: nil, "pi_124": AlreadyPaid} {
		if _, refusal := (PayOrder{Reference: sent}).Apply(&order, &Input{}); refusal != want {
			t.Errorf("a payment of %q: %v, want %v", sent, refusal, want)
		}
	}
	if order.Payment.Reference != erased {
		t.Errorf("the reference is %q", order.Payment.Reference)
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

// What was taken comes back: exactly the takes, whatever the document tracks today.
func TestCancelReturnsWhatTheSaleTook(t *testing.T) {
	s, order := sold(t)
	if want := []StockAsk{{Item: tile, Quantity: One.Micros(), Granted: One.Micros()}}; !reflect.DeepEqual(order.Takes, want) {
		t.Fatalf("the order took %+v", order.Takes)
	}
	s.shop.Product(tile).TrackStock = false
	s.shop.Modules = AllModules() &^ (1 << ModuleStock)
	s.shop.Index()
	next, effects, refusal := s.change(order, CancelOrder{Reason: "Called", Restock: true})
	if refusal != nil || !next.Restocked || next.CancelReason != "Called" || next.CancelledAt != s.in.Now || next.Payment != order.Payment ||
		next.Status != OrderCancelled {
		t.Fatalf("the cancel is %+v, %v", next, refusal)
	}
	if r := effects.Return; !reflect.DeepEqual(r.Items, order.Takes) || r.Uses != nil || r.At != s.in.Now {
		t.Errorf("it returns %+v", r)
	}
	for name, edit := range map[string]func(*Order) CancelOrder{
		"restock false":              func(*Order) CancelOrder { return CancelOrder{} },
		"an order that took nothing": func(o *Order) CancelOrder { o.Takes = nil; return CancelOrder{Restock: true} },
		"an item in no document": func(o *Order) CancelOrder {
			o.Takes = []StockAsk{{Item: testID(0x99)}}
			return CancelOrder{Restock: true}
		},
	} {
		o := *order
		command := edit(&o)
		next, effects, refusal := s.change(&o, command)
		if refusal != nil || next.Restocked || effects.Return != nil || next.Status != OrderCancelled {
			t.Errorf("%s: restocked %v, returns %+v, %v", name, next.Restocked, effects.Return, refusal)
		}
	}
}

// The use of each discount of an order returns, not of an order from a quote: the quote keeps it.
func TestCancelReturnsUses(t *testing.T) {
	three := int64(3)
	limited, free, gone := testID(0x71), testID(0x72), testID(0x73)
	s, order := sold(t, func(shop *Store) {
		shop.Discounts = []Discount{{ID: limited, Active: true, UsageLimit: &three}, {ID: free, Active: true}}
	})
	order.Discounts = []OrderDiscount{{ID: limited, Amount: 1}, {ID: free, Amount: 1}, {ID: gone, Amount: 1}}
	for _, restock := range []bool{true, false} {
		_, effects, _ := s.change(order, CancelOrder{Restock: restock})
		if want := []Use{{Discount: limited, Limit: 3}, {Discount: free}, {Discount: gone}}; !reflect.DeepEqual(effects.Return.Uses, want) {
			t.Errorf("restock %v: uses %+v", restock, effects.Return.Uses)
		}
		if got := len(effects.Return.Items); got != map[bool]int{true: 1, false: 0}[restock] {
			t.Errorf("restock %v: %d items", restock, got)
		}
	}
	ofQuote := *order
	ofQuote.QuoteID = testID(0x0e)
	if _, effects, _ := s.change(&ofQuote, CancelOrder{Restock: true}); effects.Return.Uses != nil || len(effects.Return.Items) != 1 {
		t.Errorf("a quote's order returns %+v", effects.Return)
	}
}

func TestOnlyOverdueUnpaidOrdersEnd(t *testing.T) {
	s, order := sold(t)
	due := order.Payment.DueAt
	for name, c := range map[string]struct {
		order *Order
		at    time.Time
		ends  bool
	}{
		"in time":   {order, due.Add(-time.Millisecond), false},
		"due":       {order, due, true},
		"later":     {order, due.Add(time.Hour), true},
		"paid":      {s.must(order, payment(order, "p")), due, false},
		"cancelled": {s.must(order, CancelOrder{}), due, false},
	} {
		next, effects, ends := EndUnpaid(c.order, s.shop, c.at)
		if ends != c.ends {
			t.Errorf("%s: it ends %v", name, ends)
		}
		if ends && (next.Status != OrderCancelled || next.CancelReason != UnpaidReason || next.CancelledAt != c.at || !next.Restocked ||
			effects.OrderNews.Event != EventOrderCancelled || next.PaymentStatus() != PaymentIsDue) {
			t.Errorf("%s: %+v, %+v", name, next, effects)
		}
	}
}

// payment_minutes counts where the store has payment_minutes, up to the store's.
func TestPaymentMinutes(t *testing.T) {
	for _, c := range []struct {
		store  time.Duration
		asked  AskedMinutes
		want   time.Duration
		fault  string
		reason string
	}{
		{time.Hour, AskedMinutes{}, time.Hour, "", "the store's"},
		{time.Hour, AskedMinutes{true, "60"}, time.Hour, "", "the greatest"},
		{time.Hour, AskedMinutes{true, "1"}, time.Minute, "", "the least"},
		{time.Hour, AskedMinutes{true, "1e1"}, 10 * time.Minute, "", "a number by its value"},
		{time.Hour, AskedMinutes{true, "0"}, 0, "The payment minutes field must be at least 1.", "none"},
		{time.Hour, AskedMinutes{true, "61"}, 0, "The payment minutes field must not be greater than 60.", "more than the store's"},
		{time.Hour, AskedMinutes{true, "1.5"}, 0, "The payment minutes field must be an integer.", "a fraction"},
		{time.Hour, AskedMinutes{true, ""}, 0, "The payment minutes field must be an integer.", "no number"},
		{0, AskedMinutes{true, "0"}, 0, "", "a store without payment ignores it"},
		{0, AskedMinutes{true, ""}, 0, "", "whatever it is"},
	} {
		var faults Faults
		got := c.asked.paymentTime(&Store{PaymentTime: c.store}, &faults)
		fault := ""
		if r := faults.Refusal(); r != nil {
			fault = r.Message
		}
		if got != c.want || fault != c.fault {
			t.Errorf("%s: %v, %q; want %v, %q", c.reason, got, fault, c.want, c.fault)
		}
	}
}

func TestPaymentIsDueAtCheckoutAndAccept(t *testing.T) {
	hour := func(s *Store) { s.PaymentTime = time.Hour }
	for _, c := range []struct {
		name string
		edit func(*scene, *Checkout)
		want time.Duration
	}{
		{"the store's", func(*scene, *Checkout) {}, time.Hour},
		{"less", func(_ *scene, c *Checkout) { c.Payment = AskedMinutes{true, "5"} }, 5 * time.Minute},
		{"a total of 0", func(s *scene, c *Checkout) {
			s.cart.Lines[0].UnitPrice = 0
			s.shop.ShippingMethods[0].Price = 0
		}, 0},
		{"no payment_minutes", func(s *scene, _ *Checkout) { s.shop.PaymentTime = 0 }, 0},
	} {
		s := checkoutScene(t)
		hour(s.shop)
		command := s.order()
		c.edit(s, command)
		s.do(command)
		o := s.effects.Sale.Order
		var due time.Duration
		if !o.Payment.DueAt.IsZero() {
			due = o.Payment.DueAt.Sub(o.PlacedAt)
		}
		if due != c.want || (o.PaymentStatus() == PaymentIsDue) != (c.want > 0) {
			t.Errorf("%s: due after %v, %v", c.name, due, o.PaymentStatus())
		}
	}
	s, quote := quoted(t, hour)
	_, effects, refusal := s.answer(quote, accept(func(a *AcceptQuote) { a.Payment = AskedMinutes{true, "7"} }))
	if refusal != nil || effects.Sale.Order.Payment.DueAt != s.in.Now.Add(7*time.Minute) || len(effects.Sale.Order.Takes) != 1 {
		t.Errorf("the accept is %+v, %v", effects.Sale, refusal)
	}
	_, _, refusal = s.answer(quote, accept(func(a *AcceptQuote) { a.Payment = AskedMinutes{true, "61"} }))
	if got := shortly(refusal); got != "payment_minutes: The payment minutes field must not be greater than 60." {
		t.Errorf("too many minutes: %s", got)
	}
}

// payment_minutes is judged with the fields, last of them.
func TestPaymentMinutesIsTheLastField(t *testing.T) {
	s := checkoutScene(t)
	s.shop.PaymentTime = time.Hour
	_, _, refusal := s.try(s.order(func(c *Checkout) {
		c.Payment = AskedMinutes{true, "0"}
		c.Faults.Add("expected_total_amount", saying("Wrong.")[0])
	}))
	if got := shortly(refusal); got != "expected_total_amount: Wrong.; payment_minutes: The payment minutes field must be at least 1." {
		t.Errorf("the checkout is %s", got)
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
