package storefile

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// hostile are characters that a text of one line may not have.
var hostile = []string{"\x00", "\x01", "\t", "\n", "\v", "\r", "\x1b", "\x7f", "\u0085", "\u009f", "\u2028", "\u2029"}

// inside puts a character into a text, ahead of its last one and beside no space.
func inside(text, char string) string {
	last := len(text) - 1
	return text[:last] + "x" + char + "x" + text[last:]
}

var listIndex = regexp.MustCompile(`\[[0-9]+\]`)

// faultsAt are the messages about the values at a path without indexes.
func faultsAt(t testing.TB, text, path string) (messages []string) {
	t.Helper()
	_, err := Parse([]byte(text))
	var faults *Faults
	if !errors.As(err, &faults) {
		return nil
	}
	for _, f := range faults.List() {
		if "document."+listIndex.ReplaceAllString(f.Path, "[]") == path {
			messages = append(messages, f.Message)
		}
	}
	return messages
}

// texts calls f once for each path of the full document with a free text: one that may have any printable
// character. put returns the document with another text in its place.
func texts(t testing.TB, f func(path, text string, put func(string) string)) {
	t.Helper()
	root, seen := decodedTree(t, full(t)), map[string]bool{"document.customers[].email": true} // which has a rule of its own
	for _, node := range treeNodes("document", root, func(any) {}) {
		text, isText := node.value.(string)
		if !isText || seen[node.at] {
			continue
		}
		seen[node.at] = true
		put := func(other string) string {
			node.replace(other)
			defer node.replace(text)
			return spelt(root)
		}
		if faultsAt(t, put(inside(text, "☃")), node.at) == nil {
			f(node.at, text, put)
		}
	}
}

func verbatimText(path string) bool {
	return strings.Contains(path, ".metadata.") || strings.HasSuffix(path, ".password") || path == "document.discounts[].code"
}

// Every free text of a document refuses control characters by one rule. TAB and line ends are allowed in
// descriptions; metadata, codes and passwords refuse U+0000 only. Kept documents may have them all.
func TestControlCharactersOfEveryText(t *testing.T) {
	seen := map[string]bool{}
	texts(t, func(path, text string, put func(string) string) {
		seen[path] = true
		for _, char := range hostile {
			document := put(inside(text, char))
			allowed := verbatimText(path) && char != "\x00" ||
				strings.HasSuffix(path, ".description") && slices.Contains([]string{"\t", "\n", "\r"}, char)
			switch got := faultsAt(t, document, path); {
			case allowed && got != nil:
				t.Errorf("%s with %q: %q, want none", path, char, got)
			case !allowed && (len(got) != 1 || got[0] != noControls):
				t.Errorf("%s with %q: %q, want %q", path, char, got, noControls)
			}
			if char != "\n" && char != "\x00" {
				continue
			}
			agree(t, path, []byte(document))
			if got := keptFaults(t, document); slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, "control") }) {
				t.Errorf("%s with %q: a kept document is refused: %q", path, char, got)
			}
		}
	})
	for _, path := range []string{
		"store.name", "products[].name", "products[].slug", "products[].sku", "products[].description", "products[].variants[].name", "products[].media[].url",
		"products[].media[].alt", "products[].attributes.Room[]", "products[].attributes.Material", "products[].metadata.style", "categories[].description",
		"shipping_methods[].description", "discounts[].code", "customers[].external_id", "customers[].password", "customers[].addresses[].street", "redirects[].from",
		"redirects[].to", "tax_rates[].code", "customers[].tokens[].token", "api_keys[].key", "api_keys[].name", "products[].configurator.matrices[].name",
		"products[].configurator.groups[].label", "products[].configurator.groups[].choices[].id",
	} {
		if !seen["document."+path] {
			t.Errorf("%s is no free text any more", path)
		}
	}
}

// keptFaults are the faults of a document as a kept one.
func keptFaults(t testing.TB, text string) []string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "api_keys")
	delete(members, "customers")
	kept, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ParseKept(kept)
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

