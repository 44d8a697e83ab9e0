package storefile

import (
	"slices"
	"strconv"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// withCurrent returns settings with the current numbers of a store: the stock on hand of products and variants, and how many orders
// used each discount, so that an import of the document elsewhere continues from there. An entry that is not in the maps keeps
// the document's number; a stock above the maximum, which earlier releases could make so, is the maximum, so that the document can be
// imported. The text stays canonical.
func (e *Export) withCurrent(settings []byte) ([]byte, error) {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil, err
	}
	w := canonicalWriter{withoutSecrets: e.WithoutSecrets, current: func(entry strictjson.Value, in, number *outline) []byte {
		key, _ := entry.Get(in.key().name)
		id, _ := commerce.ParseID(key.Text())
		given, isGiven := entry.Get(number.name)
		if number.has(currentStock) {
			now, known := e.OnHand[id]
			if !known || given.Kind() == strictjson.Null && now == 0 {
				return nil
			}
			return AppendText(nil, min(now, commerce.MaxStock).String())
		}
		count, known := e.Used[id]
		if !known || !isGiven && count == 0 {
			return nil
		}
		return strconv.AppendInt(nil, count, 10)
	}}
	w.value(root, &wholeObject.outline)
	e.Secrets = w.secrets
	return w.dst, nil
}

// setNumbers replaces the numbers of an object, whose members are those from start, by the current ones.
func (c *canonicalWriter) setNumbers(object strictjson.Value, of *outline, start int) {
	for i := range of.members {
		number := &of.members[i]
		if !number.has(currentStock | currentUses) {
			continue
		}
		value := c.current(object, of, number)
		if value == nil {
			continue
		}
		set := sortedMember{[]byte(number.name), AppendText(nil, number.name), value, nil}
		if at := slices.IndexFunc(c.members[start:], func(m sortedMember) bool { return m.of == number }); at >= 0 {
			c.members[start+at] = set
		} else {
			c.members = append(c.members, set)
		}
	}
}
