package bench

import (
	"errors"
	"math"
)

// answer is what was found in a body. Its texts are the body's own bytes, with no
// escape resolved.
type answer struct {
	id       []byte
	total    Amount
	hasTotal bool
	lines    []seen
	hasLines bool
	line     seen
	hasLine  bool
}

// seen is a line, or an address, of an answer.
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

// scanner walks a JSON text once and picks up what a shape names. What it does not
// name is skipped without a look inside; this is no validator.
type scanner struct {
	b   []byte
	i   int
	out *answer
	cur *seen // the line that is being read
}

// scan fills out from the text; out's memory is used again.
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

// space goes to the next byte that is none.
func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\n' || s.b[s.i] == '\t' || s.b[s.i] == '\r') {
		s.i++
	}
}

// peek returns the next byte that is no space; 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i == len(s.b) {
		return 0
	}
	return s.b[s.i]
}

// take steps over the byte c if it comes next.
func (s *scanner) take(c byte) bool {
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
	if n.place == atLine {
		s.cur, s.out.hasLine = &s.out.line, true
	}
	s.i++
	for first := true; ; first = false {
		if s.take('}') {
			return nil
		}
		if !first && !s.take(',') {
			return errSyntax
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return errSyntax
		}
		if err := s.value(n.child(key)); err != nil {
			return err
		}
	}
}

func (s *scanner) array(n *node) error {
	if n == nil || n.place != atLines {
		return s.skip()
	}
	s.out.hasLines = true
	s.i++
	for first := true; ; first = false {
		if s.take(']') {
			return nil
		}
		if !first && !s.take(',') {
			return errSyntax
		}
		s.out.lines = append(s.out.lines, seen{})
		s.cur = &s.out.lines[len(s.out.lines)-1]
		if err := s.value(n.element); err != nil {
			return err
		}
	}
}

// text reads a string and returns what stands between its quotes.
func (s *scanner) text() ([]byte, error) {
	if !s.take('"') {
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
	if n == nil || n.place == nowhere {
		return nil
	}
	return s.keep(n, text)
}

// word is a number, true, false or null.
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
	switch n.place {
	case atID:
		s.out.id = text
	case atTotal:
		number, ok = fixed(text, n.decimals)
		s.out.total, s.out.hasTotal = Amount(number), true
	case atLineID:
		s.cur.id = text
	case atLineProduct:
		s.cur.product = text
	case atLineQuantity:
		number, ok = fixed(text, 3)
		s.cur.quantity = Quantity(number)
	case atLineTotal:
		number, ok = fixed(text, n.decimals)
		s.cur.total, s.cur.hasTotal = Amount(number), true
	case atLineText:
		s.cur.text = text
	case atLineMark:
		s.cur.mark = string(text) == "true"
	default: // a list or an object was expected
		ok = false
	}
	if !ok {
		return errType
	}
	return nil
}

// skip steps over an object or an array: to the bracket that closes it.
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

// fixed reads a plain decimal in units of 10^-decimals. False: it is none, has more
// decimals (zeros apart), or is too large.
func fixed(text []byte, decimals int) (int64, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	n, digits, places := int64(0), 0, -1 // places: behind the dot; -1: before it
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
