package commerce

import (
	"testing"
	"time"
)

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
