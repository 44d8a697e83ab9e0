package convert

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/internal/strictjson"
)

// member is one member of a JSON object. Its value is one of those that appendValue writes.
type member struct {
	name  string
	value any
}

// members is a JSON object that keeps its order.
type members []member

// membersOf reads the members of an earlier document's object. Their values stay text.
func membersOf(v strictjson.Value) (all members) {
	for name, value := range v.Members() {
		if value.Kind() != strictjson.Null {
			all = append(all, member{name, value})
		}
	}
	return all
}

func (m members) index(name string) int {
	return slices.IndexFunc(m, func(one member) bool { return one.name == name })
}

// get returns a value, nil if there is none.
func (m members) get(name string) any {
	if i := m.index(name); i >= 0 {
		return m[i].value
	}
	return nil
}

// text returns the text of a member that is a string, else "".
func (m members) text(name string) string {
	switch v := m.get(name).(type) {
	case string:
		return v
	case strictjson.Value:
		if v.Kind() == strictjson.String {
			return v.Text()
		}
	}
	return ""
}

// list returns the items of a member of an earlier document.
func (m members) list(name string) (all []strictjson.Value) {
	if v, ok := m.get(name).(strictjson.Value); ok {
		for _, item := range v.Items() {
			all = append(all, item)
		}
	}
	return all
}

// set replaces a member in its place, or appends it.
func (m *members) set(name string, value any) {
	if i := m.index(name); i >= 0 {
		(*m)[i].value = value
		return
	}
	*m = append(*m, member{name, value})
}

func (m *members) remove(name string) {
	*m = slices.DeleteFunc(*m, func(one member) bool { return one.name == name })
}

// take removes a member and returns its value in an earlier document.
func (m *members) take(name string) strictjson.Value {
	v, _ := m.get(name).(strictjson.Value)
	m.remove(name)
	return v
}

// sorted puts the members into the order of names; others stay behind them.
func (m members) sorted(names []string) members {
	at := func(name string) int {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
		return len(names)
	}
	slices.SortStableFunc(m, func(a, b member) int { return at(a.name) - at(b.name) })
	return m
}

// appendValue writes a value as JSON.
func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case strictjson.Value:
		return append(dst, v...)
	case string:
		return storefile.AppendText(dst, v)
	case uuid.UUID:
		return storefile.AppendText(dst, v.String())
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case members:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(storefile.AppendText(dst, m.name), ':')
			dst = appendValue(dst, m.value)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

// listOf makes a list of values of one type.
func listOf[T any](all []T) []any {
	list := make([]any, len(all))
	for i := range all {
		list[i] = all[i]
	}
	return list
}

// textBytes is the length of the texts of a value, as commerce counts what is displayed. A number,
// boolean or null counts with its JSON text.
func textBytes(value any) (n int) {
	switch v := value.(type) {
	case string:
		return len(v)
	case []any:
		for _, item := range v {
			n += textBytes(item)
		}
	case strictjson.Value:
		switch v.Kind() {
		case strictjson.String:
			return len(v.Text())
		case strictjson.Array:
			for _, item := range v.Items() {
				n += textBytes(item)
			}
		default:
			return len(v)
		}
	}
	return n
}
