package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// script is one file of testdata.
type script struct {
	name, file string
	number     int // its place among all scripts
	blocks     []*block
	documents  []string // the files of its stores
	main       string   // the id of its own store

	names  map[string]string // what stands for a name in braces; "key NAME" and "token NAME" too
	shown  map[string]string // the name that stands for a value in answers
	counts map[string]int    // of the names {id1}, {token1}, {version1}
	clock  time.Duration     // by which Redis is ahead
	began  time.Time         // {now}

	t      *testing.T
	client client
	redis  *redistest.Server
}

// block is a part of a script between empty lines.
type block struct {
	place    string   // file:line
	comments []string // the lines ahead of it that begin with #
	lines    []string // without comments
	answered bool
	want     string // what follows ----
}

var (
	headerName  = regexp.MustCompile(`^[A-Z][A-Za-z0-9-]*$`)
	nameInBrace = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_@]*)(\^?)\}`)
	duration    = regexp.MustCompile(`, \d+\.\d s\n`) // at the end of a command's line
	columnGap   = regexp.MustCompile(`  +`)           // as wide as the other rows want it
	// progressLine is what a command shows of its progress if it takes longer than a second, as on a busy machine.
	progressLine = regexp.MustCompile(`: \d+ MiB read$|: checking \d+ MiB$|: (merging|writing)$|customers written \(|keys? deleted$|^reading carts, orders and quotes$`)
	repetition   = regexp.MustCompile(`\{(\d+)\*([^{}]+)\}`)
	moment       = regexp.MustCompile(`\{(now|today)(?:([+-]\d+)([dhms]))?\}`)
	// fixedDate is a date that a request of a script may not ask for, because the calendar passes it.
	fixedDate = regexp.MustCompile(`\?.*\b20[2-9]\d-\d\d-\d\d`)

	changingID      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	changingToken   = regexp.MustCompile(`\b(cartd_)?[A-Za-z0-9_-]{43}\b|-[A-Za-z0-9_-]{42}\b`)
	changingVersion = regexp.MustCompile(`\b[0-9a-f]{16}(\.[0-9a-f]{16})?\b`)
	changingTime    = regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z\b`)
)

// parseScript reads a script.
func parseScript(t *testing.T, file string, number int) *script {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{
		name: strings.TrimSuffix(filepath.Base(file), ".txt"), file: file, number: number,
		names: map[string]string{}, shown: map[string]string{}, counts: map[string]int{}, began: time.Now().UTC(), t: t,
	}
	for name, id := range scriptNames {
		s.keep(name, id)
	}
	b := &block{}
	end := func() {
		if len(b.lines)+len(b.comments) > 0 {
			s.blocks = append(s.blocks, b)
		}
		b = &block{}
	}
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "":
			end()
		case b.answered:
			b.want += line + "\n"
		case line == "----":
			b.answered = true
		case strings.HasPrefix(line, "#") && len(b.lines) == 0:
			b.comments = append(b.comments, line)
		default:
			if len(b.lines) == 0 {
				b.place = fmt.Sprintf("%s:%d", file, i+1)
			}
			b.lines = append(b.lines, line)
		}
	}
	end()
	for i := 0; i < len(s.blocks); i++ { // a comment between empty lines belongs to the next block
		if b := s.blocks[i]; len(b.lines) == 0 && i+1 < len(s.blocks) {
			next := s.blocks[i+1]
			next.comments = slices.Concat(b.comments, []string{""}, next.comments)
			s.blocks = slices.Delete(s.blocks, i, i+1)
			i--
		}
	}
	if n := len(s.blocks); n == 0 || len(s.blocks[n-1].lines) == 0 {
		t.Fatalf("%s: the script does not end with a block", file)
	}
	return s
}

// text is the file of a script.
func (s *script) text() string {
	var out strings.Builder
	for i, b := range s.blocks {
		if i > 0 {
			out.WriteString("\n")
		}
		for _, line := range slices.Concat(b.comments, b.lines) {
			out.WriteString(line + "\n")
		}
		if b.answered {
			out.WriteString("----\n" + b.want)
		}
	}
	return out.String()
}

// advances reports whether a script moves the clock.
func (s *script) advances() bool {
	return slices.ContainsFunc(s.blocks, func(b *block) bool { return strings.HasPrefix(b.lines[0], "advance ") })
}

// keep makes a name in braces stand for a value. Short values keep their own form in answers.
func (s *script) keep(name, value string) {
	s.names[name] = value
	if len(value) >= 8 {
		s.shown[value] = "{" + name + "}"
	}
}

// filled replaces the names in braces, repetitions and moments.
func (s *script) filled(b *block, text string) string {
	text = repetition.ReplaceAllStringFunc(text, func(found string) string {
		parts := repetition.FindStringSubmatch(found)
		n, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], n)
	})
	text = moment.ReplaceAllStringFunc(text, func(found string) string {
		parts := moment.FindStringSubmatch(found)
		n, _ := strconv.Atoi(parts[2])
		units := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second}
		return s.began.Add(time.Duration(n) * units[parts[3]]).Format(map[string]string{"now": time.RFC3339, "today": time.DateOnly}[parts[1]])
	})
	return nameInBrace.ReplaceAllStringFunc(text, func(found string) string {
		parts := nameInBrace.FindStringSubmatch(found)
		value, known := s.names[parts[1]]
		switch {
		case !known:
			s.t.Fatalf("%s: nothing has the name %s", b.place, found)
		case parts[2] != "":
			return strings.ToUpper(value)
		}
		return value
	})
}

