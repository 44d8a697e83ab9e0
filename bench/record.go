package bench

import "slices"

// record is what the harness knows of one cart or one address book: what was
// acknowledged.
type record struct {
	id    string // of the cart; empty for an address book
	store int
	// customer is the index, in its store, of the owner of a book or a claimed cart.
	customer int
	// claimed: the cart is its customer's, or is about to be.
	claimed bool
	lines   []line
	// pending is a write whose outcome is not known: it was done or not. The next
	// request on the record is a read, which tells.
	pending *step
	// coded: the code is attached.
	coded bool
	// blind: nothing is known yet; the next full answer is believed.
	blind bool
	// touched by the run, beyond its preparation.
	touched bool
}

// line is a line of a cart, or an address of a book (text and mark).
type line struct {
	id       string // empty: the answer will tell
	article  int
	quantity Quantity
	text     string
	mark     bool
}

// step is one request on a record.
type step struct {
	op  op
	rec *record
	// other is the cart that a claim folds; nil: it is not known.
	other *record
	// line is the index of the line that is meant; -1: a new one.
	line     int
	article  int
	quantity Quantity
	text     string
	mark     bool
	once     []byte // the idempotency key
	// repeat: sent before under the same key, and must have no further effect.
	repeat bool
}

// apply returns the lines after the step, in the memory of dst.
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

// setMark makes an address the default or not; all are of one type, so a new default
// ends the old one.
func setMark(lines []line, i int, on bool) {
	if on {
		for j := range lines {
			lines[j].mark = false
		}
	}
	lines[i].mark = on
}

// touchedLine is the index of the step's line among the lines after it; -1: none.
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
