package storefile

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

// grammars are the kinds of text by their names in the schema. Each has its reader, some valid texts,
// and the characters of which the test makes texts that are nearly valid.
var grammars = []struct {
	of    string
	read  func(value)
	right []string
	signs string
}{
	{"uuid", func(f value) { f.id() }, []string{"01234567-89ab-CDEF-0000-000000000000", "00000000-0000-0000-0000-000000000001"}, "0aFg-"},
	{"sha256", func(f value) { f.hash() }, []string{strings.Repeat("0aF9", 16)}, "0aFg-"},
	{"time", func(f value) { f.time() }, []string{
		"2030-01-01T00:00:00Z", "2024-02-29T23:59:59.123+23:59", "1900-02-28T00:00:00-00:00", "2000-02-29T09:00:00Z",
		"2023-11-30T10:20:30.5Z", "2022-12-31T01:02:03Z",
	}, "0123456789-:.,+TZtz "},
	{"percent", reading(percentage), []string{"100", "99.999999999", "0.1", "100.0000000000"}, "019.-e "},
	{"stock", reading(stockOnHand), []string{"9000000000", "8999999999.999999", "25.5", "-100000000", "-99999999.999999", "-0.5"}, "019.-e "},
	{"backorder_limit", reading(backorderLimit), []string{"100000000", "99999999.999999", "25.5", "0"}, "019.-e "},
	{"date", reading(date), []string{"2030-01-01", "2024-02-29", "1900-02-28", "2000-02-29", "2023-11-30", "9999-12-31", "0001-01-01"}, "0123456789-T "},
	{"weight", func(f value) { f.weight() }, []string{"1000000000", "999999999.999", "0.125", "001.5000"}, "019.-e "},
	{"media_url", func(f value) { mediaURL(f) }, []string{"https://a", "/", "/a", "/ü/b.png", "/ü\u00a0x"}, "https:/. \n\u2028"},
	{"line", func(f value) { f.remark() }, []string{"", "a"}, "ab \r\x1b\u0080\u2029"},
	{"lines", func(f value) { f.description() }, []string{"", "a\r\nb\n\tc"}, "ab \r\n\t\v\x00\x7f\u0085\u2028"},
	{"password", func(f value) { f.password() }, []string{"abc\nd", "\x01bcd"}, "a\x00\n"},
	{"location", func(f value) { f.judgeLocation(f.text()) }, []string{"/", "/a", "https://a", "Http://b/c", "/ü\\b"}, "htps:/.\\ \n\u2028"},
	{"usage", reading(usage), []string{"9223372036854.775807", "9223372036853.999999", "0.125", "0.000001"}, "0157689.-e "},
	{"quantity", reading(quantity), []string{"99999999.999", "00000001", "0.001"}, "019.-e "},
	{"email", func(f value) { newDocument(f.raw).email(f) }, []string{
		"a@b", "o'neil+x@a.co", "é.ü@日本.jp", "a@" + strings.Repeat("x", 63) + ".b", "a@x" + strings.Repeat("-", 61) + "x",
	}, "a.@-_é' \"\u00a0\u200b\u200e(x<\n\\\u0085\u2003\u00ad\u0378\U000e0001"},
	{"url", func(f value) { webhookURL(f) }, []string{"http://a", "HTTPS://b/c"}, "https:/. "},
	{"webhook_secret", func(f value) { webhookSecret(f) }, []string{
		"whsec_" + strings.Repeat("AAAA", 8), "whsec_" + strings.Repeat("AAAA", 8) + "AA==", "whsec_" + strings.Repeat("AAAA", 20) + "AAA=", "whsec_" +
			strings.Repeat("AAAA", 21) + "AA==",
	}, "whsec_A=+/-\n"},
	{"password_hash", func(f value) { passwordHash(f) }, []string{"$2a$10$x", "$argon2id$v"}, "$2argonid"},
}

// reading reads a value that needs no document.
func reading[V any](k kind[V]) func(f value) {
	return func(f value) {
		var v V
		k.Read(f, &v)
	}
}

// The reader of a text and the schema's pattern for it accept the same texts.
func TestPatternsAcceptTheSameTextsAsTheReaders(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var schema struct {
		Definitions map[string]json.RawMessage `json:"$defs"`
	}
	text, err := schemaText()
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range grammars {
		var patterns []*regexp.Regexp
		for _, found := range patternsIn(schema.Definitions[g.of]) {
			patterns = append(patterns, regexp.MustCompile(found))
		}
		accepted := 0
		for i := range 4000 {
			text := g.right[i%len(g.right)]
			if i >= len(g.right) {
				text = garbled(random, text, g.signs)
			}
			reads := readAs(t, text, g.read)
			matches := !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return !p.MatchString(text) })
			if reads != matches || i < len(g.right) && !reads {
				t.Fatalf("%s: %q is read: %t, matches: %t", g.of, text, reads, matches)
			}
			if reads {
				accepted++
			}
		}
		if accepted < 20 || accepted > 3980 {
			t.Errorf("%s: %d of 4000 are accepted, too few or many to show anything", g.of, accepted)
		}
	}
}

// Regular expression engines differ in character classes and in sequences that begin with a
// backslash or (?.
func TestEveryEngineReadsThePatterns(t *testing.T) {
	portable := regexp.MustCompile(`^(?:[^\\(]|\\(?:[.$sS+]|x[0-9a-f]{2})|\((?:\?:|[^?]))*$`)
	text, err := schemaText()
	if err != nil {
		t.Fatal(err)
	}
	patterns := patternsIn(text)
	for _, pattern := range patterns {
		if !portable.MatchString(pattern) {
			t.Errorf("not for every engine: %s", pattern)
		}
	}
	if len(patterns) < 15 {
		t.Errorf("%d patterns, too few to show anything", len(patterns))
	}
}

// patternsIn lists the patterns of a part of the schema.
func patternsIn(schema []byte) (patterns []string) {
	for _, found := range regexp.MustCompile(`"pattern": (".*")`).FindAllSubmatch(schema, -1) {
		var pattern string
		if err := json.Unmarshal(found[1], &pattern); err != nil {
			panic(err)
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// garbled is a text with up to three characters inserted, removed or replaced.
func garbled(random *rand.Rand, text, signs string) string {
	all, from := []rune(text), []rune(signs)
	for range random.IntN(4) {
		at := random.IntN(len(all) + 1)
		sign := from[random.IntN(len(from))]
		switch random.IntN(3) {
		case 0:
			all = slices.Insert(all, at, sign)
		case 1:
			all = slices.Delete(all, max(0, at-1), at)
		default:
			if at < len(all) {
				all[at] = sign
			}
		}
	}
	return string(all)
}

// readAs reports whether a text is read without a fault of shape.
func readAs(t *testing.T, text string, read func(value)) bool {
	t.Helper()
	written, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	root, err := strictjson.Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	d := newDocument(root)
	read(value{d: d, raw: root})
	return !slices.ContainsFunc(d.found, func(f found) bool { return f.kind == ofShape })
}
