package storefile

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// withCurrent returns settings with the current numbers of a store: the stock on hand of products and variants, and how many orders
// used each discount, so that an import of the document elsewhere continues from there. What the maps do not have keeps the
// document's numbers; a stock above the maximum, which earlier releases could make so, is the maximum, so that the document can be
// imported. The text stays canonical.
func withCurrent(settings []byte, onHand map[uuid.UUID]commerce.Micros, used map[uuid.UUID]int64) ([]byte, error) {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil, err
	}
	stock := func(entry strictjson.Value) *sortedMember {
		now, known := onHand[idOf(entry)]
		given, _ := entry.Get("stock")
		if !known || given.Kind() == strictjson.Null && now == 0 {
			return nil
		}
		return newMember("stock", appendText(nil, min(now, commerce.MaxStock).String()))
	}
	uses := func(entry strictjson.Value) *sortedMember {
		count, known := used[idOf(entry)]
		if _, given := entry.Get("used"); !known || !given && count == 0 {
			return nil
		}
		return newMember("used", strconv.AppendInt(nil, count, 10))
	}
	w := currentWriter{}
	w.object(root, nil, lists{"discounts": {number: uses}, "products": {number: stock, lists: lists{"variants": {number: stock}}}})
	return w.dst, nil
}

// idOf is the id of an entry of a list.
func idOf(entry strictjson.Value) uuid.UUID {
	raw, _ := entry.Get("id")
	id, _ := commerce.ParseID(raw.Text())
	return id
}

func newMember(name string, value []byte) *sortedMember {
	return &sortedMember{[]byte(name), appendText(nil, name), value}
}

// lists are the lists of an object, by name, whose entries get a number: the function returns it as a member of the entry, nil if the
// entry stays as it is. An entry may have such lists itself.
type lists map[string]struct {
	number func(entry strictjson.Value) *sortedMember
	lists  lists
}

// currentWriter is a canonicalWriter that sets members of entries.
type currentWriter struct{ canonicalWriter }

// object writes an object, with another member unless that is nil.
func (w *currentWriter) object(v strictjson.Value, with *sortedMember, of lists) {
	start := len(w.members)
	w.dst = append(w.dst, '{')
	for i, m := range w.sortedWith(v, with) {
		w.separate(i)
		if list, named := of[string(m.text)]; named && m.value.Kind() == strictjson.Array {
			w.value(m.name)
			w.dst = append(w.dst, ':', '[')
			for i, entry := range m.value.Items() {
				w.separate(i)
				w.object(entry, list.number(entry), list.lists)
			}
			w.dst = append(w.dst, ']')
			continue
		}
		w.member(m)
	}
	w.dst = append(w.dst, '}')
	w.members = w.members[:start]
}

// sortedWith is sorted with a member added or replaced.
func (w *currentWriter) sortedWith(v strictjson.Value, with *sortedMember) []sortedMember {
	start := len(w.members)
	members := w.sorted(v)
	if with == nil {
		return members
	}
	i, found := slices.BinarySearchFunc(members, with.text, func(m sortedMember, name []byte) int { return bytes.Compare(m.text, name) })
	if found {
		members[i] = *with
		return members
	}
	w.members = slices.Insert(w.members, start+i, *with)
	return w.members[start:]
}
