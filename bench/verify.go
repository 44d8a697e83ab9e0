package bench

import (
	"context"
	"slices"
	"sync"
	"time"
)

// readBackCreated is the number of created empty carts that are read back for each visitor.
const readBackCreated = 200

// Verify reads all used records back, compares them with the acknowledged writes, and adds the lost
// and doubled lines to the check. It skips a system that is not judged.
func (w *World) Verify(ctx context.Context, check *Check) error {
	if w.plan.Unjudged {
		return nil
	}
	if w.hot != nil {
		w.verifyHot(ctx, check)
		return ctx.Err()
	}
	patience := w.patience()
	var sum sync.Mutex
	var busy sync.WaitGroup
	for _, v := range w.visitors {
		busy.Go(func() {
			own := v.verify(ctx, patience)
			sum.Lock()
			defer sum.Unlock()
			check.Add(own)
		})
	}
	busy.Wait()
	return ctx.Err()
}

// verify reads the visitor's records back. No other visitor changes them. Left orders must end within
// the patience.
func (v *visitor) verify(ctx context.Context, patience time.Duration) (c Check) {
	v.rec, v.again = nil, nil
	made := v.created[max(0, len(v.created)-readBackCreated):]
	for _, rec := range slices.Concat(v.carts, made, v.books) {
		if !rec.touched || ctx.Err() != nil {
			continue
		}
		read := opRead
		switch {
		case rec.id == "":
			read = opAddressList
		case rec.claimed:
			read = opReadClaimed
		}
		c.Records++
		v.verifyRecord(&step{op: read, rec: rec, line: -1}, &c)
	}
	v.verifySales(ctx, patience, &c)
	return c
}

// verifyRecord compares one record. After a write with an unknown outcome, both states are right.
func (v *visitor) verifyRecord(s *step, c *Check) {
	want := slices.Clone(s.rec.lines)
	var other []line
	if s.rec.pending != nil {
		other = s.rec.pending.apply(nil, want)
	}
	if s.rec.blind {
		return
	}
	if _, f := v.perform(s); f == nil {
		return
	} else if !v.answer.hasLines {
		c.Unread++
		return
	}
	lost, doubled := difference(want, v.answer.lines)
	if other != nil {
		otherLost, otherDoubled := difference(other, v.answer.lines)
		lost, doubled = min(lost, otherLost), min(doubled, otherDoubled)
	}
	if lost+doubled == 0 { // the quantities are right, a price or name is wrong
		lost = 1
	}
	c.Lost, c.Doubled = c.Lost+lost, c.Doubled+doubled
}

// difference counts the lines with too small a quantity, and the lines that have too great a quantity
// or should not exist.
func difference(want []line, got []seen) (lost, doubled int64) {
	for i := range want {
		k := slices.IndexFunc(got, func(s seen) bool { return string(s.id) == want[i].id })
		switch {
		case k < 0 || got[k].quantity < want[i].quantity || string(got[k].text) != want[i].text && want[i].text != "":
			lost++
		case got[k].quantity > want[i].quantity:
			doubled++
		}
	}
	return lost, doubled + max(0, int64(len(got)-len(want)))
}

// verifyHot compares the shared cart with the sums of the visitors' acknowledged writes.
func (w *World) verifyHot(ctx context.Context, check *Check) {
	if ctx.Err() != nil {
		return
	}
	v := w.visitors[0]
	v.rec = nil
	base := slices.Clone(w.hot.lines)
	check.Records++
	v.fill(&step{op: opRead, rec: w.hot, line: -1})
	send := v.sends[opRead]
	err := v.do(send, &v.values, false)
	if err != nil || v.response.StatusCode() != send.status || scan(v.response.Body(), send.shape, &v.answer) != nil || !v.answer.hasLines {
		check.Unread++
		return
	}
	var ledgers []*ledger
	for _, other := range w.visitors {
		ledgers = append(ledgers, other.ledger)
	}
	for i := range base {
		k := slices.IndexFunc(v.answer.lines, func(s seen) bool { return string(s.id) == base[i].id })
		if k < 0 {
			check.Lost++
			continue
		}
		lost, doubled := lostOrDoubled(ledgers, i, base[i].quantity, v.answer.lines[k].quantity)
		if lost > 0 {
			check.Lost++
		}
		if doubled > 0 {
			check.Doubled++
		}
	}
}
