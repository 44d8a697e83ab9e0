package storefile

import (
	"slices"
	"strconv"
	"strings"

	"cartd/internal/strictjson"
)

// wholeDocument is the path of the document itself.
const wholeDocument = "document"

// maxNameInPath is the number of bytes that a path shows of a member's name.
const maxNameInPath = 100

// position describes a value at an offset of the document.
type position struct {
	path string
	// name is the member's name, text the value's text, shown the text in a fault.
	name, text, shown string
	owner
	of *outline // nil if it has no marks
}

// owner identifies the list entry that contains a value.
type owner struct{ id, sku string }

// textPart is a part of the text that is read, with the position of its value.
type textPart struct {
	value strictjson.Value
	position
}

// positionsOf finds the positions of the faults in one walk over the parts of the text whose offsets begin at root. For a document
// without faults no paths are made.
func positionsOf(root strictjson.Value, parts []textPart, faults []found) map[int]position {
	var offsets []int
	for _, f := range faults {
		offsets = append(offsets, f.at)
		if f.other != 0 {
			offsets = append(offsets, f.other)
		}
	}
	slices.Sort(offsets)
	w := walk{root: root, wanted: slices.Compact(offsets), positions: map[int]position{}}
	for _, p := range parts {
		w.visit(p.value, p.position)
	}
	return w.positions
}

// walk visits a document in its order and collects the wanted positions.
type walk struct {
	root      strictjson.Value
	wanted    []int // offsets that are not visited yet, ascending
	positions map[int]position
}

// visit collects all wanted positions within v, whose position is at.
func (w *walk) visit(v strictjson.Value, at position) {
	start := v.Offset(w.root)
	if at.owner == (owner{}) && strings.HasSuffix(at.path, "]") {
		at.owner = ownerOf(v)
	}
	if w.anyBefore(start + 1) {
		noted := at
		noted.text, noted.shown = valueShown(v, at.of.has(confidential))
		if at.path == "" {
			noted.path = wholeDocument
		}
		w.positions[start], w.wanted = noted, w.wanted[1:]
	}
	for i, item := range v.Items() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(item) {
			w.visit(item, position{path: at.path + "[" + strconv.Itoa(i) + "]", owner: at.owner, of: at.of})
		}
	}
	for name, value := range v.Pairs() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(value) {
			text := name.Text()
			w.visit(value, position{path: memberPath(at.path, text), name: text, owner: at.owner, of: at.of.member([]byte(text))})
		}
	}
}

func (w *walk) anyBefore(end int) bool { return len(w.wanted) > 0 && w.wanted[0] < end }

func (w *walk) anyWithin(v strictjson.Value) bool { return w.anyBefore(v.Offset(w.root) + len(v)) }

// ownerOf reads the id and the SKU of a list entry. Other values have none.
func ownerOf(v strictjson.Value) (o owner) {
	for name, to := range map[string]*string{"id": &o.id, "sku": &o.sku} {
		if text, ok := v.Get(name); ok && text.Kind() == strictjson.String {
			*to = cut(text.Text())
		}
	}
	return o
}

// valueShown is a value's text and its form in a fault; both are empty if the value is secret. There a
// string is quoted and a long text is cut.
func valueShown(v strictjson.Value, secret bool) (text, quoted string) {
	if secret {
		return "", ""
	}
	switch v.Kind() {
	case strictjson.String:
		text = v.Text()
		quoted = strconv.Quote(cut(text))
	case strictjson.Number, strictjson.Bool:
		text = string(v)
		quoted = cut(text)
	}
	return text, quoted
}

// cut shortens a long text.
func cut(text string) string {
	if len(text) > maxNameInPath {
		return strings.ToValidUTF8(text[:maxNameInPath], "") + "…"
	}
	return text
}

// memberPath is the path of an object's member. Names with unusual characters are quoted:
// group_prices["a b"].
func memberPath(object, name string) string {
	if len(name) > maxNameInPath {
		name = name[:maxNameInPath] + "…"
	}
	switch {
	case !plainName(name):
		return object + "[" + strconv.Quote(name) + "]"
	case object == "" || object == wholeDocument:
		return name
	}
	return object + "." + name
}

func plainName(name string) bool {
	for _, c := range name {
		word := c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !word {
			return false
		}
	}
	return name != ""
}
