package blackbox_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// What a script shows of an answer, and what counts as the same answer.
func TestScriptsShowAnswers(t *testing.T) {
	t.Parallel()
	const body = `{"data":{"n":1.50,"rows":[{"a":1},{"a":2}],"text":"x"}}`
	for path, want := range map[string]string{
		"data.n": "1.50", "data.rows.a": "[1, 2]", "data.rows.1.a": "2", "data.rows.2.a": "absent", "data.none": "absent", "data.text": `"x"`,
		"data.text.y": "absent",
	} {
		if got := memberAt([]byte(body), strings.Split(path, ".")); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{"200\n{}\n", "200\n{}\n", true}, {"200\n{}\n", "201\n{}\n", false}, {"at {any}: x\n", "at 7 s: x\n", true}, {"at {any}: x\n", "at 7 s: y\n", false},
		{"{any}\n", "a\nb\n", false},
	} {
		if got := same(c.want, c.got); got != c.same {
			t.Errorf("%q and %q: same is %v", c.want, c.got, got)
		}
	}
	long := `{"a":"` + strings.Repeat("x", 100) + `","b":1.0,"c":[1,2],"d":"` + strings.Repeat("y", 100) + `"}`
	second := strings.Index(long, `"d"`)
	if got, want := formattedJSON([]byte(long), 0), "{\n "+long[1:second]+"\n "+long[second:len(long)-1]+"\n}"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A script that is read and written stays the same, with its comments. Values that differ between two
// runs get names, which stand for them from then on.
func TestScriptsKeepTheirText(t *testing.T) {
	t.Parallel()
	const text = "# About it.\n\n# Of the first.\nGET me\nshow\n----\n200\n\nkey none\n\nPOST a/{id1}\n{\"a\":1,\n \"b\":2}\n"
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := parseScript(t, file, 1)
	if got := s.text(); got != text || len(s.blocks) != 3 || s.blocks[0].want != "200\n" {
		t.Errorf("%d blocks, got\n%s\nwant\n%s", len(s.blocks), got, text)
	}
	s.names["dir"], s.names["redis"], s.names["node"], s.names["listen"] = "/tmp/it", "redis://x", "http://x", "x:1"
	const id, other = "0b5c3a52-92ab-4b7e-8f2e-6a9f2f7c1d3e", "1b5c3a52-92ab-4b7e-8f2e-6a9f2f7c1d3e"
	if got, want := s.named(id+" "+other+" "+id+" "+hammer+" /tmp/it 2040-01-01T00:00:00Z"), "{id1} {id2} {id1} {hammer} {dir} 2040-01-01T00:00:00Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.began = time.Date(2028, 2, 29, 23, 59, 59, 5, time.UTC)
	if got, want := s.filled(s.blocks[2], "{id2} {3*ab} {} {now} {today} {now-1h} {now+1s} {today+1s} {today-1d}"),
		other+" ababab {} 2028-02-29T23:59:59Z 2028-02-29 2028-02-29T22:59:59Z 2028-03-01T00:00:00Z 2028-03-01 2028-02-28"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A script holds on every day: no request asks for a date that comes or was.
func TestScriptsHaveNoFixedDates(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		for _, b := range parseScript(t, file, i).blocks {
			if fixedDate.MatchString(b.lines[0]) {
				t.Errorf("%s: %s: write {today} or {now-1h} in place of a date", b.place, b.lines[0])
			}
		}
	}
	for line, fixed := range map[string]bool{
		"GET commerce/orders?status=placed&placed_to=2026-11-27": true, "GET a?at=2099-01-01T00:00:00Z": true, "GET a?b=2020-01-01": true,
		"GET a?from={today}&to={now-1h}": false, "GET a?from=1999-12-31&to=2100-01-01": false, "GET products/2026-01-01": false,
		"GET a?id=e5000000-2026-4000-8000-202611272026": false,
	} {
		if got := fixedDate.MatchString(line); got != fixed {
			t.Errorf("%s: a fixed date is %v", line, got)
		}
	}
}

// The scripts show every refusal of the table.
func TestEveryRefusalIsInAScript(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	for i, file := range files {
		for _, b := range parseScript(t, file, i).blocks {
			answers = append(answers, b.want)
		}
	}
	for _, row := range commerce.Refusals() {
		shown := slices.ContainsFunc(answers, func(a string) bool {
			return strings.Contains(a, quoted(row.Message)) && strings.Contains(a, row.Code)
		})
		if !shown {
			t.Errorf("no script shows the refusal %q (code %q)", row.Message, row.Code)
		}
	}
}