// The names of attributes and of metadata.
func TestControlCharactersOfNames(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"Material":`, `"Mate\nrial":`, `products[0].attributes["Mate\nrial"]: must have a name without control characters`},
		{`"style":`, `"st\u0000yle":`, `products[0].metadata["st\x00yle"]: must have a name without control characters`},
		{`"style":`, `"st\nyle":`, ""},
	} {
		text := strings.Replace(full(t), c.from, c.to, 1)
		if got := strings.Join(faultsOf(t, text), "; "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.to, got, c.want)
		}
		agree(t, c.to, []byte(text))
		if got := keptFaults(t, text); got != nil {
			t.Errorf("%s: kept: %v", c.to, got)
		}
	}
}

// The lines of descriptions end with LF, also in the text that is kept.
func TestLinesOfDescriptionsEndWithLF(t *testing.T) {
	doc := mustParse(t, strings.Replace(full(t), `"Fine"`, `"a\r\nb\rc\n\td\r\r\n"`, 1))
	const want = "a\nb\nc\n\td\n\n"
	expect(t, "description", doc.Store.Products[0].Description, want)
	kept, err := ParseKept([]byte(settingsOf(t, doc)))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "kept", kept.Products[0].Description, want)
	if same := mustParse(t, strings.Replace(full(t), `"Fine"`, `"a\nb\nc\n\td\n\n"`, 1)); same.Hash != doc.Hash {
		t.Error("another end of a line makes another document")
	}
}

// Names and slugs have at most 255 characters, of any length in bytes.
func TestNamesHaveAMaximum(t *testing.T) {
	seen := 0
	texts(t, func(path, _ string, put func(string) string) {
		switch path[strings.LastIndexByte(path, '.')+1:] {
		case "name", "slug", "first_name", "last_name", "company_name":
		default:
			return
		}
		if strings.Contains(path, ".addresses[]") {
			return
		}
		seen++
		if got := faultsAt(t, put(strings.Repeat("é", commerce.MaxName)), path); got != nil {
			t.Errorf("%s of 255: %q", path, got)
		}
		long := put(strings.Repeat("é", commerce.MaxName+1))
		if got := faultsAt(t, long, path); len(got) != 1 || got[0] != "must have at most 255 characters" {
			t.Errorf("%s of 256: %q", path, got)
		}
		agree(t, path, []byte(long))
		if got := keptFaults(t, long); got != nil {
			t.Errorf("%s of 256, kept: %q", path, got)
		}
	})
	if seen < 14 {
		t.Errorf("%d names and slugs, too few", seen)
	}
}

// A redirect leads from a page of the shop to another page, or to an http or https URL.
func TestRedirectsAreJudged(t *testing.T) {
	for location, fine := range map[string]bool{
		"/": true, "/new": true, "/a//b": true, "/a?to=javascript:x": true, "/a b": true, "https://example.org/x": true, "HTTP://example.org": true, `/a\b`: true,
		"//example.org": false, `/\example.org`: false, "///": false, "javascript:alert(1)": false, "JavaScript://x/%0aalert(1)": false, " javascript:x": false,
		"data:text/html,x": false, "new": false, "?a": false, "https:/x": false, "https:///x": false, "http://": false, "https://exa mple": false, " /a": false,
		"/a\r\nSet-Cookie: a=b": false, "/\t/example.org": false, `\\example.org`: false, "mailto:a@b.co": false,
	} {
		for _, member := range []string{"from", "to"} {
			written, _ := json.Marshal(location)
			text := strings.Replace(full(t), map[string]string{"from": `"/old"`, "to": `"/new"`}[member], string(written), 1)
			got := faultsAt(t, text, "document.redirects[]."+member)
			if (len(got) == 0) != fine || len(got) > 1 && !strings.Contains(location, "\t") {
				t.Errorf("%s %q: %q, want none: %v", member, location, got, fine)
			}
			agree(t, location, []byte(text))
			if kept := keptFaults(t, text); kept != nil {
				t.Errorf("%s %q, kept: %q", member, location, kept)
			}
		}
	}
}

// Numbers that are passed on as they were written can be read by others.
func TestNumbersAreReadable(t *testing.T) {
	long := "1." + strings.Repeat("0", 31)
	for number, fine := range map[string]bool{
		"1": true, "-0": true, "1e308": true, "-1.7976931348623157e308": true, "1e-400": true, "0e999": true, long[:32]: true,
		"1e309": false, "-1e400": false, "1.7976931348623159e308": false, long: false, "1e" + strings.Repeat("0", 30) + "1": false,
	} {
		for _, member := range []string{`products[0].metadata.new`, `products[0].variants[0].metadata.hex`, `categories[0].metadata.icon`,
			`shipping_methods[0].metadata.carrier`} {
			of := map[string]string{"new": `"new": true`, "hex": `"hex": "#fff"`, "icon": `"icon": "roller"`, "carrier": `"carrier": "post"`}
			name := member[strings.LastIndexByte(member, '.')+1:]
			text := strings.Replace(full(t), of[name], `"`+name+`": `+number, 1)
			want := []string{member + ": " + aScalar}
			if fine {
				want = nil
			}
			expect(t, number, faultsOf(t, text), want)
			if kept := keptFaults(t, text); kept != nil {
				t.Errorf("%s, kept: %q", number, kept)
			}
		}
	}
	for _, c := range []struct{ from, path string }{
		{`"price_amount": 1999`, "products[0].price_amount"}, {`"status": 308`, "redirects[0].status"}, {`"weight_grams": 0`, "products[0].variants[0].weight_grams"},
	} {
		text := strings.Replace(full(t), c.from, c.from+"."+strings.Repeat("0", 32), 1)
		expect(t, c.path, faultsOf(t, text), []string{c.path + ": must have at most 32 characters"})
		if kept := keptFaults(t, text); kept != nil {
			t.Errorf("%s, kept: %q", c.path, kept)
		}
	}
}

// Of a store whose document breaks the bounds, a change set is judged by what it sends alone.
func TestChangeSetsAreJudgedByWhatTheySend(t *testing.T) {
	long := strings.Repeat("x", commerce.MaxName+1)
	kept := []byte(strings.NewReplacer(`"One"`, `"O\u0001ne"`, `"one"`, `"`+long+`"`, `"name":"A"`,
		`"name":"`+long+`","metadata":{"n":1e400}`).Replace(mergeBase))
	const one = "a0000000-0000-4000-8000-000000000001"
	product := func(text string) *ChangeSet {
		set, err := ParseProductChange([]byte(text), id(one))
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	products := func(entry string) *ChangeSet { return changeSet(t, `{"format":1,"set":{"products":[`+entry+`]}}`) }
	bad := `{"id":"` + one + `","name":"O\u0001ne","slug":"one","tax":"high"}`
	good := `{"id":"` + one + `","name":"One","slug":"one","tax":"high"}`
	other := `{"id":"a0000000-0000-4000-8000-000000000002","name":"Two\n","slug":"two","tax":"high","metadata":{"n":1e400}}`
	for _, c := range []struct {
		name string
		sets []*ChangeSet
		want string
	}{
		{"another row", []*ChangeSet{products(`{"id":"a0000000-0000-4000-8000-000000000002","name":"Zwei","slug":"two","tax":"high"}`)}, ""},
		{"a setting", []*ChangeSet{changeSet(t, `{"format":1,"set":{"settings":{"name":"New"}}}`)}, ""},
		{"the bad row removed", []*ChangeSet{changeSet(t, `{"format":1,"remove":{"products":["`+one+`"]}}`)}, ""},
		{"the bad row repaired", []*ChangeSet{products(good)}, ""},
		{"the bad row sent", []*ChangeSet{products(bad)}, "set.products[0].name: " + noControls},
		{"two rows of a set", []*ChangeSet{products(good + "," + other)}, "set.products[1].name: " + noControls + "\nset.products[1].metadata.n: " + aScalar},
		{"a bad setting", []*ChangeSet{changeSet(t, `{"format":1,"set":{"settings":{"name":"`+long+`"}}}`)}, "set.settings.name: must have at most 255 characters"},
		{"another member of the bad row", []*ChangeSet{product(`{"price_amount":5}`)}, ""},
		{"no member of the bad row", []*ChangeSet{product(`{}`)}, ""},
		{"two changes of the bad row", []*ChangeSet{product(`{"price_amount":5}`), product(`{"sku":"A"}`)}, ""},
		{"a bad member", []*ChangeSet{product(`{"price_amount":5}`), product(`{"sku":"A\u0007"}`)}, "sku: " + noControls},
		{"the bad member sent", []*ChangeSet{product(`{"slug":"` + long + `","active":null}`)}, "slug: must have at most 255 characters"},
		{"a bad row of an earlier set", []*ChangeSet{products(bad), product(`{"price_amount":5}`)}, "name: " + noControls},
		{"a member of a row of an earlier set", []*ChangeSet{products(good), product(`{"price_amount":5}`)}, ""},
		{"a bad redirect", []*ChangeSet{changeSet(t, `{"format":1,"set":{"redirects":[{"from":"/a","to":"javascript:x"}]}}`)},
			"set.redirects[0].to: must be " + aLocation},
	} {
		merged, err := Merge(kept, c.sets, nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if err == nil {
			if _, err := ParseKept(merged.Settings); err != nil {
				t.Errorf("%s: the result cannot be loaded: %v", c.name, err)
			}
		}
	}
}

// The rule of package commerce, character by character.
func TestLinesAndLine(t *testing.T) {
	for _, char := range hostile {
		if commerce.IsLine("a" + char) {
			t.Errorf("%q may be in a line", char)
		}
		if fine := char == "\t" || char == "\n"; commerce.IsLines("a"+char+"b") != fine {
			t.Errorf("%q may be in lines: %v", char, !fine)
		}
	}
	for _, text := range []string{"", "a b", "é\u00a0\u200b", "🦊\u202e"} {
		if !commerce.IsLine(text) || !commerce.IsLines(text) {
			t.Errorf("%q is refused", text)
		}
	}
}

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
