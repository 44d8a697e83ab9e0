package commandline

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// AppendPrintable appends a text for a terminal or a log. Characters that could move the cursor,
// begin a line or turn the direction of writing are written as \uXXXX, which JSON reads back:
// controls (C0, DEL and C1), line separators and direction marks. Bytes that are not UTF-8 become
// \ufffd.
func AppendPrintable(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}

// PrintableLines writes each line that it is given as AppendPrintable does. A Write is one line
// with its newline.
type PrintableLines struct{ To io.Writer }

func (p PrintableLines) Write(line []byte) (int, error) {
	text, end := line, ""
	if last := len(line) - 1; last >= 0 && line[last] == '\n' {
		text, end = line[:last], "\n"
	}
	if _, err := p.To.Write(append(AppendPrintable(nil, text), end...)); err != nil {
		return 0, err
	}
	return len(line), nil
}
