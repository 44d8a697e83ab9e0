package strictjson

import (
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth of lists and objects.
const MaxDepth = 64

// SyntaxError has the position and the reason of the first error in a JSON text.
type SyntaxError struct {
	Offset  int // in bytes from the beginning of the text
	Message string
}

// Error returns the message alone: each caller describes the position in its own way.
func (e *SyntaxError) Error() string { return e.Message }

// Parse validates data and returns its value. data must be exactly one JSON value in UTF-8, with
// only white space around it. In addition to RFC 8259's grammar, Parse refuses invalid UTF-8,
// escapes that are half a surrogate pair, and nesting deeper than MaxDepth. The error is a
// *SyntaxError.
//
// The Value is a part of data. The caller must not change data while the Value is in use.
func Parse(data []byte) (Value, error) {
	p := parser{data}
	start := skipSpace(data, 0)
	end, err := p.value(start, 0)
	if err != nil {
		return nil, err
	}
	if rest := skipSpace(data, end); rest != len(data) {
		return nil, p.fault(rest, "unexpected text after the end of the value")
	}
	return Value(data[start:end]), nil
}

// parser validates a text. Each method takes the position at which a part begins and returns the
// position after it.
type parser struct{ data []byte }

// fault makes the error at a position. Past the end, the error is the unexpected end.
func (p *parser) fault(at int, message string) *SyntaxError {
	if at >= len(p.data) {
		return &SyntaxError{len(p.data), "unexpected end of the text"}
	}
	return &SyntaxError{at, message}
}

// peek returns the byte at a position, 0 past the end.
func (p *parser) peek(at int) byte {
	if at < len(p.data) {
		return p.data[at]
	}
	return 0
}

func (p *parser) value(at, depth int) (int, *SyntaxError) {
	switch c := p.peek(at); c {
	case '"':
		return p.str(at)
	case '{', '[':
		if depth == MaxDepth {
			return 0, p.fault(at, "nested deeper than 64 levels")
		}
		if c == '{' {
			return p.object(at, depth+1)
		}
		return p.array(at, depth+1)
	case 't':
		return p.literal(at, "true")
	case 'f':
		return p.literal(at, "false")
	case 'n':
		return p.literal(at, "null")
	default:
		if c == '-' || isDigit(c) {
			return p.number(at)
		}
	}
	return 0, p.fault(at, "expected a value")
}

func (p *parser) literal(at int, word string) (int, *SyntaxError) {
	for i := range len(word) {
		if p.peek(at+i) != word[i] {
			return 0, p.fault(at+i, "expected "+word)
		}
	}
	return at + len(word), nil
}

func (p *parser) array(at, depth int) (int, *SyntaxError) {
	at = skipSpace(p.data, at+1)
	if p.peek(at) == ']' {
		return at + 1, nil
	}
	for {
		end, err := p.value(at, depth)
		if err != nil {
			return 0, err
		}
		switch at = skipSpace(p.data, end); p.peek(at) {
		case ']':
			return at + 1, nil
		case ',':
			at = skipSpace(p.data, at+1)
		default:
			return 0, p.fault(at, "expected a comma or ]")
		}
	}
}

func (p *parser) object(at, depth int) (int, *SyntaxError) {
	at = skipSpace(p.data, at+1)
	if p.peek(at) == '}' {
		return at + 1, nil
	}
	for {
		end, err := p.member(at, depth)
		if err != nil {
			return 0, err
		}
		switch at = skipSpace(p.data, end); p.peek(at) {
		case '}':
			return at + 1, nil
		case ',':
			at = skipSpace(p.data, at+1)
		default:
			return 0, p.fault(at, "expected a comma or }")
		}
	}
}

// member reads a name, a colon and a value.
func (p *parser) member(at, depth int) (int, *SyntaxError) {
	if p.peek(at) != '"' {
		return 0, p.fault(at, "expected a member's name in quotes")
	}
	end, err := p.str(at)
	if err != nil {
		return 0, err
	}
	if at = skipSpace(p.data, end); p.peek(at) != ':' {
		return 0, p.fault(at, "expected a colon")
	}
	return p.value(skipSpace(p.data, at+1), depth)
}

func (p *parser) number(at int) (int, *SyntaxError) {
	if p.peek(at) == '-' {
		at++
	}
	var err *SyntaxError
	if p.peek(at) == '0' {
		at++
	} else if at, err = p.digits(at); err != nil {
		return 0, err
	}
	if p.peek(at) == '.' {
		if at, err = p.digits(at + 1); err != nil {
			return 0, err
		}
	}
	if c := p.peek(at); c == 'e' || c == 'E' {
		at++
		if c := p.peek(at); c == '+' || c == '-' {
			at++
		}
		return p.digits(at)
	}
	return at, nil
}

// digits reads one or more digits.
func (p *parser) digits(at int) (int, *SyntaxError) {
	if !isDigit(p.peek(at)) {
		return 0, p.fault(at, "expected a digit")
	}
	for isDigit(p.peek(at)) {
		at++
	}
	return at, nil
}

func (p *parser) str(at int) (int, *SyntaxError) {
	at++
	for at < len(p.data) {
		c := p.data[at]
		switch {
		case c == '"':
			return at + 1, nil
		case c == '\\':
			end, err := p.escape(at)
			if err != nil {
				return 0, err
			}
			at = end
		case c < ' ':
			return 0, p.fault(at, "a control character in a string must be escaped")
		case c < utf8.RuneSelf:
			at++
		default:
			r, size := utf8.DecodeRune(p.data[at:])
			if r == utf8.RuneError && size == 1 {
				return 0, p.fault(at, "the text is not valid UTF-8")
			}
			at += size
		}
	}
	return 0, p.fault(at, "")
}

func (p *parser) escape(at int) (int, *SyntaxError) {
	switch p.peek(at + 1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return at + 2, nil
	case 'u':
		return p.unicodeEscape(at)
	}
	return 0, p.fault(at+1, "this is not an escape")
}

// unicodeEscape reads \uXXXX, or two of them that are a surrogate pair.
func (p *parser) unicodeEscape(at int) (int, *SyntaxError) {
	unit, err := p.hex(at + 2)
	if err != nil {
		return 0, err
	}
	const lone = "this escape is half a surrogate pair"
	switch {
	case unit < 0xd800 || unit > 0xdfff:
		return at + 6, nil
	case unit >= 0xdc00 || p.peek(at+6) != '\\' || p.peek(at+7) != 'u':
		return 0, p.fault(at, lone)
	}
	low, err := p.hex(at + 8)
	if err != nil {
		return 0, err
	}
	if low < 0xdc00 || low > 0xdfff {
		return 0, p.fault(at, lone)
	}
	return at + 12, nil
}

func (p *parser) hex(at int) (rune, *SyntaxError) {
	for i := at; i < at+4; i++ {
		if hexDigit(p.peek(i)) < 0 {
			return 0, p.fault(i, "expected four hexadecimal digits")
		}
	}
	return hexUnit(p.data[at:]), nil
}

// The functions of this file find positions in a text. All but skipSpace rely on a validated text.

func isDigit(c byte) bool { return c-'0' <= 9 }

// skipSpace returns the position of the first byte that is no JSON white space.
func skipSpace(b []byte, at int) int {
	for at < len(b) && b[at] <= ' ' && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t') {
		at++
	}
	return at
}

