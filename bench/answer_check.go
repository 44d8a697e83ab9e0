package bench

import (
	"fmt"
	"slices"
	"strings"
)

// fault is an error in an answer: a kind, which is counted, and an example.
type fault struct {
	kind, example string
}

// wrong reports whether the answer contradicts what was acknowledged.
func (f *fault) wrong() bool { return strings.HasPrefix(f.kind, "wrong ") }

func wrong(kind, format string, args ...any) *fault {
	return &fault{kind: "wrong " + kind, example: fmt.Sprintf(format, args...)}
}

// checks are the values of a line that the answers of an operation have.
type checks struct {
	product, quantity, text, mark bool
}

func (s *Shape) checks() checks {
	var c checks
	for _, l := range []*LineShape{s.Lines, s.Line} {
		if l != nil {
			c = checks{product: l.Product != "", quantity: l.Quantity != "", text: l.Text != "", mark: l.Mark != ""}
		}
	}
	return c
}

// judge compares answers with the expected state.
type judge struct {
	articles []Article
	states   map[string]string // of orders, as an answer shows them
	answer   answer
	after    []line   // the state that an answer must show
	dues     []Amount // the expected totals of its lines
}

// review judges the answer in j.answer to a step on a record of one visitor, and applies the step to
// the record. After a write with an unknown outcome the step is a read, and both states are right.
func (j *judge) review(s *step, c checks) *fault {
	rec := s.rec
	if rec.blind && j.answer.hasLines {
		j.believe(s)
		return nil
	}
	j.after = s.apply(j.after, rec.lines)
	found := j.compare(s, j.after, c)
	if found != nil && rec.pending != nil {
		j.after = rec.pending.apply(j.after, rec.lines)
		found = j.compare(s, j.after, c)
	}
	if found != nil {
		return found
	}
	rec.lines, rec.pending = append(rec.lines[:0], j.after...), nil
	return nil
}

// compare compares the whole answer with the expected lines and stores the ids of new lines.
func (j *judge) compare(s *step, want []line, c checks) *fault {
	a := &j.answer
	if (s.op != opCreate || s.repeat) && s.rec.id != "" && a.id != nil && string(a.id) != s.rec.id {
		return wrong("id", "%s answered by cart %s, want %s", s.op, a.id, s.rec.id)
	}
	if s.op.sale() {
		if f := j.compareOrder(s); f != nil {
			return f
		}
	}
	due, sum := j.due(s, want)
	if a.hasLines {
		if len(a.lines) != len(want) {
			return wrong("lines", "%s answered with %d lines, want %d", s.op, len(a.lines), len(want))
		}
		for i := range want {
			if f := j.compareLine(s, &want[i], a.find(&want[i], i, want), due[i], c); f != nil {
				return f
			}
		}
	}
	if i := s.touchedLine(want); a.hasLine && i >= 0 {
		if f := j.compareLine(s, &want[i], &a.line, due[i], c); f != nil {
			return f
		}
	}
	if a.hasTotal && a.total != sum {
		return wrong("total", "%s answered with a total of %d, want %d", s.op, a.total, sum)
	}
	return nil
}

// find returns the answer's line with the id of want. If that id is not known yet, it returns the
// line at index i, or the first line with an unknown id.
func (a *answer) find(want *line, i int, all []line) *seen {
	if string(a.lines[i].id) == want.id {
		return &a.lines[i]
	}
	for k := range a.lines {
		if want.id != "" && string(a.lines[k].id) == want.id || want.id == "" && !known(all, a.lines[k].id) {
			return &a.lines[k]
		}
	}
	return nil
}

func known(lines []line, id []byte) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return l.id == string(id) })
}

// compareLine compares a line with the expected one. due is its expected total.
func (j *judge) compareLine(s *step, want *line, got *seen, due Amount, c checks) *fault {
	switch {
	case got == nil:
		return wrong("lines", "%s: line %s is missing in the answer", s.op, want.id)
	case want.id != "" && string(got.id) != want.id:
		return wrong("lines", "%s answered with line %s, want %s", s.op, got.id, want.id)
	case c.product && string(got.product) != j.articles[want.article].Product:
		return wrong("product", "%s: line %s is of product %s, want %s", s.op, got.id, got.product, j.articles[want.article].Product)
	case c.quantity && got.quantity != want.quantity:
		return wrong("quantity", "%s: line %s has %d thousandths, want %d", s.op, got.id, got.quantity, want.quantity)
	case got.hasTotal && got.total != due:
		return wrong("line total", "%s: line %s costs %d, want %d", s.op, got.id, got.total, due)
	case c.text && string(got.text) != want.text:
		return wrong("text", "%s: address %s has %q, want %q", s.op, got.id, got.text, want.text)
	case c.mark && got.mark != want.mark:
		return wrong("default", "%s: address %s is default: %t, want %t", s.op, got.id, got.mark, want.mark)
	}
	if want.id == "" {
		want.id = string(got.id)
	}
	return nil
}

// believe copies the answer's lines to the record without a check: of an address book with earlier
// entries, or of a server that is not judged (the floor).
func (j *judge) believe(s *step) {
	rec := s.rec
	rec.pending, rec.blind = nil, false
	rec.lines = rec.lines[:0]
	for i := range j.answer.lines {
		l := &j.answer.lines[i]
		article := 0
		for k := range j.articles {
			if j.articles[k].Product == string(l.product) {
				article = k
				break
			}
		}
		rec.lines = append(rec.lines, line{id: string(l.id), article: article, quantity: l.quantity, text: string(l.text), mark: l.mark})
	}
}

// unknown records a write with an unknown outcome.
func (r *record) unknown(s *step) {
	if !s.op.write() || s.op == opCreate || s.repeat {
		return
	}
	copied := *s
	copied.once = nil
	r.pending = &copied
	r.blind = r.blind || s.op == opCode // the totals of the lines are not known
}
