package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// place is a line of a table: an index of Document.files, and the line's number, 0 for the whole file.
type place struct{ file, line int }

// effect is what a Note means for the document. The most important one comes first.
type effect int

const (
	// lost are a product, a variant or a row that the document does not have.
	lost effect = iota
	// hidden is a product that is not for sale any more.
	hidden
	// unpriced is a price that is left out, unsold are goods that cannot be bought.
	unpriced
	unsold
	// stockLeftOut and stockChanged are quantities.
	stockLeftOut
	stockChanged
	// leftOut is a value that the document does not have.
	leftOut
	// changed is a value that the document has in another form.
	changed
	// info changes nothing.
	info
	// unread is a column without a meaning here.
	unread
)

// countsAs is leftOut, changed or info: how the last line of a conversion counts it.
func (e effect) countsAs() effect {
	switch e {
	case lost, unpriced, stockLeftOut, leftOut, unread:
		return leftOut
	case hidden, stockChanged, changed:
		return changed
	}
	return info
}

// Note says what was not taken over from a table as it stands.
type Note struct {
	File string
	Line int // 0 if it is about the whole file
	// Product is the handle of the product; "" if there is none.
	Product string
	Text    string
	// Rows is the number of rows that it counts for. It names the first.
	Rows int

	effect effect
	place  place
	// kind is the text without its values.
	kind string
}

func (n *Note) String() string {
	var b strings.Builder
	b.WriteString(n.File)
	if n.Line > 0 {
		fmt.Fprintf(&b, ": line %d", n.Line)
	}
	if n.Product != "" {
		fmt.Fprintf(&b, ", product %q", shown(n.Product))
	}
	b.WriteString(": " + n.Text)
	switch {
	case n.Rows == 2:
		b.WriteString(" (and 1 further row)")
	case n.Rows > 2:
		fmt.Fprintf(&b, " (and %d further rows)", n.Rows-1)
	}
	return b.String()
}

// maxShown is the number of characters of a cell that a note shows.
const maxShown = 100

// shown is a text in the length in which a note shows it.
func shown(text string) string {
	if short, is := shortened(text, maxShown); is {
		return short + "…"
	}
	return text
}

// shortened cuts a text behind limit characters, and reports whether it was longer.
func shortened(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	n := 0
	for at := range text {
		if n == limit {
			return text[:at], true
		}
		n++
	}
	return text, false
}

// say adds a note of a place.
func (d *Document) say(at place, e effect, format string, args ...any) *Note {
	n := &Note{File: d.files[at.file], Line: at.line, Text: fmt.Sprintf(format, args...), Rows: 1, effect: e, place: at, kind: format}
	d.notes = append(d.notes, n)
	return n
}

// sayOf adds a note of a place and a product.
func (d *Document) sayOf(at place, handle string, e effect, format string, args ...any) *Note {
	n := d.say(at, e, format, args...)
	n.Product = handle
	return n
}

// once is sayOf for a text that is said once for each file and then counted.
func (d *Document) once(at place, handle string, e effect, text string) {
	key := onceKey{at.file, text}
	if n := d.said[key]; n != nil {
		n.Rows++
		return
	}
	n := d.sayOf(at, handle, e, "%s", text)
	n.kind, d.said[key] = text, n
}

type onceKey struct {
	file int
	text string
}

// Notes are those of one kind together, the most important kind first; within a kind in the order of the
// files and lines.
func (d *Document) Notes() []*Note {
	slices.SortStableFunc(d.notes, func(a, b *Note) int {
		return cmp.Or(a.place.file-b.place.file, a.place.line-b.place.line)
	})
	first := map[string]int{}
	for i, n := range d.notes {
		if _, known := first[n.kind]; !known {
			first[n.kind] = i
		}
	}
	slices.SortStableFunc(d.notes, func(a, b *Note) int {
		return cmp.Or(cmp.Compare(a.effect, b.effect), first[a.kind]-first[b.kind])
	})
	return d.notes
}

// Counts are the numbers of rows and values that were left out, and of those that were changed.
func (d *Document) Counts() (out, other int) {
	for _, n := range d.notes {
		switch n.effect.countsAs() {
		case leftOut:
			out += n.Rows
		case changed:
			other += n.Rows
		}
	}
	return out, other
}
