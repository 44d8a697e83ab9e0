package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"

	"cartd/blackbox/faultsuite/model"
)

// inParts pays an order, and ships, cancels, returns and refunds it in parts, each said once or twice at once under
// its reference. Some do not fit any more, and are refused.
func (s *Sales) inParts(dice *rand.Rand, o *sale) {
	if !o.ships() {
		s.goThrough(dice, o)
		return
	}
	s.pay(dice, o)
	p := &parted{Sales: s, sale: o}
	for n := range 3 + dice.IntN(5) {
		p.reference = fmt.Sprintf("part %d", n)
		[]func(*rand.Rand, int){p.ship, p.ship, p.cancel, p.giveBack, p.refund, p.refundPieces}[dice.IntN(6)](dice, 1+dice.IntN(o.quantity))
	}
	if p.left() > 0 && o.status == "placed" && o.payment != "refunded" {
		p.shipAgainstCancel(dice)
	}
	if o.status == "placed" && p.left() == 0 && o.shipped > 0 {
		s.change(dice, o, "delivered", "", http.StatusOK)
		o.status = "completed"
		s.expect(o, "order.delivered")
		p.reference = "the last one"
		p.giveBack(dice, 1)
	}
}

// parted is an order with the reference of its next part, and its pieces that were refunded.
type parted struct {
	*Sales
	*sale
	reference string
	paidBack  int
}

// left are the pieces that can be shipped or cancelled.
func (p *parted) left() int { return p.quantity - p.shipped - p.pieces.cancelled }

// say sends a part, once or twice at once. If it fits, it is done, and else refused. It returns an answer.
func (p *parted) say(dice *rand.Rand, route, more string, fits bool) (a answer) {
	body := fmt.Sprintf(`{"reference":%q%s}`, p.reference, more)
	wanted := []int{http.StatusOK}
	if !fits {
		wanted = []int{http.StatusConflict, http.StatusUnprocessableEntity}
	}
	var all sync.WaitGroup
	for i := range 1 + dice.IntN(2) {
		own := rand.New(rand.NewPCG(dice.Uint64(), uint64(i)))
		all.Go(func() {
			got := p.change(own, p.sale, route, body, http.StatusOK, http.StatusConflict, http.StatusUnprocessableEntity)
			if got.status != 0 && (got.status == http.StatusOK) != fits {
				p.violate("parts", "order %s, %s %s: %d %s; want %v", p.ID, route, body, got.status, got.body, wanted)
			}
			p.mu.Lock()
			a = got
			p.mu.Unlock()
		})
	}
	all.Wait()
	return a
}

// lines is the field of so many pieces.
func (p *parted) lines(n int) string {
	return fmt.Sprintf(`,"lines":[{"line_id":%q,"quantity":%d}]`, p.line, n)
}

func (p *parted) ship(dice *rand.Rand, n int) {
	fits := p.status == "placed" && p.payment != "refunded" && n <= p.left()
	p.say(dice, "shipments", p.lines(n)+`,"carrier":"first"`, fits)
	if fits {
		p.shipped, p.carrier = p.shipped+n, "first"
		p.expect(p.sale, "order.shipped")
	}
}

func (p *parted) cancel(dice *rand.Rand, n int) {
	fits, restock := p.status == "placed" && n <= p.left(), dice.IntN(3) > 0
	p.say(dice, "cancel", fmt.Sprintf(`%s,"reason":"part","restock":%v`, p.lines(n), restock), fits)
	if fits {
		p.cancelledPieces(n, restock)
	}
}

// cancelledPieces notes a cancel of pieces, which ends an order of which nothing has left and nothing is left.
func (p *parted) cancelledPieces(n int, restock bool) {
	if p.shipped == 0 && n == p.left() {
		p.cancelled(p.sale, "part", restock)
		return
	}
	p.pieces.cancelled += n
	p.cameBack("cancel", n, restock)
}

// cameBack notes a part that gives stock back, or does not.
func (p *parted) cameBack(reason string, n int, restock bool) {
	p.expect(p.sale, "order.returned")
	if restock {
		p.back += n
		p.expectStock(p.sale, reason, n)
	}
}

