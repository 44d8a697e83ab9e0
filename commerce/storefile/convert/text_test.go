package convert

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// One table in all the forms in which spreadsheets save it.
func TestEncodings(t *testing.T) {
	const table = "product,name,price,categories\nkäse,Käse – Größe,1.00,Küche\nbrie,Brie,2.00,Küche\n"
	want := converted(t, readCSV, table)
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"byte order mark":   "\ufeff" + table,
		"sep=":              "sep=;\n" + strings.ReplaceAll(table, ",", ";"),
		"sep= with CR LF":   "SEP=,\r\n" + table,
		"CR LF":             strings.ReplaceAll(table, "\n", "\r\n"),
		"CR":                strings.ReplaceAll(table, "\n", "\r"),
		"tabs":              strings.ReplaceAll(table, ",", "\t"),
		"decomposed":        norm.NFD.String(table),
		"UTF-16":            utf16,
		"blank lines ahead": "\n\n" + table,
		"header":            strings.ReplaceAll(strings.ReplaceAll(table, "product,name", "PRODUCT, Name "), "\n\n", "\n"),
	} {
		got := converted(t, readCSV, text)
		expect(t, name, string(got.text), string(want.text))
		expect(t, name+": notes", len(got.notes), len(want.notes))
	}
}

// A file that is no UTF-8 is read as Windows-1252, line by line, and this is said once.
func TestWindows1252(t *testing.T) {
	r := converted(t, readCSV, "product,name,price,stock\na,K\xe4se \x96 Gr\xf6\xdfe \x80,1.00,1\nb,Käse,1.00,1\nc,K\xe4se,1.00,1\n")
	expect(t, "names", []string{r.Products[0].Name, r.Products[1].Name, r.Products[2].Name}, []string{"Käse – Größe €", "Käse", "Käse"})
	r.expectNotes(t, "1.csv: the text is no UTF-8: it was read as Windows-1252")
}

// Control characters of a cell end in no document: the other fields of the row stay.
func TestControlCharacters(t *testing.T) {
	r := converted(t, readCSV, "product,name,price,stock,description,variant,sku,attribute:A\n"+
		"a,\"Big\x1b\n\u2028mug\",1.00,1,\"One\x07\r\n\ttwo\",\"L\x02arge\",\"S\r\n1\",\"x\x7fy\"\n")
	p := r.product(t, "a")
	v := p.Variants[0]
	expect(t, "texts", []string{p.Name, p.Description, v.Name, v.SKU, v.Attributes[0].Values[0]}, []string{"Big mug", "One\n\ttwo", "L arge", "S 1", "x y"})
	expect(t, "notes", len(r.notes), 5)
}