// named replaces the values that have a name, and gives names to those that differ between two runs.
func (s *script) named(text string) string {
	for _, name := range []string{"dir", "redis", "node", "listen"} {
		text = strings.ReplaceAll(text, s.names[name], "{"+name+"}")
	}
	values := make([]string, 0, len(s.shown))
	for value := range s.shown {
		values = append(values, value)
	}
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, s.shown[value])
	}
	for _, kind := range []struct {
		name  string
		found *regexp.Regexp
	}{{"id", changingID}, {"token", changingToken}, {"version", changingVersion}} {
		text = kind.found.ReplaceAllStringFunc(text, func(value string) string {
			if strings.Contains(value, "-0000-4000-8000-") { // an id of a document
				return value
			}
			if s.shown[value] == "" {
				s.counts[kind.name]++
				s.keep(kind.name+strconv.Itoa(s.counts[kind.name]), value)
			}
			return s.shown[value]
		})
	}
	return changingTime.ReplaceAllStringFunc(text, func(value string) string {
		at, err := time.Parse("2006-01-02T15:04:05Z", strings.Replace(value, " ", "T", 1))
		if away := time.Until(at.Add(-s.clock)).Abs(); err != nil || away > 400*24*time.Hour {
			return value
		}
		return "{time}"
	})
}

// same reports whether an answer is the wanted one.
func same(want, got string) bool {
	if want == got || !strings.Contains(want, "{any}") {
		return want == got
	}
	parts := strings.Split(want, "{any}")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*?") + "$").MatchString(got)
}

// view is the part of an answer that a script shows.
type view struct {
	all     bool // the whole body
	paths   []string
	headers []string
}

// of is the shown part of an answer.
func (v *view) of(a answer) string {
	out := strconv.Itoa(a.status) + "\n"
	for _, name := range v.headers {
		for _, value := range append(a.header.Values(name), "none")[:max(1, len(a.header.Values(name)))] {
			out += name + ": " + value + "\n"
		}
	}
	if v.all && len(a.body) > 0 {
		return out + formattedJSON(a.body, 0) + "\n"
	}
	for _, path := range v.paths {
		if path == "lines" {
			out += "lines: " + a.cart(a.status).plain() + "\n"
			continue
		}
		out += path + ": " + formattedJSON([]byte(memberAt(a.body, strings.Split(path, "."))), 0) + "\n"
	}
	return out
}

// memberAt is the JSON of the members at a path. Through a list without a number it is the list of
// the elements' members.
func memberAt(body []byte, path []string) string {
	if len(path) == 0 {
		var out bytes.Buffer
		if json.Compact(&out, body) != nil {
			return string(body)
		}
		return out.String()
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) == nil {
		member, found := members[path[0]]
		if !found {
			return "absent"
		}
		return memberAt(member, path[1:])
	}
	var elements []json.RawMessage
	if json.Unmarshal(body, &elements) != nil {
		return "absent"
	}
	if at, err := strconv.Atoi(path[0]); err == nil {
		if at >= len(elements) {
			return "absent"
		}
		return memberAt(elements[at], path[1:])
	}
	all := make([]string, len(elements))
	for i, element := range elements {
		all[i] = memberAt(element, path)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// memberText is a member of an answer as a text; empty if there is none.
func memberText(body []byte, path string) string {
	member := memberAt(body, strings.Split(path, "."))
	var text string
	if json.Unmarshal([]byte(member), &text) == nil {
		return text
	}
	if member == "absent" {
		return ""
	}
	return member
}

// lineWidth is the width up to which JSON stands on one line.
const lineWidth = 140

// formattedJSON is JSON in its own order and with its own digits. What does not fit on one line has its short
// members side by side, and each long one on lines of its own. A body that is not JSON keeps its
// text, without empty lines.
func formattedJSON(body []byte, indent int) string {
	var flat bytes.Buffer
	if json.Compact(&flat, body) != nil {
		return strings.Trim(regexp.MustCompile(`\n\s*\n`).ReplaceAllString(string(body), "\n"), "\n")
	}
	text := flat.String()
	if indent+len(text) <= lineWidth || text[0] != '{' && text[0] != '[' {
		return text
	}
	margin := strings.Repeat(" ", indent+1)
	out, row := text[:1]+"\n", ""
	d := json.NewDecoder(&flat)
	_, _ = d.Token() // the opening bracket; the text is JSON
	for d.More() {
		member := ""
		if text[0] == '{' {
			key, _ := d.Token()
			member = quoted(key.(string)) + ":"
		}
		var value json.RawMessage
		_ = d.Decode(&value)
		member += formattedJSON(value, indent+1)
		if d.More() {
			member += ","
		}
		if row != "" && (len(margin)+len(row)+len(member) > lineWidth || strings.Contains(row+member, "\n")) {
			out, row = out+margin+row+"\n", ""
		}
		row += member
	}
	return out + margin + row + "\n" + margin[1:] + text[len(text)-1:]
}
