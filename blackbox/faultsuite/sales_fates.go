package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// leaveUnpaid leaves an order, which ends by itself.
func (s *Sales) leaveUnpaid(_ *rand.Rand, o *sale) {
	if s.Ends {
		s.cancelled(o, "unpaid", true)
	}
}

// payLate pays an order at about the moment at which it ends. Exactly one of both happens.
func (s *Sales) payLate(dice *rand.Rand, o *sale) {
	if !s.Ends {
		s.pay(dice, o)
		return
	}
	o.late = true
	// due_at is shown in whole seconds, and an order ends within a second.
	<-time.After(time.Until(o.due.Add(time.Duration(dice.IntN(2500)-250) * ms)))
	reference := someKey(dice)
	switch a := s.change(dice, o, "payment", o.amount(reference), http.StatusOK, http.StatusConflict); {
	case a.status == http.StatusOK:
		s.paid(o, reference)
	case a.status == http.StatusConflict:
		if !strings.Contains(string(a.body), `"ORDER_CANCELLED"`) {
			s.violate("payment against the end", "order %s: %s", o.ID, a.body)
		}
		s.cancelled(o, "unpaid", true)
	}
}

// amount is the body of a payment.
func (o *sale) amount(reference string) string {
	return fmt.Sprintf(`{"reference":%q,"amount":%d}`, reference, o.total)
}

// pay pays an order, and says so again.
func (s *Sales) pay(dice *rand.Rand, o *sale) {
	reference := someKey(dice)
	for range 1 + dice.IntN(2) {
		s.change(dice, o, "payment", o.amount(reference), http.StatusOK)
	}
	s.paid(o, reference)
}

// payTwice pays an order with two references at once. Exactly one of them is taken.
func (s *Sales) payTwice(dice *rand.Rand, o *sale) {
	references := [2]string{someKey(dice), someKey(dice)}
	done, won := s.both(dice, o, "two payments", [2]string{"payment", o.amount(references[0])}, [2]string{"payment", o.amount(references[1])}, `"ALREADY_PAID"`)
	if !won {
		return
	}
	reference := references[0]
	if done[1] {
		reference = references[1]
	}
	s.paid(o, reference)
	if dice.IntN(2) == 0 {
		s.change(dice, o, "payment", o.amount(reference), http.StatusOK)
		s.ship(dice, o, "first")
	}
}

// cancelAgainstShipment cancels and ships a paid order at once. Exactly one of both happens.
func (s *Sales) cancelAgainstShipment(dice *rand.Rand, o *sale) {
	s.pay(dice, o)
	restock := dice.IntN(2) == 0
	cancel := fmt.Sprintf(`{"reason":"asked","restock":%v}`, restock)
	done, won := s.both(dice, o, "cancel against shipment", [2]string{"cancel", cancel}, [2]string{"shipment", `{"carrier":"first"}`}, `ORDER_`)
	switch {
	case !won:
		return
	case done[0]:
		s.cancelled(o, "asked", restock)
	default:
		s.shippedAll(o, "first")
	}
	if dice.IntN(2) == 0 {
		s.refund(dice, o)
	}
}

// cancelTwice cancels an unpaid order twice at once: its stock comes back once.
func (s *Sales) cancelTwice(dice *rand.Rand, o *sale) {
	restock := dice.IntN(3) > 0
	body := fmt.Sprintf(`{"reason":"twice","restock":%v}`, restock)
	again := rand.New(rand.NewPCG(dice.Uint64(), 1))
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.change(again, o, "cancel", body, http.StatusOK)
	}()
	s.change(dice, o, "cancel", body, http.StatusOK)
	<-done
	s.cancelled(o, "twice", restock)
}

// goThrough pays, ships and delivers an order.
func (s *Sales) goThrough(dice *rand.Rand, o *sale) {
	s.pay(dice, o)
	s.ship(dice, o, "first")
	s.ship(dice, o, "second")
	for range 1 + dice.IntN(2) {
		s.change(dice, o, "delivered", "", http.StatusOK)
	}
	o.status = "completed"
	s.expect(o, "order.delivered")
	if dice.IntN(2) == 0 {
		s.refund(dice, o)
	}
}

// payBack returns the payment of an order and cancels it.
func (s *Sales) payBack(dice *rand.Rand, o *sale) {
	s.pay(dice, o)
	s.refund(dice, o)
	s.change(dice, o, "cancel", `{"reason":"returned"}`, http.StatusOK)
	s.cancelled(o, "returned", true)
}

// ship ships an order, or corrects its shipment.
func (s *Sales) ship(dice *rand.Rand, o *sale, carrier string) {
	for range 1 + dice.IntN(2) {
		s.change(dice, o, "shipment", fmt.Sprintf(`{"carrier":%q}`, carrier), http.StatusOK)
	}
	s.shippedAll(o, carrier)
}

func (s *Sales) refund(dice *rand.Rand, o *sale) {
	for range 1 + dice.IntN(2) {
		s.change(dice, o, "refund", `{"reference":"back"}`, http.StatusOK)
	}
	o.payment, o.refunded = "refunded", o.total
	s.expect(o, "order.refunded")
}
