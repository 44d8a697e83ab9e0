package bench

// ledger has one visitor's acknowledged writes to the shared cart. At the end, the cart is compared
// with the sums of all ledgers.
type ledger struct {
	added  []Quantity   // by line
	maybe  []Quantity   // added with an unknown outcome
	last   []Quantity   // the last acknowledged change, 0 if there is none
	unsure [][]Quantity // later changes with an unknown outcome
}

func newLedger(lines int) *ledger {
	return &ledger{
		added: make([]Quantity, lines), maybe: make([]Quantity, lines),
		last: make([]Quantity, lines), unsure: make([][]Quantity, lines),
	}
}

// review judges an answer about the shared cart. The writes of other visitors are not known. But
// every line must have the price of its quantity, the total must be their sum, and the visitor's own
// write must show.
func (l *ledger) review(j *judge, s *step, c checks) *fault {
	a, base := &j.answer, s.rec.lines
	if !a.hasLines && !a.hasLine {
		l.note(s)
		return nil
	}
	if a.hasLines && len(a.lines) != len(base) {
		return wrong("lines", "%s answered with %d lines, want %d", s.op, len(a.lines), len(base))
	}
	var sum Amount
	for i := range a.lines {
		want := base[i]
		got := a.find(&want, i, base)
		if got == nil {
			return wrong("lines", "%s: line %s is missing in the answer", s.op, want.id)
		}
		want.quantity = got.quantity
		if f := j.compareLine(s, &want, got, j.articles[want.article].total(got.quantity), c); f != nil {
			return f
		}
		if f := l.shows(s, i, got); f != nil {
			return f
		}
		sum += j.articles[want.article].total(got.quantity)
	}
	if a.hasLines && a.hasTotal && a.total != sum {
		return wrong("total", "%s answered with a total of %d, its lines make %d", s.op, a.total, sum)
	}
	if a.hasLine {
		if f := l.shows(s, s.line, &a.line); f != nil {
			return f
		}
	}
	l.note(s)
	return nil
}

// shows checks that line i of an answer has the visitor's own write.
func (l *ledger) shows(s *step, i int, got *seen) *fault {
	switch {
	case s.op == opChange && i == s.line && got.quantity != s.quantity:
		return wrong("quantity", "change of line %s answered with %d thousandths, want %d", got.id, got.quantity, s.quantity)
	case s.op == opAdd && i == s.line && got.quantity < s.rec.lines[i].quantity+l.added[i]+s.quantity:
		return wrong("quantity", "add to line %s answered with %d thousandths, want at least %d", got.id, got.quantity, s.rec.lines[i].quantity+l.added[i]+s.quantity)
	}
	return nil
}

// note records an acknowledged write.
func (l *ledger) note(s *step) {
	switch s.op {
	case opAdd:
		l.added[s.line] += s.quantity
	case opChange:
		l.last[s.line], l.unsure[s.line] = s.quantity, nil
	}
}

// unknown records a write with an unknown outcome.
func (l *ledger) unknown(s *step) {
	switch s.op {
	case opAdd:
		l.maybe[s.line] += s.quantity
	case opChange:
		l.unsure[s.line] = append(l.unsure[s.line], s.quantity)
	}
}

// lostOrDoubled compares a line of the shared cart with all ledgers and returns the lost and doubled
// quantities.
func lostOrDoubled(ledgers []*ledger, i int, base, got Quantity) (lost, doubled Quantity) {
	low, high := base, base
	changed, explained := false, false
	for _, l := range ledgers {
		low += l.added[i]
		high += l.added[i] + l.maybe[i]
		changed = changed || l.last[i] != 0
		explained = explained || l.last[i] == got && got != 0
		for _, q := range l.unsure[i] {
			explained = explained || q == got
		}
	}
	if changed || explained {
		if explained {
			return 0, 0
		}
		return One, 0
	}
	return max(0, low-got), max(0, got-high)
}
