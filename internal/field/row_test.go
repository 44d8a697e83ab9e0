package field

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// source reads values of JSON and counts the required members that were absent.
type source struct {
	strictjson.Value
	missed *int
}

func (s source) IsNull() bool { return s.Kind() == strictjson.Null }

func (s source) Member(name string, presence Presence) (source, Found) {
	member, sent := s.Get(name)
	m := source{member, s.missed}
	switch {
	case sent && (presence == IsNullable || !m.IsNull()):
		return m, Sent
	case presence == IsRequired:
		*s.missed++
		return m, Untouched
	}
	return m, Absent
}

// The plain kinds of the tests.
var (
	text    = Kind[source, string]{openapi.Text, func(s source, into *string) { *into = s.Text() }, strictjson.AppendString, nil, nil, nil}
	texts   = Values(text)
	boolean = Kind[source, bool]{Schema: openapi.Boolean, Append: strconv.AppendBool}
	integer = Kind[source, int]{
		Schema: openapi.Integer,
		Read:   func(s source, into *int) { *into, _ = strconv.Atoi(string(s.Value)) },
		Append: func(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) },
	}
)

// An object has its fields in their order, constants and conditional fields too.
func TestObjectsAreWrittenInTheOrderOfTheirRows(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	long := func(s string) bool { return len(s) > 1 }
	part := Rows(
		Self("text", text, "A \"text\"."),
		If(long, Constant[source, string]("fixed", "é\"", "")),
		If(long, Value("size", integer, "", func(s string) int { return len(s) })))
	kind := Object("Sample",
		Constant[source, int]("first", "a", "Always a."),
		Constant[source, int]("second", "b", ""),
		If(odd, Value("odd", boolean, "", odd)),
		Self("n", integer, "The number."),
		Constant[source, int]("third", "c", ""),
		If(odd, Value("again", integer, "", func(n int) int { return n })),
		Of(part, func(n int) string { return []string{"", "x", "yy"}[n] }),
		Constant[source, int]("last", "d", ""),
	)
	for n, want := range []string{
		`{"first":"a","second":"b","n":0,"third":"c","text":"","last":"d"}`,
		`{"first":"a","second":"b","odd":true,"n":1,"third":"c","again":1,"text":"x","last":"d"}`,
		`{"first":"a","second":"b","n":2,"third":"c","text":"yy","fixed":"é\"","size":2,"last":"d"}`,
	} {
		if got := string(kind.Append(nil, n)); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	schema, err := json.Marshal(Object("", Self("inner", kind, "")).Schema)
	if want := `{"type":"object","properties":{"inner":{"$ref":"#/components/schemas/Sample"}},"required":["inner"]}`; string(schema) != want {
		t.Errorf("schema %s (%v), want %s", schema, err, want)
	}
	var required []string
	for _, f := range kind.Schema.Fields() {
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	if len(required) != 6 || len(kind.Schema.Fields()) != 10 {
		t.Errorf("required are %q of %d", required, len(kind.Schema.Fields()))
	}
}

func TestKindsOfListsAndMissingValues(t *testing.T) {
	seven := 7
	for _, c := range []struct{ got, want string }{
		{string(texts.Append(nil, nil)), "[]"},
		{string(texts.Append(nil, []string{"a", `"`})), `["a","\""]`},
		{string(Pointer(integer).Append(nil, &seven)), "7"},
		{string(Pointer(integer).Append(nil, nil)), "null"},
		{string(OrNull(integer).Append(nil, 0)), "null"},
		{string(IfThere(integer).Append(nil, Maybe[int]{There: true})), "0"},
		{string(IfThere(integer).Append(nil, Maybe[int]{Value: 7})), "null"},
		{string(Map(integer, func(s *string) (string, int) { return *s, len(*s) }).Append(nil, []string{"a", `b"`})), `{"a":1,"b\"":2}`},
		{string(Sequence(integer).Append(nil, func(yield func(int) bool) { _ = yield(1) && yield(2) })), "[1,2]"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

type sample struct {
	name   string
	size   int
	note   *string
	nested struct{ count int }
}

// Members that are read are those that are written; absent ones have their defaults, or are left out.
func TestWhatIsReadIsWritten(t *testing.T) {
	omitted := text
	omitted.Omit = func(s string) bool { return s == "" }
	count := Rows(Optional("count", Default(integer, 3, 3), "", func(n *struct{ count int }) *int { return &n.count }))
	rows := Rows(
		Required("name", omitted, "", func(s *sample) *string { return &s.name }),
		Optional("size", IfAbsent(integer, 7), "", func(s *sample) *int { return &s.size }),
		Nullable("note", Pointer(OrNull(text)), "", func(s *sample) **string { return &s.note }),
		Of(count, func(s *sample) *struct{ count int } { return &s.nested }),
		Rule(func(_ source, s *sample) { s.size *= 2 }, nil),
	)
	write := Sparse(rows...)
	for _, c := range []struct {
		body, want string
		missed     int
	}{
		{`{"name":"a","size":1,"note":"b","count":2}`, `{"name":"a","size":2,"note":"b","count":2}`, 0},
		{`{"name":"a","size":null,"note":null}`, `{"name":"a","size":14,"note":null,"count":3}`, 0},
		{`{}`, `{"size":14,"note":null,"count":3}`, 1},
	} {
		body, err := strictjson.Parse([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		var read sample
		missed := 0
		ReadAll(rows, source{body, &missed}, &read)
		if got := string(write(nil, &read)); got != c.want || missed != c.missed {
			t.Errorf("%s: got %s and %d missed, want %s and %d", c.body, got, missed, c.want, c.missed)
		}
		if set := read.note != nil; set != (c.missed == 0) {
			t.Errorf("%s: a nullable member is set: %t", c.body, set)
		}
	}
	if got := string(Sparse(rows[:1]...)([]byte("x"), &sample{})); got != "x{}" {
		t.Errorf("an object without members is %s", got)
	}
	if got, want := fmt.Sprint(MemberNames(rows), HasDefaults(rows), HasDefaults(rows[2:3])), "[name size note count] true false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	schema, err := json.Marshal(Describe(openapi.Object(""), rows))
	if want := `{"type":"object","properties":{"name":{"type":"string"},"size":{"type":["integer","null"]},"note":{"type":["string","null"]},` +
		`"count":{"type":["integer","null"],"default":3}},"required":["name"]}`; string(schema) != want {
		t.Errorf("schema %s (%v), want %s", schema, err, want)
	}
}