// endOfValue returns the position after the value that begins at a position.
func endOfValue(b []byte, at int) int {
	switch b[at] {
	case '"':
		return endOfString(b, at)
	case '{', '[':
		return endOfContainer(b, at)
	}
	for at < len(b) && b[at] > ' ' && b[at] != ',' && b[at] != ']' && b[at] != '}' {
		at++
	}
	return at
}

// endOfString returns the position after the string that begins at a position.
func endOfString(b []byte, at int) int {
	for at++; b[at] != '"'; at++ {
		if b[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// endOfContainer returns the position after the list or object that begins at a position. In a
// validated text the brackets match, so the function only counts them.
func endOfContainer(b []byte, at int) int {
	for depth := 0; ; at++ {
		switch b[at] {
		case '"':
			at = endOfString(b, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
}

// first returns the position of the first item or member name of the container b, or of its
// closing bracket if it is empty.
func first(b []byte) int { return skipSpace(b, 1) }

// next returns the position of the next item or member name, or of the closing bracket. end is the
// end of the previous item or member.
func next(b []byte, end int) int {
	at := skipSpace(b, end)
	if b[at] == ',' {
		at = skipSpace(b, at+1)
	}
	return at
}

// memberValue returns the position of a member's value.
func memberValue(b []byte, endOfName int) int {
	return skipSpace(b, skipSpace(b, endOfName)+1)
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// hexUnit returns the value of the four hexadecimal digits at the start of b.
func hexUnit(b []byte) rune {
	return hexDigit(b[0])<<12 | hexDigit(b[1])<<8 | hexDigit(b[2])<<4 | hexDigit(b[3])
}
