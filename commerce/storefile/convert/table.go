package convert

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"

	"cartd/commerce"
)

// cell is a cell in which there is something to see. Its text has no space around it.
type cell struct {
	column int
	text   string
}

// reader reads the rows of a table in one pass. Empty cells cost no memory, and a quotation mark
// within a cell ends nothing: that is why it is not encoding/csv.
type reader struct {
	rest      string
	separator byte
	line      int // of the next byte of rest; the first is 1
	cells     []cell
	// stray is true if the last row has text behind the closing quotation mark of a cell.
	stray bool
}

// separatorLine is a first line by which a spreadsheet names the separator.
var separatorLine = regexp.MustCompile(`^(?i:"?sep=(.)"?[ \t,;]*)(?:\n|$)`)

// newReader begins with a table's line of column names.
func newReader(text string) *reader {
	r := &reader{rest: text, line: 1}
	if m := separatorLine.FindStringSubmatch(text); m != nil && len(m[1]) == 1 {
		r.rest, r.line, r.separator = text[len(m[0]):], 2, m[1][0]
		return r
	}
	r.separator = separatorOf(text)
	return r
}

// separatorOf returns the comma, semicolon or tab that stands most often in the first line that is not
// blank, quoted text left aside.
func separatorOf(text string) byte {
	text = strings.TrimLeft(text, " \n")
	var counts [256]int
	quoted := false
	for i := 0; i < len(text) && (quoted || text[i] != '\n'); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case !quoted:
			counts[text[i]]++
		}
	}
	best := byte(',')
	for _, s := range []byte{';', '\t'} {
		if counts[s] > counts[best] {
			best = s
		}
	}
	return best
}

// next reads a row with at least one cell that is not empty, and returns the line of its first cell.
// It returns 0 at the end. The cells are good until the next call. Error: a quotation mark that opens
// a cell and is never closed.
func (r *reader) next() (line int, err error) {
	for len(r.rest) > 0 {
		line = r.line
		r.cells, r.stray = r.cells[:0], false
		if err := r.row(); err != nil {
			return 0, err
		}
		if len(r.cells) > 0 {
			return line, nil
		}
	}
	return 0, nil
}

// row reads to the end of a row.
func (r *reader) row() error {
	column := 0
	for i := 0; ; column++ {
		for i < len(r.rest) && r.rest[i] == r.separator { // fast for empty cells
			i, column = i+1, column+1
		}
		r.rest = r.rest[i:]
		text, err := r.cell()
		if err != nil {
			return err
		}
		if commerce.Trim(text) != "" {
			r.cells = append(r.cells, cell{column, text})
		}
		if r.rest == "" {
			return nil
		}
		i = 1
		if r.rest[0] == '\n' {
			r.rest = r.rest[1:]
			r.line++
			return nil
		}
	}
}

// cell reads a cell up to the separator or line end behind it.
func (r *reader) cell() (string, error) {
	begin := 0
	for begin < len(r.rest) && r.rest[begin] == ' ' {
		begin++
	}
	if begin < len(r.rest) && r.rest[begin] == '"' {
		return r.quoted(begin + 1)
	}
	return strings.TrimSpace(r.plain()), nil
}

// plain reads text up to the separator or line end, also with space around it.
func (r *reader) plain() string {
	end := 0
	for end < len(r.rest) && r.rest[end] != r.separator && r.rest[end] != '\n' {
		end++
	}
	text := r.rest[:end]
	r.rest = r.rest[end:]
	return text
}

// quoted reads a cell that is quoted from begin on. Text behind the closing quotation mark belongs to
// the cell, too.
func (r *reader) quoted(begin int) (string, error) {
	end, doubled := begin, false
	for {
		n := strings.IndexByte(r.rest[end:], '"')
		if n < 0 {
			return "", fmt.Errorf("line %d: a quotation mark opens a cell and is never closed: %s", r.line, saveAsCSV)
		}
		end += n + 1
		if end == len(r.rest) || r.rest[end] != '"' {
			break
		}
		end, doubled = end+1, true
	}
	text := r.rest[begin : end-1]
	r.line += strings.Count(text, "\n")
	if doubled {
		text = strings.ReplaceAll(text, `""`, `"`)
	}
	r.rest = r.rest[end:]
	if tail := r.plain(); strings.TrimSpace(tail) != "" {
		r.stray = true
		text += tail
	}
	return strings.TrimSpace(text), nil
}

// otherFiles are the first bytes of files that are often given in place of a table.
var otherFiles = []struct{ start, kind string }{
	{"PK\x03\x04", "a workbook (.xlsx or .ods) or a zip file"},
	{"\xd0\xcf\x11\xe0", "an old workbook (.xls)"},
	{"%PDF", "a PDF"},
	{"<", "HTML or XML"},
	{"{", "JSON"},
	{"[", "JSON"},
}

// saveAsCSV is what helps against a file that is no table.
const saveAsCSV = "give a table of text: save or export it as CSV (UTF-8)"

// textOf returns the text of a file: composed (NFC), with line feeds at the ends of lines. The bytes
// are UTF-8, UTF-16 with a byte order mark, or else Windows-1252; guessed reports whether any line was
// read as the last. Errors: of a file that is no text.
func textOf(data []byte) (text string, guessed bool, err error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		data, err = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", false, errors.New("its text is no UTF-16: " + saveAsCSV)
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	head := bytes.TrimSpace(data[:min(len(data), 512)])
	for _, other := range otherFiles {
		if bytes.HasPrefix(head, []byte(other.start)) {
			return "", false, errors.New("it is no table but " + other.kind + ": " + saveAsCSV)
		}
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", false, errors.New("it is no text: " + saveAsCSV)
	}
	if !utf8.Valid(data) {
		data, guessed = fromWindows(data), true
	}
	text = norm.NFC.String(string(data))
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	return text, guessed, nil
}

// fromWindows reads the lines that are no UTF-8 as Windows-1252. Lines that are UTF-8 stay: a file may
// be put together of several.
func fromWindows(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if utf8.Valid(line) {
			out = append(out, line...)
			continue
		}
		for _, b := range line {
			out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(b))
		}
	}
	return out
}
