package storefile

import (
	"slices"
	"strconv"
	"strings"

	"cartd/internal/strictjson"
)

// wholeDocument is the path of the document itself.
const wholeDocument = "document"

// maxNameInPath is how many bytes of a member's name a path shows.
const maxNameInPath = 100

// position is what is known of a position.
type position struct {
	path string
	// name is the member's, text the value's, shown that as a fault shows it.
	name, text, shown string
	owner
}

// owner is the entry of one of the document's lists, as its members name it.
type owner struct{ id, sku string }

// positionsOf finds the positions that the faults name, in one walk over the document: a
// document without faults pays nothing for its paths.
func positionsOf(root strictjson.Value, faults []found) map[int]position {
	var offsets []int
	for _, f := range faults {
		offsets = append(offsets, f.at)
		if f.other != 0 {
			offsets = append(offsets, f.other)
		}
	}
	slices.Sort(offsets)
	w := walk{root: root, wanted: slices.Compact(offsets), places: map[int]position{}}
	w.visit(root, position{})
	return w.places
}

// walk goes through a document in its order and notes the wanted positions.
type walk struct {
	root   strictjson.Value
	wanted []int // not yet passed, ascending
	places map[int]position
}

// visit notes all wanted positions within v, which stands at a place.
func (w *walk) visit(v strictjson.Value, at position) {
	start := v.Offset(w.root)
	if at.owner == (owner{}) && strings.HasSuffix(at.path, "]") {
		at.owner = ownerOf(v)
	}
	if w.anyBefore(start + 1) {
		noted := at
		noted.text, noted.shown = valueShown(v, at.path)
		if at.path == "" {
			noted.path = wholeDocument
		}
		w.places[start], w.wanted = noted, w.wanted[1:]
	}
	for i, item := range v.Items() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(item) {
			w.visit(item, position{path: at.path + "[" + strconv.Itoa(i) + "]", owner: at.owner})
		}
	}
	for name, value := range v.Pairs() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(value) {
			w.visit(value, position{path: memberPath(at.path, name.Text()), name: name.Text(), owner: at.owner})
		}
	}
}

func (w *walk) anyBefore(end int) bool { return len(w.wanted) > 0 && w.wanted[0] < end }

func (w *walk) anyWithin(v strictjson.Value) bool { return w.anyBefore(v.Offset(w.root) + len(v)) }

// ownerOf reads how an entry of a list is named; of what is none, nothing.
func ownerOf(v strictjson.Value) (o owner) {
	for name, to := range map[string]*string{"id": &o.id, "sku": &o.sku} {
		if text, ok := v.Get(name); ok && text.Kind() == strictjson.String {
			*to = cut(text.Text())
		}
	}
	return o
}

// hidden are the members whose values no fault shows: they are secrets, or may hold some.
var hidden = []string{"key", "key_sha256", "password", "password_hash", "token", "token_sha256", "secret", "secrets", "url"}

// valueShown is a value's text, and the same as a fault shows it: in quotes, unless it is a
// number, true or false, and cut where it is long.
func valueShown(v strictjson.Value, path string) (text, quoted string) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	if bracket := strings.IndexByte(last, '['); bracket >= 0 {
		last = last[:bracket]
	}
	switch v.Kind() {
	case strictjson.String:
		text = v.Text()
		quoted = strconv.Quote(cut(text))
	case strictjson.Number, strictjson.Bool:
		text = string(v)
		quoted = cut(text)
	}
	if slices.Contains(hidden, last) {
		return "", ""
	}
	return text, quoted
}

// cut shortens a text for a fault.
func cut(text string) string {
	if len(text) > maxNameInPath {
		return strings.ToValidUTF8(text[:maxNameInPath], "") + "…"
	}
	return text
}

// memberPath is the path of an object's member. Names that would be hard to read
// in a path are quoted: group_prices["a b"].
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
