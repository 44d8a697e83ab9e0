package bench

import (
	"context"
	"fmt"
	"time"
)

// The states of an order in the scenario sale. An adapter says how each shows.
const (
	statePaid      = "paid"
	stateCancelled = "cancelled"
	stateEnded     = "ended" // as unpaid
)

// PayMinutes is the time in which an order of the scenario sale must be paid.
const PayMinutes = 1

// A left order must have ended this long after its time to pay, and later if many end together: a
// node ends at most 200 a second, and this harness waits for half of that.
const (
	endsAfter = 90 * time.Second
	endsRate  = 100
	endsPoll  = time.Second
)

// keepOrder notes the order that a cart was sold as.
func (v *visitor) keepOrder(rec *record) {
	if len(v.answer.order) == 0 || !v.world.scenario.sells() {
		return
	}
	rec.order, rec.amount, rec.at = string(v.answer.order), v.answer.total, time.Now()
	v.sold = append(v.sold, rec)
}

// compareOrder judges the answer to a step on an order: the order's id and its state.
func (j *judge) compareOrder(s *step) *fault {
	a := &j.answer
	if string(a.order) != s.rec.order {
		return wrong("id", "%s answered with order %s, want %s", s.op, a.order, s.rec.order)
	}
	want := s.rec.state
	switch s.op {
	case opPay:
		want = statePaid
	case opCancel:
		want = stateCancelled
	case opOrder:
		if want == "" {
			want = stateEnded
		}
	}
	if got := a.state(); got != j.states[want] {
		return wrong("state", "%s answered with order %s as %q, want %q", s.op, s.rec.order, got, j.states[want])
	}
	return nil
}

// verifySales reads every order back. Those that were paid or cancelled must be so, those that were
// left must end as unpaid. After a payment or a cancel with an unknown outcome, both are right.
func (v *visitor) verifySales(ctx context.Context, patience time.Duration, c *Check) {
	for _, rec := range v.sold {
		if ctx.Err() != nil {
			return
		}
		c.Records++
		if f := v.awaitState(ctx, rec, rec.at.Add(patience)); f != nil {
			c.Lost++
			c.Examples = append(c.Examples, f.kind+": "+f.example)
		}
	}
}

// patience is the time after its sale in which a left order must end. It grows with the number of
// orders that were neither paid nor cancelled.
func (w *World) patience() time.Duration {
	n := 0
	for _, v := range w.visitors {
		for _, rec := range v.sold {
			if rec.state == "" {
				n++
			}
		}
	}
	return PayMinutes*time.Minute + endsAfter + time.Duration(n)*time.Second/endsRate
}

// awaitState reads an order until it is in its last state. Only an order that was left may take time.
func (v *visitor) awaitState(ctx context.Context, rec *record, until time.Time) *fault {
	pending := rec.pending
	rec.pending = nil
	for {
		_, f := v.perform(&step{op: opOrder, rec: rec, line: -1})
		if f != nil && pending != nil {
			rec.state = statePaid
			if pending.op == opCancel {
				rec.state = stateCancelled
			}
			_, f = v.perform(&step{op: opOrder, rec: rec, line: -1})
			if f != nil {
				rec.state = ""
			}
		}
		if f == nil || rec.state != "" || time.Now().After(until) || !waitUntil(ctx, realClock{}, time.Now().Add(endsPoll)) {
			return f
		}
	}
}

// SaleID is the id of the i-th store of SaleDocument.
func SaleID(i int) string { return fmt.Sprintf("be000000-0000-4000-8000-5a1e%08d", i+1) }

// SaleKey is the storefront's key of the i-th store of SaleDocument.
func SaleKey(i int) string { return fmt.Sprintf("cartbench-sale-%04d", i) }

// SaleAdmin is the key that pays and cancels orders of the i-th store of SaleDocument.
func SaleAdmin(i int) string { return fmt.Sprintf("cartbench-sale-office-%04d", i) }

// SaleDocument is the document of the i-th store whose orders can be paid: that of StoreDocument under
// another id. Its orders must be paid within some minutes, 0 for no end, and its stock may be tracked.
func SaleDocument(i, minutes int, tracked bool) []byte {
	d := storeDocument(i)
	store := d["store"].(object)
	store["id"], store["name"] = SaleID(i), fmt.Sprintf("Sale %d", i)
	store["modules"] = append(store["modules"].([]string), "stock")
	if minutes > 0 {
		store["orders"] = object{"payment_minutes": minutes}
	}
	d["api_keys"] = []object{
		{"name": "shop", "key": SaleKey(i), "scopes": []string{"commerce:read", "commerce:write"}},
		{"name": "office", "key": SaleAdmin(i), "scopes": []string{"orders:read", "orders:write"}},
	}
	for _, product := range d["products"].([]object) {
		if tracked && product["configurator"] == nil {
			product["track_stock"], product["stock"] = true, "1000000000"
		}
	}
	d["customers"] = []object{}
	return documentText(d)
}
