package convert

import (
	"encoding/csv"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// cellsOf reads a whole table: the cells that are not empty, by row and column.
func cellsOf(text string) (rows [][]cell, err error) {
	r := newReader(text)
	for {
		line, err := r.next()
		if line == 0 || err != nil {
			return rows, err
		}
		rows = append(rows, append([]cell(nil), r.cells...))
	}
}

// The reader reads the cells of encoding/csv from every table that encoding/csv accepts.
func TestTheReaderAgreesWithEncodingCSV(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "bc", ",", ",", "\n", "\n", `"`, `""`, `"x"`, `"y,z"`, "\"1\n2\"", " ", "é"}
	accepted := 0
	for range 50_000 {
		var b strings.Builder
		b.WriteString("h,i")
		for range random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		in := csv.NewReader(strings.NewReader(b.String()))
		in.FieldsPerRecord = -1
		records, err := in.ReadAll()
		if err != nil {
			continue
		}
		accepted++
		var want [][]cell
		for _, record := range records {
			var row []cell
			for i, text := range record {
				if text = strings.TrimSpace(text); text != "" {
					row = append(row, cell{i, text})
				}
			}
			if row != nil {
				want = append(want, row)
			}
		}
		got, err := cellsOf(b.String())
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		expect(t, b.String(), got, want)
	}
	if accepted < 5000 {
		t.Errorf("only %d tables were compared", accepted)
	}
}

// A quotation mark within a cell neither ends the conversion nor takes rows with it.
func TestQuotationMarksWithinCells(t *testing.T) {
	r := converted(t, readCSV, "product,name,price,stock\na,5\" pipe,1.00,1\nb,\"6\" pipe\",2.00,1\nc,\"The \"\"best\"\"\",3.00,1\n")
	expect(t, "names", []string{r.Products[0].Name, r.Products[1].Name, r.Products[2].Name}, []string{`5" pipe`, `6 pipe"`, `The "best"`})
	r.expectNotes(t, `1.csv: line 3: text stands behind the closing quotation mark of a cell`)
}

func TestLinesOfRows(t *testing.T) {
	r := newReader("sep=,\n\nh,i\n\"a\nb\",c\n,\n\nd\n")
	var lines []int
	for {
		line, err := r.next()
		if err != nil || line == 0 {
			break
		}
		lines = append(lines, line)
	}
	expect(t, "lines", lines, []int{3, 4, 8})
}

// A cell beyond the last column, one below a column without a name, and the second of two columns of
// one name are not lost in silence.
func TestCellsWithoutAPlace(t *testing.T) {
	r := converted(t, readCSV, "product,,price,sku,SKU,stock\na,x,1.00,S1,S2,5,Kitchen\nb,,1.00,S1,S1,5\nc,,1.00,,S3,5\n")
	r.expectNotes(t, `1.csv: line 2, product "a": not taken over: "x" in column 2, which has no name, SKU in column 5, "Kitchen" beyond the last column`)
	expect(t, "skus", []string{r.Products[0].SKU, r.Products[1].SKU, r.Products[2].SKU}, []string{"S1", "S1", "S3"})
	r = converted(t, readCSV, "product,price,stock,pictures,pictures,categories,category\na,1.00,1,/1.jpg,/2.jpg,A,B\n")
	expect(t, "pictures of both columns", len(r.Products[0].Media), 2)
	r.expectNotes(t, `not taken over: category`)
}

// Time and memory are linear in the table, whatever its shape is.
func TestEmptyCells(t *testing.T) {
	const cells = 3_000_000
	for _, table := range []string{
		"product,price,a\nmug,1.00,x\n" + strings.Repeat(strings.Repeat(",", 999)+"\n", cells/1000),
		"product,price" + strings.Repeat(",", cells) + "\nmug,1.00" + strings.Repeat(",", cells) + "\n",
		"product,price\nmug,1.00\n" + strings.Repeat(",\n", cells/2),
	} {
		if allocated := testing.AllocsPerRun(1, func() {
			if err := New(shop).CSV("t.csv", []byte(table)); err != nil {
				t.Fatal(err)
			}
		}); allocated > 5000 {
			t.Errorf("%.20q…: %.0f allocations for %d empty cells", table, allocated, cells)
		}
	}
}

// A file that repeats another one has prices, though none of its rows counts.
func TestTheSameFileTwice(t *testing.T) {
	const table = "product,price,stock\nmug,8.50,5\n"
	r := converted(t, readCSV, table, table)
	expect(t, "products", slugsOf(r), []string{"mug"})
	r.expectNotes(t, `2.csv: line 2, product "mug": the row is left out: the product has a row already`)
}

func TestAddressesOfPictures(t *testing.T) {
	for cell, want := range map[string][]string{
		"/1.jpg /2.jpg":                                      {"/1.jpg", "/2.jpg"},
		"https://x/1.jpg\nhttps://x/2.jpg":                   {"https://x/1.jpg", "https://x/2.jpg"},
		"https://x/1.jpg, https://x/2.jpg,https://x/3.jpg":   {"https://x/1.jpg", "https://x/2.jpg", "https://x/3.jpg"},
		"https://x/1.jpg;https://x/2.jpg | http://x/3.jpg;":  {"https://x/1.jpg", "https://x/2.jpg", "http://x/3.jpg"},
		"https://x/w_2,h_3/https://y/1.jpg?a;b https://x/2,": {"https://x/w_2,h_3/https://y/1.jpg?a;b", "https://x/2"},
		" , ": nil,
	} {
		expect(t, cell, addresses(cell), want)
	}
}

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
