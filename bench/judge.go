package bench

import (
	"fmt"
	"strings"
)

// fault is what is wrong with an answer: a kind that is counted, and one example.
type fault struct {
	kind, example string
}

// wrong reports whether the answer contradicts what was acknowledged.
func (f *fault) wrong() bool { return strings.HasPrefix(f.kind, "wrong ") }

func wrong(kind, format string, args ...any) *fault {
	return &fault{kind: "wrong " + kind, example: fmt.Sprintf(format, args...)}
}

// checks are what answers of an operation hold beside lines.
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

// judge compares answers with what they must be.
type judge struct {
	articles []Article
	answer   answer
	after    []line   // the state that an answer must show
	dues     []Amount // what its lines must cost
}

// look judges the answer in j.answer to a step on a record that nobody else uses, and
// takes its effect over into the record. While a write's outcome is not known the step
// is a read, and either state is right.
func (j *judge) look(s *step, c checks) *fault {
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

// compare checks the whole answer against the lines it must show, and learns the ids
// of new ones.
func (j *judge) compare(s *step, want []line, c checks) *fault {
	a := &j.answer
	if (s.op != opCreate || s.repeat) && s.rec.id != "" && a.id != nil && string(a.id) != s.rec.id {
		return wrong("id", "%s answered by cart %s, want %s", s.op, a.id, s.rec.id)
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

// find returns the answer's line that must be want: the one with its id, else, for one
// whose id is not known, the one in its place.
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
	for i := range lines {
		if lines[i].id == string(id) {
			return true
		}
	}
	return false
}

// compareLine compares a line, which must cost what is due.
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

// believe takes the answer's lines over as they are: of an address book that was there
// before, or from a server that is not judged (the floor).
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

// unknown notes a write whose outcome is not known.
func (r *record) unknown(s *step) {
	if !s.op.write() || s.op == opCreate || s.repeat {
		return
	}
	copied := *s
	copied.once = nil
	r.pending = &copied
	r.blind = r.blind || s.op == opCode // what the lines cost is not known
}
