package storefile

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/internal/strictjson"
)

// mergedText is the text of a merged document, and the positions of the last set's entries in it.
type mergedText struct {
	text []byte
	last *ChangeSet
	from int
	// positions are those entries, in the order of the text.
	positions []mergedPosition
	// sent are the parts of the text that change sets have sent, in its order.
	sent []sentPart
}

// sentPart is a part of the merged text, from an offset to before another.
type sentPart struct{ from, to int }

// mergedPosition is an entry of the last set: its offset in the merged text, its path there and in
// the set, and its value in the set.
type mergedPosition struct {
	at        int
	path, own string
	raw       strictjson.Value
}

// document writes the whole document.
func (w *mergedText) document(m *merger) {
	w.text = append(w.text, '{')
	written := map[string]bool{}
	comma := ""
	member := func(name strictjson.Value) {
		w.text = append(append(append(w.text, comma...), name...), ':')
		comma = ","
	}
	for name, value := range m.kept.Pairs() {
		member(name)
		text := name.Text()
		switch {
		case m.lists[text] != nil:
			w.list(text, m.lists[text])
			written[text] = true
		case name.Is("store"):
			w.object(value, m.settings)
		default:
			w.text = append(w.text, value...)
		}
	}
	for _, list := range changeLists {
		if l := m.lists[list.name]; l != nil && !written[list.name] {
			member(strictjson.Value(AppendText(nil, list.name)))
			w.list(list.name, l)
		}
	}
	w.text = append(w.text, '}')
}

// list writes a list without its removed entries.
func (w *mergedText) list(name string, l *mergedList) {
	w.text = append(w.text, '[')
	n := 0
	for _, entry := range l.entries {
		if entry.raw == nil {
			continue
		}
		if n > 0 {
			w.text = append(w.text, ',')
		}
		w.note(entry, name+"["+strconv.Itoa(n)+"]", "set."+name+"["+strconv.Itoa(entry.at)+"]")
		w.text = append(w.text, entry.raw...)
		n++
	}
	w.text = append(w.text, ']')
}

// object writes an object with changed members. A member that is changed to null is left out.
func (w *mergedText) object(v strictjson.Value, changed map[string]mergedEntry) {
	w.text = append(w.text, '{')
	n := 0
	write := func(name strictjson.Value, entry mergedEntry) {
		if entry.raw.Kind() != strictjson.Null {
			if n > 0 {
				w.text = append(w.text, ',')
			}
			n++
			w.text = append(append(w.text, name...), ':')
		}
		w.note(entry, "store."+name.Text(), "set.settings."+name.Text())
		if entry.raw.Kind() != strictjson.Null {
			w.text = append(w.text, entry.raw...)
		}
	}
	var had []string
	for name, value := range v.Pairs() {
		entry, isChanged := changed[name.Text()]
		if !isChanged {
			entry = mergedEntry{raw: value, from: -1}
		}
		had = append(had, name.Text())
		write(name, entry)
	}
	for name, entry := range changed {
		if !slices.Contains(had, name) {
			write(strictjson.Value(AppendText(nil, name)), entry)
		}
	}
	w.text = append(w.text, '}')
}

// note adds an entry, which is about to be written, to the parts of the change sets, and to the
// positions if it is the last set's.
func (w *mergedText) note(entry mergedEntry, path, own string) {
	w.send(entry)
	if w.last == nil || entry.from != w.from {
		return
	}
	if w.last.product != uuid.Nil {
		own = ""
	}
	w.positions = append(w.positions, mergedPosition{len(w.text), path, own, entry.raw})
}

// send notes what a change set has sent of an entry.
func (w *mergedText) send(entry mergedEntry) {
	switch {
	case entry.from < 0 || entry.raw.Kind() == strictjson.Null:
	case entry.members == nil:
		w.sent = append(w.sent, sentPart{len(w.text), len(w.text) + len(entry.raw)})
	default:
		for name, value := range entry.raw.Pairs() {
			if slices.Contains(entry.members, name.Text()) {
				at := len(w.text) + value.Offset(entry.raw)
				w.sent = append(w.sent, sentPart{at, at + len(value)})
			}
		}
	}
}

// isSent reports whether a change set has sent the value at an offset.
func (w *mergedText) isSent(at int) bool {
	i, exact := slices.BinarySearchFunc(w.sent, at, func(p sentPart, at int) int { return cmp.Compare(p.from, at) })
	return exact || i > 0 && at < w.sent[i-1].to
}

// pathOf returns the path in the last set of a path in the merged text, or the path itself.
func (w *mergedText) pathOf(path string) string {
	for _, p := range w.positions {
		rest, within := strings.CutPrefix(path, p.path)
		if within && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return cmp.Or(strings.TrimPrefix(p.own+rest, "."), wholeDocument)
		}
	}
	return path
}

// lineOf returns the line in the last set of an offset in the merged text; 0 if the value is in no
// entry of the set.
func (w *mergedText) lineOf(at int) int {
	for _, p := range w.positions {
		if at >= p.at && at < p.at+len(p.raw) && p.own != "" {
			start := p.raw.Offset(w.last.root) + at - p.at
			return 1 + bytes.Count(w.last.root[:start], []byte{'\n'})
		}
	}
	return 0
}
