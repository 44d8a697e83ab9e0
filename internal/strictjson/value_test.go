package strictjson

import (
	"slices"
	"testing"
)

func must(t testing.TB, text string) Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return v
}

func TestKind(t *testing.T) {
	for text, want := range map[string]Kind{
		`null`: Null, `true`: Bool, `false`: Bool, `-1`: Number, `0`: Number, `"a"`: String, `[]`: Array, `{}`: Object,
	} {
		if got := must(t, text).Kind(); got != want {
			t.Errorf("Kind of %s = %d, want %d", text, got, want)
		}
	}
	if got := Value(nil).Kind(); got != Null {
		t.Errorf("Kind of an absent value = %d, want Null", got)
	}
}

func TestGet(t *testing.T) {
	v := must(t, `{ "a" : 1, "A":2, "b":{"a":"in ner"} , "n\u0061me":3, "a":[4, "]}"], "a\\u0062": 5, "null": null }`)
	for _, c := range []struct{ name, want string }{
		{"a", `[4, "]}"]`}, {"A", `2`}, {"b", `{"a":"in ner"}`}, {"name", `3`}, {`a\u0062`, `5`}, {"null", `null`},
	} {
		if got, ok := v.Get(c.name); !ok || string(got) != c.want {
			t.Errorf("Get(%q) = %q, %v, want %q", c.name, got, ok, c.want)
		}
	}
	for _, name := range []string{"", "B", "ab", `n\u0061me`, "in ner"} {
		if got, ok := v.Get(name); ok || got != nil {
			t.Errorf("Get(%q) = %q, %v, want nothing", name, got, ok)
		}
	}
	if got, ok := must(t, `["a"]`).Get("a"); ok {
		t.Errorf("Get on an array = %q, want nothing", got)
	}
}

func TestMembersAreInTheOrderOfTheText(t *testing.T) {
	var got []string
	for name, value := range must(t, `{"b":1,"\n":[{}],"b":"x"}`).Members() {
		got = append(got, name, string(value))
	}
	if want := []string{"b", "1", "\n", "[{}]", "b", `"x"`}; !slices.Equal(got, want) {
		t.Errorf("members = %q, want %q", got, want)
	}
}

func TestItems(t *testing.T) {
	var got []string
	for i, item := range must(t, `[ 1, "a,]\"" ,[2,[3]],{"x":[]}, null,true ]`).Items() {
		if i != len(got) {
			t.Errorf("index %d, want %d", i, len(got))
		}
		got = append(got, string(item))
	}
	if want := []string{`1`, `"a,]\""`, `[2,[3]]`, `{"x":[]}`, `null`, `true`}; !slices.Equal(got, want) {
		t.Errorf("items = %q, want %q", got, want)
	}
}

func TestIterationsCanStopEarly(t *testing.T) {
	steps := 0
	for range must(t, `[1,2]`).Items() {
		steps++
		break
	}
	for range must(t, `{"a":1,"b":2}`).Members() {
		steps++
		break
	}
	if steps != 2 {
		t.Errorf("%d steps, want 2", steps)
	}
}

func TestLen(t *testing.T) {
	for text, want := range map[string]int{`[]`: 0, `[[1,2],3]`: 2, `{}`: 0, `{"a":1,"a":{"b":2}}`: 2, `"abc"`: 0, `12`: 0, `null`: 0} {
		if got := must(t, text).Len(); got != want {
			t.Errorf("Len of %s = %d, want %d", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		`""`:                           "",
		`"plain é"`:                    "plain é",
		`"a\"\\\/\b\f\n\r\tz"`:         "a\"\\/\b\f\n\r\tz",
		`"\u00e9\u20AC\ud83D\uDE00!"`:  "é€😀!",
		`"\\u0041"`:                    `\u0041`,
		`12`:                           "",
		`"\ud834\udd1e\ud834\udd1e\t"`: "𝄞𝄞\t",
	} {
		v := must(t, text)
		if got := v.Text(); got != want {
			t.Errorf("Text of %s = %q, want %q", text, got, want)
		}
		if v.Kind() == String && !v.Is(want) || v.Is(want+"x") {
			t.Errorf("Is of %s does not agree with its text", text)
		}
	}
}

func TestTextIsACopy(t *testing.T) {
	data := []byte(`"abc"`)
	v, _ := Parse(data)
	text := v.Text()
	copy(data, `"xyz"`)
	if text != "abc" {
		t.Errorf("text became %q when its source changed", text)
	}
}

func TestBool(t *testing.T) {
	if !must(t, `true`).Bool() || must(t, `false`).Bool() || must(t, `"true"`).Bool() || Value(nil).Bool() {
		t.Error("Bool must be true for true and false for all else")
	}
}

func TestOffset(t *testing.T) {
	root := must(t, `  {"a":[10,{"b":"x"}]}`)
	a, _ := root.Get("a")
	for _, item := range a.Items() {
		if b, ok := item.Get("b"); ok && b.Offset(root) != 14 {
			t.Errorf("offset of %s = %d, want 14", b, b.Offset(root))
		}
	}
	if root.Offset(root) != 0 || a.Offset(root) != 5 {
		t.Errorf("offsets = %d, %d, want 0, 5", root.Offset(root), a.Offset(root))
	}
}

func TestReadingARequestDoesNotAllocate(t *testing.T) {
	data := []byte(lineAdd)
	if n := testing.AllocsPerRun(100, func() { readLineAdd(data) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
