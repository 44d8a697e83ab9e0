package commandline

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"plain é 漢 😀 \"quoted\"": "plain é 漢 😀 \"quoted\"",
		"a\x1b[2Jb":              `a\u001b[2Jb`,
		"a\nb\r\tc\x7f":          `a\u000ab\u000d\u0009c\u007f`,
		"\u0085\u009b31m":        `\u0085\u009b31m`,
		"\u202egnp.exe\u2066":    `\u202egnp.exe\u2066`,
		"\u200e\u200f\u061c":     `\u200e\u200f\u061c`,
		"\u2028\u2029":           `\u2028\u2029`,
		"a\xffb\xc3":             `a\ufffdb\ufffd`,
		"zero\u200dwidth":        "zero\u200dwidth",
	} {
		if got := string(AppendPrintable(nil, []byte(text))); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// A line of JSON says the same after it.
func TestPrintableLinesKeepJSON(t *testing.T) {
	text := "note \u202e \u009b and \u2028"
	line, _ := json.Marshal(text)
	var out strings.Builder
	if n, err := (PrintableLines{&out}).Write(append(line, '\n')); err != nil || n != len(line)+1 {
		t.Fatal(n, err)
	}
	var back string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back != text || !strings.HasSuffix(out.String(), "\"\n") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
