package bench

// ledger is what one visitor has had acknowledged on the cart that all share; the
// sums of all ledgers are compared with the cart at the end.
type ledger struct {
	added  []Quantity // by line
	maybe  []Quantity // added with an unknown outcome
	last   []Quantity // the last change acknowledged; 0: none
	unsure [][]Quantity
}

func newLedger(lines int) *ledger {
	return &ledger{
		added: make([]Quantity, lines), maybe: make([]Quantity, lines),
		last: make([]Quantity, lines), unsure: make([][]Quantity, lines),
	}
}

// look judges an answer of the shared cart: what others did meanwhile is not known,
// but every line must cost what it costs, the total must be their sum, and the own
// effect must show.
func (l *ledger) look(j *judge, s *step, c checks) *fault {
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

// shows checks that the own effect is in line i of an answer.
func (l *ledger) shows(s *step, i int, got *seen) *fault {
	switch {
	case s.op == opChange && i == s.line && got.quantity != s.quantity:
		return wrong("quantity", "change of line %s answered with %d thousandths, want %d", got.id, got.quantity, s.quantity)
	case s.op == opAdd && i == s.line && got.quantity < s.rec.lines[i].quantity+l.added[i]+s.quantity:
		return wrong("quantity", "add to line %s answered with %d thousandths, want at least %d", got.id, got.quantity, s.rec.lines[i].quantity+l.added[i]+s.quantity)
	}
	return nil
}

// note takes an acknowledged write down.
func (l *ledger) note(s *step) {
	switch s.op {
	case opAdd:
		l.added[s.line] += s.quantity
	case opChange:
		l.last[s.line], l.unsure[s.line] = s.quantity, nil
	}
}

// unknown notes a write whose outcome is not known.
func (l *ledger) unknown(s *step) {
	switch s.op {
	case opAdd:
		l.maybe[s.line] += s.quantity
	case opChange:
		l.unsure[s.line] = append(l.unsure[s.line], s.quantity)
	}
}

// settle compares a line of the shared cart with all ledgers, and returns how much of
// it was lost or doubled.
func settle(ledgers []*ledger, i int, base, got Quantity) (lost, doubled Quantity) {
	least, most := base, base
	changed, explained := false, false
	for _, l := range ledgers {
		least += l.added[i]
		most += l.added[i] + l.maybe[i]
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
	return max(0, least-got), max(0, got-most)
}
