package convert

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// row is one row of a table: its cells by the names of the columns.
type row struct {
	line  int
	cells map[string]string
	taken map[string]bool
}

// get returns a cell, trimmed, and notes that it is taken over. An absent one is empty.
func (r *row) get(column string) string {
	r.taken[column] = true
	return strings.TrimSpace(r.cells[column])
}

// left lists the columns that were not taken over and have a value in this row, in the table's
// order.
func (r *row) left(columns []string) (names []string) {
	for _, c := range columns {
		if !r.taken[c] && strings.TrimSpace(r.cells[c]) != "" {
			names = append(names, c)
		}
	}
	return names
}

// read reads a table with a line of column names, and calls each for its rows. The separator is a
// comma, a semicolon or a tab, whatever stands in the first line. Errors: of a table that is no CSV.
func read(data []byte, each func(columns []string, r *row)) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	in := csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord, in.Comma = -1, separator(data)
	columns, err := in.Read()
	if err != nil {
		return fmt.Errorf("it has no line of column names: %w", err)
	}
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := in.FieldPos(0)
		r := &row{line: line, cells: map[string]string{}, taken: map[string]bool{}}
		for i, cell := range cells {
			if i < len(columns) {
				r.cells[columns[i]] = cell
			}
		}
		each(columns, r)
	}
}

func separator(data []byte) rune {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	best, maxCount := ',', 0
	for _, s := range []rune{',', ';', '\t'} {
		if n := bytes.Count(first, []byte(string(s))); n > maxCount {
			best, maxCount = s, n
		}
	}
	return best
}

// hasColumn reports whether a table has a column.
func hasColumn(columns []string, name string) bool {
	for _, c := range columns {
		if c == name {
			return true
		}
	}
	return false
}
