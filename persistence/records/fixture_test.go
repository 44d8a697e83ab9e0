package records

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
)

const (
	testLog  = "log"
	testHead = "head"
	headText = "100 v1"
)

// No entry of the log expires while a test runs.
func init() { window = strconv.FormatInt(time.Hour.Microseconds(), 10) }

// Stamps, as in the tests' texts: [a] for a…a.
var (
	stampA, stampB, stampC = strings.Repeat("a", 24), strings.Repeat("b", 24), strings.Repeat("c", 24)
	shorten                = strings.NewReplacer(stampA, "[a]", stampB, "[b]", stampC, "[c]")
	lengthen               = strings.NewReplacer("[a]", stampA, "[b]", stampB, "[c]", stampC)
)

// visitOf returns a visit that counts one request and replaces a record. Key, stamp seen and
// new record are written as in a dump.
func visitOf(key, seen, record string, steps ...func(*Plan)) *Visit {
	v := &Visit{Count: 1, Key: key, Seen: lengthen.Replace(seen), Record: lengthen.Replace(record)}
	for _, step := range steps {
		step(&v.Plan)
	}
	return v
}

// server runs calls on one Redis.
type server struct {
	t      testing.TB
	ctx    context.Context
	client *redis.Client
}

func newServer(t testing.TB, s *redistest.Server) *server {
	c := &server{t: t, ctx: context.Background(), client: s.Client()}
	if err := Write.Load(c.ctx, c.client).Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// reset empties the database, sets the head and runs commands.
func (s *server) reset(commands ...string) {
	s.t.Helper()
	s.do("FLUSHALL", "SET "+testHead+" "+strings.ReplaceAll(headText, " ", "·"))
	s.do(commands...)
}

// do runs commands, each a text of words; · is a space inside a word, ” an empty word.
func (s *server) do(commands ...string) {
	s.t.Helper()
	for _, command := range commands {
		var args []any
		for word := range strings.FieldsSeq(command) {
			word = strings.NewReplacer("·", " ", "''", "").Replace(word)
			args = append(args, lengthen.Replace(word))
		}
		if err := s.client.Do(s.ctx, args...).Err(); err != nil && err != redis.Nil {
			s.t.Fatalf("%s: %v", command, err)
		}
	}
}

// now reads Redis's time.
func (s *server) now() time.Time {
	s.t.Helper()
	now, err := s.client.Time(s.ctx).Result()
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}

// call returns a call judged just now, under the head of the tests.
func (s *server) call(visits ...*Visit) *Call {
	return &Call{Log: testLog, HeadKey: testHead, Head: headText, Judged: s.now(), Tolerance: time.Minute, Visits: visits}
}

// send runs a call and returns the raw reply.
func (s *server) send(c *Call) any {
	s.t.Helper()
	reply, err := s.client.Do(s.ctx, c.Args()...).Result()
	if err != nil {
		s.t.Fatalf("the script: %v", err)
	}
	return reply
}

// results runs a call and reads its reply.
func (s *server) results(c *Call) []Result {
	s.t.Helper()
	results, _, err := c.Results(s.send(c))
	if err != nil {
		s.t.Fatal(err)
	}
	return results
}

// run runs visits judged just now and reads the results.
func (s *server) run(visits ...*Visit) []Result {
	s.t.Helper()
	return s.results(s.call(visits...))
}

// counted is the number of requests in the log.
func (s *server) counted() int {
	s.t.Helper()
	c := s.call()
	_, reply, err := c.Results(s.send(c))
	if err != nil {
		s.t.Fatal(err)
	}
	return reply.Count
}

// dump prints the database without the log, a line for each key.
func (s *server) dump() string {
	s.t.Helper()
	keys := s.client.Keys(s.ctx, "*").Val()
	slices.Sort(keys)
	var lines []string
	for _, key := range keys {
		if key == testLog || key == testHead && s.client.Get(s.ctx, key).Val() == headText {
			continue
		}
		line := key + "="
		switch kind := s.client.Type(s.ctx, key).Val(); kind {
		case "string":
			line += shorten.Replace(strings.ReplaceAll(s.client.Get(s.ctx, key).Val(), "\n", "/"))
		case "list":
			line += fmt.Sprint(s.client.LRange(s.ctx, key, 0, -1).Val())
		case "hash":
			line += pairs(s.client.HGetAll(s.ctx, key).Val())
		case "set":
			members := s.client.SMembers(s.ctx, key).Val()
			slices.Sort(members)
			line += fmt.Sprint(members)
		default:
			for _, z := range s.client.ZRangeWithScores(s.ctx, key, 0, -1).Val() {
				line += fmt.Sprintf("%v:%v,", z.Member, z.Score)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "  ")
}

func pairs(hash map[string]string) string {
	text := ""
	for _, field := range slices.Sorted(maps.Keys(hash)) {
		text += field + ":" + hash[field] + ","
	}
	return text
}

// show prints a result without its budget, as tests expect it.
func show(r Result) string {
	names := map[engine.OutcomeKind]string{
		engine.Done: "done", engine.OtherRecord: "other record", engine.OtherFacts: "other facts", engine.OtherHead: "other head",
		engine.TooLate: "too late", engine.OverLimit: "over limit", engine.Short: "short", engine.Broken: "broken",
	}
	text := names[r.Kind]
	add := func(is bool, format string, args ...any) {
		if is {
			text += fmt.Sprintf(format, args...)
		}
	}
	add(r.Earlier, ", earlier")
	add(r.Counted && !r.Earlier, ", counted")
	add(r.Kind == engine.OverLimit, ", %d left", r.Within)
	add(r.Made != "", ", made %s", strings.ReplaceAll(r.Made, "\n", "/"))
	add(r.Kind == engine.OtherRecord || r.Kind == engine.OtherFacts, ", record %q", shorten.Replace(r.Record))
	add(r.Values != nil, ", values %q", r.Values)
	add(r.Granted != nil, ", granted %v", r.Granted)
	add(r.Expired, ", expired")
	add(r.Key != "", " %s", r.Key)
	return text
}

// millis prints a time as an expiry.
func millis(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }
