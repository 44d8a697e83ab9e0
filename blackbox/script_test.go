package blackbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// The files testdata/*.txt are journeys through the API: requests and operators' commands, each with
// the answer that it gets. A bug report is a file, and so is an example. All of them share one node
// and one Redis and run in parallel; each has stores, keys and tokens of its own.
//
//	go test ./blackbox -run TestScripts               runs all
//	go test ./blackbox -run TestScripts/cart_lines    runs testdata/cart_lines.txt
//	go test ./blackbox -run TestScripts -update       writes the answers, for a look at the diff
//
// A file is a sequence of blocks with empty lines between them. A line that begins with # at the
// head of a block is a comment. A request:
//
//	# Spec: Line behaviour 1.
//	POST commerce/carts/{cart}/lines
//	token ada
//	Idempotency-Key: k1
//	show lines data.totals.total.amount
//	keep line data.lines.0.id
//	{"product_id":"{hammer}","quantity":3}
//	----
//	201
//	lines: Hammer 3 × 1999 = 5997
//	data.totals.total.amount: 5997
//
// The path is absolute, or relative to /v1/api/. The lines after it, in any order, all optional:
//
//	key NAME         the API key with this name in the document, NAME@STORE for one of a further
//	                 store, none, or a text; without it: everything
//	token NAME       the customer token of this customer, none, or a text such as {token}
//	Name: value      a header
//	show PATH…       the answer's status and these members only. A path goes through all elements of
//	                 a list, or through the one with a number; "lines" is a summary of a cart's lines.
//	                 Without a path: the status only
//	header NAME…     these headers too
//	keep NAME PATH   names a member of the answer, or a header (keep tag ETag): {NAME} stands for it
//	                 in what follows, and in what is wanted
//
// All further lines are the body. A block of nothing but key and token lines sets them for all
// requests that follow.
//
// Names in braces stand for ids: those of the base store's records as in store_test.go, {store},
// {store@NAME}, {node}, its address {listen}, {redis}, {dir}, kept ones; {cart^} is in capital letters.
// {151*x} is x 151 times. {now} is the time at which the script began, {today} its date, both UTC; {now-1h} and
// {today+2d} are some s, m, h or d away. A fixed date from 2020 to 2099 in a request's query is refused: a script
// has to hold on every day, also if midnight passes between two of its requests. In an answer ids that nothing names become {id1}, {id2} …, tokens {token1} …,
// versions of records {version1} …, times {time}.
// Where an answer has something else that varies, write {any} by hand: -update keeps it.
//
// A command of cartd; the lines after it are its standard input. Its answer is the exit status, the
// output, then the lines of standard error after "stderr: "; empty lines and blanks at an end are left out.
// A first line "show TEXT" leaves only the lines with this text, with columns as wide as they need. Single quotes enclose a word with blanks.
//
//	cartd show --redis {redis} --store {store} cart {cart}
//
// A command of Redis, such as HVALS {{store}}:usage; the lines after it go on with it. Its answer is
// the reply. A file's answer is its content:
//
//	redis COMMAND ARGUMENT…
//	read FILE
//
// The other blocks have no answer:
//
//	store [NAME] WITH…     the document of the script's store, or of a further one. It is the base
//	                       document (store_test.go) with the named changes (scriptChanges) and with
//	                       those of the lines that follow: PATH = JSON, PATH += JSON for a list,
//	                       PATH -= JSON for an element of a list. An element of a list is chosen by its
//	                       id, its name in braces or its place: products.{hammer}.stock = 7
//	document FILE WITH…    writes the changed document of the script's store to FILE, for a command
//	                       such as cartd import --redis {redis} FILE
//	file FILE              writes the lines that follow to FILE
//	advance DURATION       moves the clock of Redis. A script with it has a miniredis and a node of
//	                       its own
//
// Files are in the script's folder {dir}, in which its commands run.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, redistest.Real(t))
}

// runScripts runs all scripts as subtests with a Redis, and those that move the clock with one of their own.
func runScripts(t *testing.T, r *redistest.Server) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var shared []*script
	var documents []string
	for i, file := range files {
		s := parseScript(t, file, i+1)
		s.writeDocuments(t)
		if s.advances() {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				r := redistest.Mini(t)
				r.Mini.SetTime(time.Now())
				s.run(t, start(t, options{redis: r.URL(), stores: s.documents}), r)
			})
			continue
		}
		shared = append(shared, s)
		documents = append(documents, s.documents...)
	}
	n := start(t, options{redis: r.URL(), stores: documents})
	for _, s := range shared {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(t, n, r)
		})
	}
}

