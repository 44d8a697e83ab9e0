package strictjson

import (
	"errors"
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	const tooDeep = "nested deeper than 64 levels"
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{``, 0, "unexpected end of the text"},
		{"  \n", 3, "unexpected end of the text"},
		{`{} x`, 3, "unexpected text after the end of the value"},
		{"\xef\xbb\xbf{}", 0, "expected a value"},
		{"\x00", 0, "expected a value"},
		{"\v1", 0, "expected a value"},
		{`'a'`, 0, "expected a value"},
		{`NaN`, 0, "expected a value"},
		{`tru`, 3, "unexpected end of the text"},
		{`nulL`, 3, "expected null"},
		{`[1,]`, 3, "expected a value"},
		{`[1 2]`, 3, "expected a comma or ]"},
		{`[1`, 2, "unexpected end of the text"},
		{`{a:1}`, 1, "expected a member's name in quotes"},
		{`{"a" 1}`, 5, "expected a colon"},
		{`{"a":1,}`, 7, "expected a member's name in quotes"},
		{`{"a":1 "b":2}`, 7, "expected a comma or }"},
		{`01`, 1, "unexpected text after the end of the value"},
		{`+1`, 0, "expected a value"},
		{`.5`, 0, "expected a value"},
		{`-`, 1, "unexpected end of the text"},
		{`-a`, 1, "expected a digit"},
		{`1.`, 2, "unexpected end of the text"},
		{`1.e3`, 2, "expected a digit"},
		{`1e+`, 3, "unexpected end of the text"},
		{`"a`, 2, "unexpected end of the text"},
		{"\"a\nb\"", 2, "a control character in a string must be escaped"},
		{`"\x"`, 2, "this is not an escape"},
		{`"\`, 2, "unexpected end of the text"},
		{`"\u12g4"`, 5, "expected four hexadecimal digits"},
		{`"\ud800"`, 1, "this escape is half a surrogate pair"},
		{`"\udc00"`, 1, "this escape is half a surrogate pair"},
		{`"\ud800\u0041"`, 1, "this escape is half a surrogate pair"},
		{`"\ud800\ud800"`, 1, "this escape is half a surrogate pair"},
		{`"\ud800\n"`, 1, "this escape is half a surrogate pair"},
		{"\"\xff\"", 1, "the text is not valid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, "the text is not valid UTF-8"}, // a surrogate
		{"\"\xc0\x80\"", 1, "the text is not valid UTF-8"},     // overlong
		{"\"\xe2\x82\"", 1, "the text is not valid UTF-8"},     // cut short
		{"{\"\xff\":1}", 2, "the text is not valid UTF-8"},
		{strings.Repeat("[", 65), 64, tooDeep},
		{strings.Repeat(`{"a":`, 65), 64 * 5, tooDeep},
		{strings.Repeat("[", 1_000_000), 64, tooDeep},
	} {
		v, err := Parse([]byte(c.text))
		var fault *SyntaxError
		if !errors.As(err, &fault) || v != nil {
			t.Errorf("Parse(%.40q) = %q, %v, want a SyntaxError", c.text, v, err)
			continue
		}
		if fault.Offset != c.offset || fault.Error() != c.want {
			t.Errorf("Parse(%.40q): %d %q, want %d %q", c.text, fault.Offset, fault, c.offset, c.want)
		}
	}
}

func TestParseAccepts(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `-12.50e+3`, `1E-2`, `1e1000000`, `""`, `"\u0000\/\b\f\n\r\t\"\\"`,
		`"\ud83d\ude00"`, `"é😀"`, "\"\u007f\u2028\"", `[]`, `{}`, `[[],{},[{}]]`, "{\"a\" :\t[1 ,2]\r\n, \"a\":3}",
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
	} {
		v, err := Parse([]byte(" \t\r\n" + text + " \n"))
		if err != nil || string(v) != text {
			t.Errorf("Parse(%.40q) = %q, %v, want the text itself", text, v, err)
		}
	}
}
