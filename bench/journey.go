package bench

import (
	"errors"
	"fmt"
	"slices"
)

// The code that every store of the harness has takes a part off the goods; the delivery costs the
// same for every order. Both stand in the adapter, too.
const (
	code          = "BENCH10"
	codePercent   = 10
	delivery      = "be000000-0000-4000-8000-0000000de11f"
	deliveryPrice = Amount(495)
)

// checkJourney refuses what cannot be judged.
func (s *Scenario) checkJourney() error {
	shares := 0
	for _, share := range s.After {
		if share.Op != opPay.String() && share.Op != opCancel.String() || share.Weight < 1 {
			return fmt.Errorf("scenario: %q with weight %d after a sale: pay and cancel can follow, with per cent of the orders", share.Op, share.Weight)
		}
		shares += share.Weight
	}
	if shares > 100 || shares > 0 && s.Journey[len(s.Journey)-1] != opCheckout.String() {
		return errors.New("scenario: what comes after a sale is at most 100 per cent, and follows a checkout")
	}
	if len(s.Mix) > 0 || s.Hot || s.Lines > 0 || s.Extra > 0 || s.Made {
		return errors.New("scenario: a journey has no mix and no carts but those that it makes")
	}
	for i, name := range s.Journey {
		o, known := opNamed(name)
		if !known || o.address() || o == opConfigure || o == opRemove || o == opPrepare || o.sale() || (o == opCreate) != (i == 0) {
			return fmt.Errorf("scenario: %q in place %d: a journey begins with create, and read, product, product_list, add, change, code and checkout follow", name, i)
		}
	}
	return nil
}

// stride is the next step of the visitor's journey. After an unknown outcome the journey begins anew.
func (v *visitor) stride() *step {
	if o, follows := v.afterSale(); follows {
		return &step{op: o, rec: v.current, line: -1}
	}
	if v.strides >= len(v.world.journey) || v.current != nil && (v.current.pending != nil || v.current.id == "") {
		v.strides = 0
	}
	o := v.world.journey[v.strides]
	v.strides++
	if v.world.scenario.Crawlers > 0 && v.current != nil && len(v.current.lines) == 0 && (o == opChange || o == opCheckout) { // all adds were refused
		v.strides, o = 1, opCreate
	}
	if o.catalogue() {
		return v.decideBrowse(o)
	}
	s := &step{op: o, rec: v.current, line: -1}
	switch o {
	case opCreate:
		v.current = &record{store: v.rng.IntN(v.world.plan.Stores)}
		s.rec = v.current
		if v.world.scenario.Crawlers > 0 {
			v.newShopper()
		}
	case opAdd:
		s.article = v.fresh(v.current)
		s.quantity = v.amount(s.article, 3)
	case opChange:
		s.line = v.rng.IntN(len(v.current.lines))
		s.article = v.current.lines[s.line].article
		s.quantity = v.amount(s.article, 3)
	}
	return s
}

// afterSale draws once for each order what comes after its sale: pay, cancel, or nothing.
func (v *visitor) afterSale() (o op, follows bool) {
	if len(v.world.scenario.After) == 0 || v.strides != len(v.world.journey) || v.current.order == "" {
		return 0, false
	}
	v.strides++ // the next journey follows
	n := v.rng.IntN(100)
	for _, share := range v.world.scenario.After {
		if n -= share.Weight; n < 0 {
			return opNamed(share.Op)
		}
	}
	return 0, false
}

// due is what each line must cost after a step, and what the answer must come to: the code's part of
// the sum, rounded half up, is spread over the lines by largest remainder; an order has its delivery
// besides.
func (j *judge) due(s *step, lines []line) (each []Amount, sum Amount) {
	j.dues = j.dues[:0]
	for i := range lines {
		total := j.articles[lines[i].article].total(lines[i].quantity)
		j.dues, sum = append(j.dues, total), sum+total
	}
	if (s.rec.coded || s.op == opCode) && sum > 0 {
		off := (sum*codePercent + 50) / 100
		spread(j.dues, off, sum)
		sum -= off
	}
	if s.op == opCheckout || s.op.sale() {
		sum += deliveryPrice
	}
	return j.dues, sum
}

// spread takes an amount off lines that make a sum, in proportion to each.
func spread(lines []Amount, off, sum Amount) {
	order, rest, left := make([]int, len(lines)), make([]Amount, len(lines)), off
	for i, total := range lines {
		share := total * off / sum
		order[i], rest[i] = i, total*off%sum
		lines[i] -= share
		left -= share
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(min(1, max(-1, rest[b]-rest[a]))) })
	for _, i := range order[:left] {
		lines[i]--
	}
}
