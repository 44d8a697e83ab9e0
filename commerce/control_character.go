package commerce

import (
	"strings"
	"unicode"
)

// MaxName is the maximum number of code points in a name or slug of a store document.
const MaxName = 255

// The rule of control characters: docs/api/contract.md#requests, Texts. A text goes on to mails, labels
// and tables of others, where such a character ends a line or a text.

// IsControl reports whether a character is of the category Cc or separates lines or paragraphs.
func IsControl(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// IsLine reports whether a text can be a field of one line: it has no control character.
func IsLine(text string) bool { return !strings.ContainsFunc(text, IsControl) }

// IsLines reports whether a text can be a field of several lines: TAB and LF are its only control
// characters.
func IsLines(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return IsControl(r) && r != '\t' && r != '\n' })
}

// HasNUL reports whether a text has the character that no text may have.
func HasNUL(text string) bool { return strings.IndexByte(text, 0) >= 0 }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// UnifyLines returns a text of several lines with each CR LF and each CR as LF.
func UnifyLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return lineEnds.Replace(text)
}

// Line checks a field of one line.
func (f *Faults) Line(field, text string) {
	if !IsLine(text) {
		f.Add(field, MsgControlCharacter(field))
	}
}

// Lines checks a field of several lines and returns it with LF as its only end of a line.
func (f *Faults) Lines(field, text string) string {
	text = UnifyLines(text)
	if !IsLines(text) {
		f.Add(field, MsgControlCharacter(field))
	}
	return text
}

// Verbatim checks a field whose text is kept as it was sent: only U+0000 is refused.
func (f *Faults) Verbatim(field, text string) {
	if HasNUL(text) {
		f.Add(field, MsgControlCharacter(field))
	}
}