func (p *parted) giveBack(dice *rand.Rand, n int) {
	fits, restock := n <= p.shipped-p.returned, dice.IntN(3) > 0
	p.say(dice, "returns", fmt.Sprintf(`%s,"restock":%v`, p.lines(n), restock), fits)
	if fits {
		p.returned += n
		p.cameBack("return", n, restock)
	}
}

// refund pays an amount back.
func (p *parted) refund(dice *rand.Rand, _ int) {
	amount := 1 + dice.IntN(p.total)
	fits := amount <= p.total-p.refunded
	p.say(dice, "refunds", fmt.Sprintf(`,"amount":%d`, amount), fits)
	if fits {
		p.refundedTo(p.refunded + amount)
	}
}

// refundPieces pays pieces back. The answer says how much that was.
func (p *parted) refundPieces(dice *rand.Rand, n int) {
	fits := p.payment != "refunded" && n <= p.quantity-p.paidBack
	a := p.say(dice, "refunds", p.lines(n), fits)
	var shown officeOrder
	if !fits || a.status == 0 {
		return
	}
	if err := json.Unmarshal(a.body, &shown); err != nil || shown.Refunded <= p.refunded {
		p.violate("parts", "order %s: %d refunded, then %s", p.ID, p.refunded, a.body)
		return
	}
	p.paidBack += n
	p.refundedTo(shown.Refunded)
}

func (p *parted) refundedTo(amount int) {
	p.refunded, p.payment = amount, "partially_refunded"
	if amount == p.total {
		p.payment = "refunded"
	}
	p.expect(p.sale, "order.refunded")
}

// shipAgainstCancel ships and cancels all that is left at once. Exactly one of both happens.
func (p *parted) shipAgainstCancel(dice *rand.Rand) {
	n := p.left()
	bodies := map[string]string{
		"shipments": `{"reference":"last"` + p.lines(n) + `,"carrier":"last"}`, "cancel": `{"reference":"last"` + p.lines(n) + `,"reason":"part"}`,
	}
	var all sync.WaitGroup
	answers := map[string]answer{}
	for route, body := range bodies {
		own := rand.New(rand.NewPCG(dice.Uint64(), 1))
		all.Go(func() {
			a := p.change(own, p.sale, route, body, http.StatusOK, http.StatusConflict, http.StatusUnprocessableEntity)
			p.mu.Lock()
			answers[route] = a
			p.mu.Unlock()
		})
	}
	all.Wait()
	shipped, cancelled := answers["shipments"], answers["cancel"]
	switch {
	case shipped.status == 0 || cancelled.status == 0:
	case (shipped.status == http.StatusOK) == (cancelled.status == http.StatusOK):
		p.violate("parts", "order %s: shipped %d %s and cancelled %d %s", p.ID, shipped.status, shipped.body, cancelled.status, cancelled.body)
	case shipped.status == http.StatusOK:
		p.shipped, p.carrier = p.shipped+n, "last"
		p.expect(p.sale, "order.shipped")
	default:
		p.cancelledPieces(n, true)
	}
}

// checkParts compares the parts of every order with the order: its pieces, its total, and its breakdown once all of
// it is refunded.
func (s *Sales) checkParts(orders []officeOrder) {
	for _, o := range orders {
		sum, rows := 0, map[float64]model.TaxRow{}
		for _, p := range o.Parts {
			sum += p.Amount
			for _, row := range p.Breakdown {
				if row.Base < 0 || row.Tax < 0 {
					s.violate("parts", "order %s has a negative refund: %+v", o.ID, row)
				}
				was := rows[row.Rate]
				rows[row.Rate] = model.TaxRow{Rate: row.Rate, Base: was.Base + row.Base, Tax: was.Tax + row.Tax}
			}
		}
		l := &o.Lines[0]
		if l.Shipped+l.Cancelled > l.Quantity || l.Returned > l.Shipped || sum != o.Refunded || sum > o.Totals.Total.Amount {
			s.violate("parts", "order %s: %+v, refunds of %d, refunded %d of %d", o.ID, *l, sum, o.Refunded, o.Totals.Total.Amount)
		}
		for _, row := range o.Totals.Breakdown {
			if got := rows[row.Rate]; sum == o.Totals.Total.Amount && got != row {
				s.violate("parts", "order %s is refunded by %+v, its breakdown is %+v", o.ID, got, row)
			}
		}
	}
}
