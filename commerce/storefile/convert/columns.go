package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// field is what a column means: the normal form of the name that the documentation gives it.
type field string

// column is one column of a table.
type column struct {
	name  string // as the table spells it
	field field  // "" if it has no meaning here
}

// normal is a column's name in the form in which names are compared: letter case, spaces, underscores
// and hyphens make no difference.
func normal(name string) string {
	name = strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(name))
	return strings.Join(strings.Fields(name), " ")
}

// row is one row of a table.
type row struct {
	place
	columns []column
	of      map[field][]int
	cells   []cell
	// texts are the cells by their columns; taken are the columns that were taken over.
	texts []string
	taken []bool
	// commas is true if numbers may have a decimal comma.
	commas bool
}

// has reports whether the table has a column of this meaning.
func (r *row) has(f field) bool { return len(r.of[f]) > 0 }

// get returns the cell of a field, and notes that it is taken over. An absent one is empty. Of two
// columns the first that is not empty counts; the other one is not taken over unless it is equal.
func (r *row) get(f field) (text string) {
	for _, c := range r.of[f] {
		if text == "" || r.texts[c] == text {
			text, r.taken[c] = r.texts[c], true
		}
	}
	return text
}

// peek returns the cell of a field, which may be left over.
func (r *row) peek(f field) string {
	for _, c := range r.of[f] {
		if r.texts[c] != "" {
			return r.texts[c]
		}
	}
	return ""
}

// name is a field's name as the table spells it.
func (r *row) name(f field) string { return r.columns[r.of[f][0]].name }

// all returns the cells of a field that is a list, so that several columns of it add up.
func (r *row) all(f field) (texts []string) {
	for _, c := range r.of[f] {
		r.taken[c] = true
		if r.texts[c] != "" {
			texts = append(texts, r.texts[c])
		}
	}
	return texts
}

// leftovers says which cells of a row were not taken over. A column without a meaning is named once for
// the file.
func (d *Document) leftovers(r *row, handle string) {
	var names []string
	for _, c := range r.cells {
		switch {
		case c.column >= len(r.columns):
			names = append(names, fmt.Sprintf("%q beyond the last column", shown(c.text)))
		case r.taken[c.column]:
		case r.columns[c.column].field == "" && r.columns[c.column].name != "":
			d.once(r.place, handle, unread, "not taken over: "+shown(r.columns[c.column].name))
		case r.columns[c.column].name == "":
			names = append(names, fmt.Sprintf("%q in column %d, which has no name", shown(c.text), c.column+1))
		case len(r.of[r.columns[c.column].field]) > 1:
			names = append(names, fmt.Sprintf("%s in column %d", r.columns[c.column].name, c.column+1))
		default:
			names = append(names, r.columns[c.column].name)
		}
	}
	if len(names) > 0 {
		d.sayOf(r.place, handle, leftOut, "not taken over: %s", strings.Join(names, ", "))
	}
}

// kind is a kind of table.
type kind struct {
	// names are the names of each field's column. If none of them is there, the further names count.
	names, further map[field][]string
	// prefix begins the names of columns that are fields of their own.
	prefix string
	// needs are the fields of which a table of this kind has at least one; lacks says so.
	needs []field
	lacks string
	row   func(d *Document, r *row)
}

// maxTableColumns is the number of columns of the widest table, that of a workbook.
const maxTableColumns = 16_384

// maxColumns is the number of columns of one field. Further ones are not taken over.
const maxColumns = 100

// fieldsOf gives the columns their fields.
func (k *kind) fieldsOf(columns []column) map[field][]int {
	of := map[field][]int{}
	for i := range columns {
		if name := columns[i].name; k.prefix != "" && len(name) > len(k.prefix) && strings.EqualFold(name[:len(k.prefix)], k.prefix) {
			f := field(k.prefix + strings.TrimSpace(name[len(k.prefix):]))
			if len(of[f]) < maxColumns {
				columns[i].field, of[f] = f, append(of[f], i)
			}
		}
	}
	for _, names := range []map[field][]string{k.names, k.further} {
		found := map[field][]int{}
		meaning := map[string]field{}
		for f, all := range names {
			for _, name := range all {
				meaning[normal(name)] = f
			}
		}
		for i := range columns {
			f, known := meaning[normal(columns[i].name)]
			if known && columns[i].field == "" && of[f] == nil && len(found[f]) < maxColumns {
				columns[i].field = f
				found[f] = append(found[f], i)
			}
		}
		for f, all := range found {
			of[f] = all
		}
	}
	return of
}

// read reads a table, row by row. Errors: of a file that is no such table.
func (d *Document) read(k *kind, file string, data []byte) error {
	if err := d.readTable(k, file, data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (d *Document) readTable(k *kind, file string, data []byte) error {
	text, guessed, err := textOf(data)
	if err != nil {
		return err
	}
	in := newReader(text)
	if line, err := in.next(); err != nil {
		return err
	} else if line == 0 {
		return errors.New("it has no line of column names")
	}
	last := in.cells[len(in.cells)-1].column
	if last >= maxTableColumns {
		return fmt.Errorf("it has more than %d columns: %s", maxTableColumns, saveAsCSV)
	}
	columns := make([]column, last+1)
	for _, c := range in.cells {
		columns[c.column].name = c.text
	}
	k, platform := k.platformOf(columns)
	if platform != "" {
		d.catalogued = true
		d.prices++
	}
	r := &row{columns: columns, of: k.fieldsOf(columns), texts: make([]string, len(columns)), taken: make([]bool, len(columns))}
	if !slices.ContainsFunc(k.needs, r.has) {
		return errors.New(k.lacks)
	}
	d.files = append(d.files, file)
	r.file, r.commas = len(d.files)-1, in.separator != ','
	if platform != "" {
		d.say(place{file: r.file}, info, "it is an export of %s, and was read as one", platform)
	}
	if guessed {
		d.say(place{file: r.file}, info, "the text is no UTF-8: it was read as Windows-1252")
	}
	for rows := 0; ; rows++ {
		r.line, err = in.next()
		if err != nil {
			return err
		}
		if r.line == 0 && rows == 0 {
			return errors.New("it has no rows below the column names")
		}
		if r.line == 0 {
			return nil
		}
		r.fill(in.cells)
		if in.stray {
			d.say(r.place, changed, "text stands behind the closing quotation mark of a cell: it was read as part of the cell, without the mark")
		}
		k.row(d, r)
	}
}

// fill sets the cells of the next row.
func (r *row) fill(cells []cell) {
	for _, c := range r.cells {
		if c.column < len(r.texts) {
			r.texts[c.column] = ""
		}
	}
	r.cells = append(r.cells[:0], cells...)
	for _, c := range cells {
		if c.column < len(r.texts) {
			r.texts[c.column], r.taken[c.column] = c.text, false
		}
	}
}