// run carries out a script's blocks, and compares or writes their answers.
func (s *script) run(t *testing.T, n *node, r *redistest.Server) {
	// A connection of its own shows the server that each request follows the answer of the one before:
	// docs/decisions.md, The later of two simultaneous adds.
	n = at(t, n.Process, n.addr)
	s.t, s.client, s.redis = t, n.client(t).withKey(s.names["key everything"]), r
	s.names["redis"], s.names["node"], s.names["listen"] = r.URL(), n.base, strings.TrimPrefix(n.base, "http://")
	for _, b := range s.blocks {
		got, answers := s.carryOut(b)
		switch {
		case !answers:
			if b.answered {
				t.Fatalf("%s: this block has no answer", b.place)
			}
		case *update && !(b.answered && same(b.want, got)):
			b.want, b.answered = got, true
		case *update:
		case !b.answered:
			t.Errorf("%s: the answer is missing; run with -update", b.place)
		case !same(b.want, got):
			t.Errorf("%s: %s\n got:\n%swant:\n%s", b.place, b.lines[0], got, b.want)
		}
	}
	if *update {
		if err := os.WriteFile(s.file, []byte(s.text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// carryOut carries out one block and returns its answer as a script shows it.
func (s *script) carryOut(b *block) (answer string, answers bool) {
	switch words := strings.Fields(b.lines[0]); words[0] {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return s.request(b, words), true
	case "cartd":
		return s.command(b), true
	case "redis":
		return s.redisCommand(b), true
	case "read":
		text, err := os.ReadFile(filepath.Join(s.names["dir"], words[1]))
		if err != nil {
			s.t.Fatalf("%s: %v", b.place, err)
		}
		return printable(s.named(string(text))), true
	case "key", "token":
		for _, line := range b.lines {
			if !s.identify(b, &s.client, line) {
				s.t.Fatalf("%s: %q names neither a key nor a token", b.place, line)
			}
		}
	case "store": // written before the node started
	case "document":
		s.writeDocument(s.t, b, s.main, words[1], words[2:])
	case "file":
		if err := os.WriteFile(filepath.Join(s.names["dir"], words[1]), []byte(s.filled(b, strings.Join(b.lines[1:], "\n")+"\n")), 0o600); err != nil {
			s.t.Fatal(err)
		}
	case "advance":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			s.t.Fatalf("%s: %v", b.place, err)
		}
		s.clock += d
		s.redis.Mini.SetTime(time.Now().Add(s.clock))
	default:
		s.t.Fatalf("%s: %q is no block", b.place, b.lines[0])
	}
	return "", false
}

// request sends a block's request.
func (s *script) request(b *block, words []string) string {
	if len(words) != 2 {
		s.t.Fatalf("%s: %q is no method and path", b.place, b.lines[0])
	}
	c, v := s.client, &view{all: true}
	type kept struct{ name, path string }
	var keeps []kept
	lines := b.lines[1:]
	for ; len(lines) > 0; lines = lines[1:] {
		words := strings.Fields(lines[0])
		if name, value, found := strings.Cut(lines[0], ": "); found && headerName.MatchString(name) {
			c = c.withHeader(name, s.filled(b, value))
			continue
		}
		switch words[0] {
		case "key", "token":
			if !s.identify(b, &c, lines[0]) {
				s.t.Fatalf("%s: %q names neither a key nor a token", b.place, lines[0])
			}
			continue
		case "show":
			v.all, v.paths = false, words[1:]
			continue
		case "header":
			v.headers = append(v.headers, words[1:]...)
			continue
		case "keep":
			keeps = append(keeps, kept{words[1], words[2]})
			continue
		}
		break
	}
	a := c.request(words[0], s.filled(b, words[1]), s.filled(b, strings.Join(lines, "\n")))
	for _, k := range keeps {
		value := a.header.Get(k.path)
		if value == "" {
			value = memberText(a.body, k.path)
		}
		if value == "" {
			s.t.Fatalf("%s: the answer has no %s\n%v", b.place, k.path, a)
		}
		s.keep(k.name, value)
	}
	a.body = []byte(s.named(string(a.body)))
	return s.named(v.of(a))
}

// identify sets the key or the token of a client by a line.
func (s *script) identify(b *block, c *client, line string) bool {
	kind, name, found := strings.Cut(line, " ")
	text, known := s.names[line]
	switch {
	case !found:
		return false
	case name == "none":
		text = ""
	case !known:
		text = s.filled(b, name)
	}
	if kind == "key" {
		c.key = text
	} else {
		c.token = text
	}
	return true
}

// command runs a command of cartd.
func (s *script) command(b *block) string {
	args, lines := commandWords(s.filled(b, b.lines[0])), b.lines[1:]
	show, shows := "", len(lines) > 0 && strings.HasPrefix(lines[0], "show ")
	if shows {
		show, lines = s.filled(b, strings.TrimPrefix(lines[0], "show ")), lines[1:]
	}
	f := finish(s.t, s.names["dir"], nil, strings.NewReader(s.filled(b, strings.Join(lines, "\n"))), 20*time.Second, args[1:]...)
	out := fmt.Sprintf("exit %d\n", f.code)
	if !shows && json.Valid([]byte(f.stdout)) {
		f.stdout = formattedJSON([]byte(f.stdout), 0)
	}
	for _, stream := range []struct{ prefix, text string }{{"", f.stdout}, {"stderr: ", f.stderr}} {
		for line := range strings.Lines(stream.text) {
			if line = strings.TrimRight(line, " \n"); shows {
				line = columnGap.ReplaceAllString(strings.TrimSpace(line), "  ")
			}
			if line != "" && !progressLine.MatchString(line) && (!shows || strings.Contains(line, show)) {
				out += stream.prefix + line + "\n"
			}
		}
	}
	return duration.ReplaceAllString(s.named(out), ", {any} s\n")
}

// redisCommand sends a block's command to Redis.
func (s *script) redisCommand(b *block) string {
	var args []any
	for _, word := range commandWords(s.filled(b, strings.Join(b.lines, " ")))[1:] {
		args = append(args, word)
	}
	reply, err := s.redis.Client().Do(s.t.Context(), args...).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		s.t.Fatalf("%s: %v", b.place, err)
	}
	return printable(s.named(fmt.Sprint(reply)))
}

// printable is a text as lines of an answer: a JSON value formatted, and bytes that are no text in Go's form.
func printable(text string) string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		text = strconv.Quote(text)
	}
	return formattedJSON([]byte(text), 0) + "\n"
}

// commandWords splits a command into words at blanks that are not between single quotes.
func commandWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
