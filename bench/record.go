package bench

import (
	"slices"
	"time"
)

// record is the acknowledged state of one cart or one address book.
type record struct {
	id    string // the cart's id, empty for an address book
	store int
	// customer is the index, in its store, of the owner of a book or a claimed cart.
	customer int
	// claimed is true if the customer has claimed the cart or will claim it.
	claimed bool
	lines   []line
	// pending is a write with an unknown outcome. The next request on the record is a read, which
	// shows the outcome.
	pending *step
	// coded is true if the discount code is attached.
	coded bool
	// blind is true if the state is not known. The next full answer is then believed.
	blind bool
	// order is the order that the cart was sold as, at is when. amount is its total, state its last
	// acknowledged state, "" until it is paid or cancelled.
	order  string
	at     time.Time
	amount Amount
	state  string
	// touched is true if the run has used the record after its preparation.
	touched bool
}

// line is a line of a cart, or an address of a book (text and mark).
type line struct {
	id       string // empty until an answer contains it
	article  int
	quantity Quantity
	text     string
	mark     bool
}

// step is one request on a record.
type step struct {
	op  op
	rec *record
	// other is the cart whose lines a claim moves, nil if it is not known.
	other *record
	// line is the index of the line, -1 for a new line.
	line     int
	article  int
	quantity Quantity
	text     string
	mark     bool
	once     []byte // the idempotency key
	// repeat is true if the step was already sent with the same key. It must have no further effect.
	repeat bool
}

// apply returns the lines after the step. It reuses the memory of dst.
func (s *step) apply(dst, lines []line) []line {
	dst = append(dst[:0], lines...)
	if s.repeat {
		return dst
	}
	switch s.op {
	case opAdd, opConfigure:
		if s.line < 0 {
			return append(dst, line{article: s.article, quantity: s.quantity})
		}
		dst[s.line].quantity += s.quantity
	case opClaim:
		if s.other != nil {
			dst = append(dst, s.other.lines...)
		}
	case opChange:
		dst[s.line].quantity = s.quantity
	case opRemove, opAddressRemove:
		return slices.Delete(dst, s.line, s.line+1)
	case opAddressAdd:
		dst = append(dst, line{text: s.text})
		setMark(dst, len(dst)-1, s.mark)
	case opAddressChange:
		dst[s.line].text = s.text
		setMark(dst, s.line, s.mark)
	}
	return dst
}

// setMark makes an address the default or not. All addresses have one type, so a new default ends
// the old one.
func setMark(lines []line, i int, on bool) {
	if on {
		for j := range lines {
			lines[j].mark = false
		}
	}
	lines[i].mark = on
}

// touchedLine is the index of the step's line among the lines after the step, -1 if it has none.
func (s *step) touchedLine(after []line) int {
	switch s.op {
	case opAdd, opConfigure, opAddressAdd:
		if s.line < 0 {
			return len(after) - 1
		}
		return s.line
	case opChange, opAddressChange:
		return s.line
	}
	return -1
}
