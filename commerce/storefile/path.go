package storefile

import (
	"slices"
	"strconv"

	"cartd/internal/strictjson"
)

// wholeDocument is the path of the document itself.
const wholeDocument = "document"

// maxNameInPath is how many bytes of a member's name a path shows.
const maxNameInPath = 100

// pathsOf finds the paths of the positions that the faults name, in one walk over
// the document: a document without faults pays nothing for its paths.
func pathsOf(root strictjson.Value, faults []found) map[int]string {
	var positions []int
	for _, f := range faults {
		positions = append(positions, f.at)
		if f.other != 0 {
			positions = append(positions, f.other)
		}
	}
	slices.Sort(positions)
	w := walk{root: root, wanted: slices.Compact(positions), paths: map[int]string{}}
	w.visit(root, "")
	return w.paths
}

// walk goes through a document in its order and notes the wanted positions' paths.
type walk struct {
	root   strictjson.Value
	wanted []int // not yet passed, ascending
	paths  map[int]string
}

// visit notes the paths of all wanted positions within v.
func (w *walk) visit(v strictjson.Value, path string) {
	start := v.Offset(w.root)
	if w.anyBefore(start + 1) {
		w.paths[start] = path
		if path == "" {
			w.paths[start] = wholeDocument
		}
		w.wanted = w.wanted[1:]
	}
	for i, item := range v.Items() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(item) {
			w.visit(item, path+"["+strconv.Itoa(i)+"]")
		}
	}
	for name, value := range v.Pairs() {
		if !w.anyBefore(start + len(v)) {
			return
		}
		if w.anyWithin(value) {
			w.visit(value, memberPath(path, name.Text()))
		}
	}
}

func (w *walk) anyBefore(end int) bool { return len(w.wanted) > 0 && w.wanted[0] < end }

func (w *walk) anyWithin(v strictjson.Value) bool { return w.anyBefore(v.Offset(w.root) + len(v)) }

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
