package answers

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"cartd/internal/field"
)

// An object has its fields in their order, constants and conditional fields too.
func TestObjectsAreWrittenInTheOrderOfTheirRows(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	long := func(s string) bool { return len(s) > 1 }
	text := field.Rows(
		field.Self("text", Text, "A \"text\"."),
		field.If(long, Constant[string]("fixed", "é\"", "")),
		field.If(long, field.Value("size", Integer, "", func(s string) int { return len(s) })))
	kind := field.Object("Sample",
		Constant[int]("first", "a", "Always a."),
		Constant[int]("second", "b", ""),
		field.If(odd, field.Value("odd", Boolean, "", odd)),
		field.Self("n", Integer, "The number."),
		Constant[int]("third", "c", ""),
		field.If(odd, field.Value("again", Integer, "", func(n int) int { return n })),
		field.Of(text, func(n int) string { return []string{"", "x", "yy"}[n] }),
		Constant[int]("last", "d", ""),
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
	schema, err := json.Marshal(field.Object("", field.Self("inner", kind, "")).Schema)
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
		{string(Texts.Append(nil, nil)), "[]"},
		{string(Texts.Append(nil, []string{"a", `"`})), `["a","\""]`},
		{string(field.Pointer(Integer).Append(nil, &seven)), "7"},
		{string(field.Pointer(Integer).Append(nil, nil)), "null"},
		{string(field.OrNull(Integer).Append(nil, 0)), "null"},
		{string(field.IfThere(Integer).Append(nil, field.Maybe[int]{There: true})), "0"},
		{string(field.IfThere(Integer).Append(nil, field.Maybe[int]{Value: 7})), "null"},
		{string(field.Map(Integer, func(s *string) (string, int) { return *s, len(*s) }).Append(nil, []string{"a", `b"`})), `{"a":1,"b\"":2}`},
		{string(field.Sequence(Integer).Append(nil, func(yield func(int) bool) { _ = yield(1) && yield(2) })), "[1,2]"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestWholeNumbersOfEachLength(t *testing.T) {
	for _, power := range []int{0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, math.MaxInt - 3} {
		for n := power - 2; n <= power+2; n++ {
			for _, n := range []int{n, -n, 123_456_789 % max(power, 1)} {
				if got := string(Integer.Append(nil, n)); got != strconv.Itoa(n) {
					t.Errorf("got %s, want %d", got, n)
				}
			}
		}
	}
}
