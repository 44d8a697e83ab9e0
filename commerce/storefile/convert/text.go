package convert

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

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
