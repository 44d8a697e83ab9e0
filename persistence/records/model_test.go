package records

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The types of keys. An empty value means that the key is deleted.
type (
	database map[string]any
	text     string
	list     []string
	hash     map[string]string
	set      map[string]bool
	sorted   map[string]float64
)

// model is write.lua, slow and obvious. It carries out a visit on a copy of the database, step
// by step, and keeps the copy if nothing was wrong.
type model struct {
	data    database
	mortal  map[string]bool // keys with an expiry
	counted int
	first   int64 // the time of the first counted request; 0 for none
	now     int64 // µs
}

// brokenKey is the panic of a step that finds a key of another type, or no number.
type brokenKey string

// modelVisit is a visit with its plan as steps.
type modelVisit struct {
	count, beyond     int
	key, seen, record string
	expiry            string
	steps             []step
}

// call carries out a call and returns the script's reply after the limiter's fields.
func (m *model) call(head string, apart, tolerance int64, visits []modelVisit) []any {
	replies := []any{}
	for _, v := range visits {
		replies = append(replies, m.visit(v, head, apart, tolerance))
	}
	return replies
}

func (m *model) visit(v modelVisit, head string, apart, tolerance int64) (reply any) {
	was := *m
	m.data, m.mortal = m.data.copy(), maps.Clone(m.mortal)
	defer func() {
		switch key := recover().(type) {
		case nil:
		case brokenKey:
			*m, reply = was, []any{"broken", string(key)}
		default:
			panic(key)
		}
	}()
	record := string(typed[text](m.data, v.key))
	if v.record != "" && stampOf(record) == stampOf(v.record) {
		if slices.ContainsFunc(v.steps, step.makes) {
			return []any{"done", record[len(v.record):]}
		}
		return int64(1)
	}
	if stampOf(record) != v.seen {
		return []any{"record", record}
	}
	if string(typed[text](m.data, testHead)) != head || max(apart, -apart) > tolerance {
		return int64(-1)
	}
	var limit int
	_, _ = fmt.Sscan(string(typed[text](m.data, testHead)), &limit)
	if left := limit + v.beyond - m.counted; v.count > 0 && v.count > left {
		return int64(-2 - max(left, 0))
	}
	if m.counted += v.count; v.count > 0 && m.first == 0 {
		m.first = m.now
	}
	return m.carryOut(v, record)
}

// carryOut carries out the steps of a visit with the right stamp, head and time.
func (m *model) carryOut(v modelVisit, record string) any {
	counted := *m
	counted.data, counted.mortal = m.data.copy(), maps.Clone(m.mortal)
	same, facts := true, []any{"facts", record}
	for _, s := range v.steps {
		if s.isCheck() {
			holds, value := s.check(m.data)
			same, facts = same && holds, append(facts, value)
		}
	}
	if !same {
		return facts
	}
	m.write(v.key, text(v.record))
	m.mortal[v.key] = v.expiry != ""
	run := planRun{model: m}
	for _, s := range v.steps {
		if s.isAsk() {
			run.ask(s)
		}
	}
	expired := run.expired()
	for _, s := range v.steps {
		if !s.isCheck() && !s.isAsk() {
			run.write(s)
		}
	}
	if run.hard || expired {
		*m = counted
		reply := []any{"short", int64(0)}
		if expired {
			reply[1] = int64(1)
		}
		for _, n := range run.granted {
			reply = append(reply, strconv.FormatInt(n, 10))
		}
		return reply
	}
	if v.record == "" {
		*m = counted
		return int64(0)
	}
	if run.made == nil {
		return int64(0)
	}
	made := strings.Join(run.made, "\n")
	made += fmt.Sprintf("%08d", len(made))
	m.write(v.key, text(v.record+made))
	return made
}

func stampOf(record string) string {
	if len(record) < 25 {
		return record[min(1, len(record)):]
	}
	return record[1:25]
}

// copy returns a deep copy.
func (d database) copy() database {
	c := database{}
	for key, value := range d {
		switch v := value.(type) {
		case text:
			c[key] = v
		case list:
			c[key] = slices.Clone(v)
		case hash:
			c[key] = maps.Clone(v)
		case set:
			c[key] = maps.Clone(v)
		case sorted:
			c[key] = maps.Clone(v)
		}
	}
	return c
}

// typed returns a key's value, the zero value if there is none.
func typed[T any](d database, key string) T {
	value, found := d[key]
	v, is := value.(T)
	if found && !is {
		panic(brokenKey(key))
	}
	return v
}

// hashOf returns a key's hash for writing.
func (d database) hashOf(key string) hash {
	h := typed[hash](d, key)
	if h == nil {
		h = hash{}
	}
	return h
}

// number reads a whole number to which Redis can add and that Lua counts exactly.
func number(key, text string, found bool) int64 {
	if !found {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text || len(text) > 16 {
		panic(brokenKey(key))
	}
	return n
}

func (d database) field(key, field string) int64 {
	value, found := typed[hash](d, key)[field]
	return number(key, value, found)
}

// write sets a key's value; an empty value deletes the key.
func (m *model) write(key string, value any) {
	empty := false
	switch v := value.(type) {
	case nil:
		empty = true
	case list:
		empty = len(v) == 0
	case hash:
		empty = len(v) == 0
	case set:
		empty = len(v) == 0
	case sorted:
		empty = len(v) == 0
	}
	if empty {
		delete(m.data, key)
		delete(m.mortal, key)
		return
	}
	m.data[key] = value
}

// members lists a sorted set's members in its order.
func (z sorted) members() []string {
	members := slices.Collect(maps.Keys(z))
	slices.SortFunc(members, func(a, b string) int { return cmp.Or(cmp.Compare(z[a], z[b]), cmp.Compare(a, b)) })
	return members
}
