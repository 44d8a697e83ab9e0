package bench

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// answer has the values that were found in a body. Its texts are bytes of the body, with their
// escapes.
type answer struct {
	id       []byte
	total    Amount
	hasTotal bool
	lines    []seen
	hasLines bool
	line     seen
	hasLine  bool
	order    []byte
	states   [maxStates][]byte
}

// maxStates is the maximum number of paths that make the state of an order.
const maxStates = 4

// state is the state of an order: its parts, with spaces.
func (a *answer) state() string {
	return string(bytes.TrimRight(bytes.Join(a.states[:], []byte(" ")), " "))
}

// seen is a line or an address of an answer.
type seen struct {
	id, product, text []byte
	quantity          Quantity
	total             Amount
	hasTotal, mark    bool
}

var (
	errSyntax = errors.New("the answer is no JSON")
	errType   = errors.New("a value of the answer has another type than the adapter says")
)

// scanner reads a JSON text once and collects the values that a shape names. It skips other values
// and does not validate them.
type scanner struct {
	b   []byte
	i   int
	out *answer
	cur *seen // the current line
}

// scan fills out from the text. It reuses the memory of out.
func scan(text []byte, shape *node, out *answer) error {
	*out = answer{lines: out.lines[:0]}
	s := scanner{b: text, out: out}
	if err := s.value(shape); err != nil {
		return err
	}
	if s.space(); s.i != len(s.b) {
		return errSyntax
	}
	return nil
}

// space skips white space.
func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\n' || s.b[s.i] == '\t' || s.b[s.i] == '\r') {
		s.i++
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i == len(s.b) {
		return 0
	}
	return s.b[s.i]
}

// accept steps over the byte c if it is the next one.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c || c == 0 {
		return false
	}
	s.i++
	return true
}

func (s *scanner) value(n *node) error {
	switch s.peek() {
	case '{':
		return s.object(n)
	case '[':
		return s.array(n)
	default:
		return s.leaf(n)
	}
}

func (s *scanner) object(n *node) error {
	if n == nil || len(n.children) == 0 {
		return s.skip()
	}
	if n.role == isLine {
		s.cur, s.out.hasLine = &s.out.line, true
	}
	s.i++
	for first := true; ; first = false {
		if s.accept('}') {
			return nil
		}
		if !first && !s.accept(',') {
			return errSyntax
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if !s.accept(':') {
			return errSyntax
		}
		if err := s.value(n.child(key)); err != nil {
			return err
		}
	}
}

// array reads a list of lines, or the elements whose numbers are children of the node.
func (s *scanner) array(n *node) error {
	if n == nil || n.role != isLines && len(n.children) == 0 {
		return s.skip()
	}
	s.i++
	s.out.hasLines = s.out.hasLines || n.role == isLines
	for i := 0; ; i++ {
		if s.accept(']') {
			return nil
		}
		if i > 0 && !s.accept(',') {
			return errSyntax
		}
		element := n.element
		if n.role == isLines {
			s.out.lines = append(s.out.lines, seen{})
			s.cur = &s.out.lines[len(s.out.lines)-1]
		} else {
			element = n.child(strconv.AppendInt(nil, int64(i), 10))
		}
		if err := s.value(element); err != nil {
			return err
		}
	}
}

// text reads a string and returns the bytes between its quotes.
func (s *scanner) text() ([]byte, error) {
	if !s.accept('"') {
		return nil, errSyntax
	}
	for from := s.i; s.i < len(s.b); s.i++ {
		switch s.b[s.i] {
		case '"':
			s.i++
			return s.b[from : s.i-1], nil
		case '\\':
			s.i++
		}
	}
	return nil, errSyntax
}

// leaf reads a string, a number or a word.
func (s *scanner) leaf(n *node) error {
	var text []byte
	if s.peek() == '"' {
		var err error
		if text, err = s.text(); err != nil {
			return err
		}
	} else if text = s.word(); len(text) == 0 {
		return errSyntax
	}
	if n == nil || n.role == ignored {
		return nil
	}
	return s.keep(n, text)
}

// word reads a number, true, false or null.
func (s *scanner) word() []byte {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] > ' ' && s.b[s.i] != ',' && s.b[s.i] != ']' && s.b[s.i] != '}' {
		s.i++
	}
	return s.b[from:s.i]
}

func (s *scanner) keep(n *node, text []byte) error {
	ok := true
	var number int64
	switch n.role {
	case isID:
		s.out.id = text
	case isTotal:
		number, ok = fixed(text, n.decimals)
		s.out.total, s.out.hasTotal = Amount(number), true
	case isLineID:
		s.cur.id = text
	case isLineProduct:
		s.cur.product = text
	case isLineQuantity:
		number, ok = fixed(text, 3)
		s.cur.quantity = Quantity(number)
	case isLineTotal:
		number, ok = fixed(text, n.decimals)
		s.cur.total, s.cur.hasTotal = Amount(number), true
	case isLineText:
		s.cur.text = text
	case isLineMark:
		s.cur.mark = string(text) == "true"
	case isOrder:
		s.out.order = text
	default:
		if ok = n.role >= isState; ok { // else a list or an object was expected
			s.out.states[n.role-isState] = text
		}
	}
	if !ok {
		return errType
	}
	return nil
}

// skip steps over an object or an array.
func (s *scanner) skip() error {
	for depth := 0; s.i < len(s.b); s.i++ {
		switch s.b[s.i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				s.i++
				return nil
			}
		case '"':
			if _, err := s.text(); err != nil {
				return err
			}
			s.i--
		}
	}
	return errSyntax
}

// fixed reads a plain decimal in units of 10^-decimals. It returns false if the text is no decimal,
// has more decimals (except zeros), or is too large.
func fixed(text []byte, decimals int) (int64, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	n, digits, places := int64(0), 0, -1 // places counts digits after the dot, -1 until the dot
	for _, c := range text {
		if c == '.' && places < 0 && digits > 0 {
			places = 0
			continue
		}
		if c < '0' || c > '9' || n > math.MaxInt64/100 {
			return 0, false
		}
		digits++
		if places >= decimals {
			if c != '0' {
				return 0, false
			}
			continue
		}
		n = n*10 + int64(c-'0')
		if places >= 0 {
			places++
		}
	}
	for places = max(places, 0); places < decimals; places++ {
		if n > math.MaxInt64/100 {
			return 0, false
		}
		n *= 10
	}
	if negative {
		n = -n
	}
	return n, digits > 0
}
