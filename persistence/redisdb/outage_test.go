package redisdb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"cartd/internal/outage"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// briefly is the deadline of a write that is never answered: some sendings, and no long test.
func briefly() time.Time { return time.Now().Add(200 * time.Millisecond) }

// answering makes a server answer the commands of these names by itself; without names none.
func answering(s *redistest.Server, answer func(p *server.Peer, cmd string), names ...string) {
	s.Mini.Server().SetPreHook(func(p *server.Peer, cmd string, _ ...string) bool {
		answers := slices.Contains(names, strings.ToUpper(cmd))
		if answers {
			answer(p, cmd)
		}
		return answers
	})
}

func increment() Call { return Call{Keys: []string{"n"}, Args: []any{"INCR", "n"}} }

// A server that refuses a command has not done it: the write is unavailable after one sending. After every other error the write may
// have had its effect: it is sent again. Only some refusals say that it takes no writes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reply             string
		certain, noWrites bool
	}{
		{"LOADING Redis is loading the dataset in memory", true, false},
		{"READONLY You can't write against a read only replica.", true, true},
		{"OOM command not allowed when used memory > 'maxmemory'.", true, true},
		{"MISCONF Redis is configured to save RDB snapshots", true, true},
		{"MASTERDOWN Link with MASTER is down", true, false},
		{"NOREPLICAS Not enough good replicas to write.", true, true},
		{"CLUSTERDOWN The cluster is down", true, false},
		{"TRYAGAIN Multiple keys request during rehashing of slot", true, false},
		{"BUSY Redis is busy running a script.", true, false},
		{"NOAUTH Authentication required.", true, false},
		{"WRONGPASS invalid username-password pair", true, false},
		{"MOVED 1 127.0.0.1:1", true, false}, // a server that is no cluster is not followed
		{"ERR an error of the command", false, false},
		{"WRONGTYPE Operation against a key holding the wrong kind of value", false, false},
		{"UNBLOCKED OOM is not at the beginning", false, false},
	} {
		word, _, _ := strings.Cut(c.reply, " ")
		t.Run(word, func(t *testing.T) {
			s := redistest.Mini(t)
			var log shoptest.Log
			client := open(t, s, func(c *Config) { c.Logger = log.Logger() })
			var sent atomic.Int64
			answering(s, func(p *server.Peer, cmd string) {
				if cmd == "INCR" && sent.Add(1) == 3 && !c.certain {
					p.WriteInt(1)
					return
				}
				p.WriteError(c.reply)
			}, "INCR", "SET") // SET tries whether writes are taken
			want, sendings := error(nil), int64(3)
			if c.certain {
				want, sendings = outage.ErrUnavailable, 1
			}
			if err := client.WriteUntilAnswered(shoptest.Soonest(), increment()); err != want || sent.Load() != sendings {
				t.Errorf("a write: %v after %d sendings, want %v after %d", err, sent.Load(), want, sendings)
			}
			call := increment()
			_, err := client.Run(shoptest.Soonest(), &call)
			if err == nil || err.Error() != c.reply || (OrUnavailable(err) == outage.ErrUnavailable) != c.certain {
				t.Errorf("a call: %v", err)
			}
			if client.ReadOnly() != c.noWrites || client.Unreachable() {
				t.Errorf("takes no writes: %v, unreachable: %v", client.ReadOnly(), client.Unreachable())
			}
			answering(s, nil)
			lines := 0
			if c.noWrites {
				lines = 1
			}
			shoptest.Eventually(t, "writes", patience, func() bool { return !client.ReadOnly() && log.Count("accepts writes again") == lines })
			if log.Count("accepts no writes") != lines || log.Count("\n") != 2*lines {
				t.Errorf("logged:\n%s", log.String())
			}
		})
	}
}

// A command whose answer is lost was carried out once: the client does not send it again by itself, and a write that may be repeated
// ends with an answer, or unknown. That a later sending is refused says nothing about the first.
func TestAnswerLostAfterSending(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	c := open(t, s)
	var sent atomic.Int64
	losing := func(later func(*server.Peer)) {
		sent.Store(0)
		answering(s, func(p *server.Peer, _ string) {
			n := sent.Add(1)
			if n > 1 && later != nil {
				later(p)
				return
			}
			_, _ = s.Mini.Incr("n", 1)
			p.Close()
		}, "INCR")
	}
	n := func() string { text, _ := s.Mini.Get("n"); return text }

	losing(nil)
	call := increment()
	if _, err := c.Run(shoptest.Soonest(), &call); err == nil || IsReply(err) || OrUnavailable(err) != err || sent.Load() != 1 || n() != "1" {
		t.Errorf("a call: %v after %d sendings, n is %s", err, sent.Load(), n())
	}
	losing(func(p *server.Peer) { p.WriteInt(0) })
	if err := c.WriteUntilAnswered(shoptest.Soonest(), increment()); err != nil || sent.Load() != 2 || n() != "2" {
		t.Errorf("answered at the second sending: %v after %d, n is %s", err, sent.Load(), n())
	}
	losing(func(p *server.Peer) { p.WriteError("OOM command not allowed") })
	if err := c.WriteUntilAnswered(briefly(), increment()); err != outage.ErrUnknownOutcome || n() != "3" {
		t.Errorf("refused from the second sending on: %v after %d, n is %s", err, sent.Load(), n())
	}
	losing(nil)
	if err := c.WriteUntilAnswered(briefly(), increment()); err != outage.ErrUnknownOutcome {
		t.Errorf("never answered: %v after %d sendings", err, sent.Load())
	}
	if c.Unreachable() { // a ping is answered
		t.Error("broken connections made Redis unreachable")
	}
}

// Which errors make Redis unreachable, while it answers pings and while it does not. The probe finds it again.
func TestLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what        string
		err         error
		alive, away bool // unreachable while pings are answered, and while they are not
	}{
		{"a broken connection", io.EOF, false, true},
		{"a time-out of the connection", os.ErrDeadlineExceeded, true, true},
		{"a time-out", fmt.Errorf("read: %w", context.DeadlineExceeded), true, true},
		{"no connection", fmt.Errorf("%w: refused", ErrDial), true, true},
		{"a full pool", redis.ErrPoolTimeout, false, false},
	} {
		s := redistest.Mini(t)
		var log shoptest.Log
		client := open(t, s, func(c *Config) { c.Logger = log.Logger() })
		client.Lost(c.err)
		if got := log.Count("is unreachable") > 0; got != c.alive { // the probe may have found it again
			t.Errorf("%s, while Redis answers: unreachable %v", c.what, got)
		}
		shoptest.Eventually(t, "the probe", patience, func() bool { return !client.Unreachable() })
		s.Kill()
		client.Lost(c.err)
		if got := client.Unreachable(); got != c.away {
			t.Errorf("%s, while Redis is away: unreachable %v", c.what, got)
		}
		s.Restart()
		shoptest.Eventually(t, "the probe", patience, func() bool { return !client.Unreachable() })
	}
}

// A deadline of the caller says nothing about Redis.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	var log shoptest.Log
	c := open(t, redistest.Mini(t), func(c *Config) { c.Logger = log.Logger() })
	unreachable := func() bool { return log.Count("is unreachable") > 0 } // the probe finds it again at once
	over, cancel := context.WithDeadline(background, time.Now().Add(-time.Second))
	defer cancel()
	cancelled, end := context.WithCancel(background)
	end()
	for _, ctx := range []context.Context{over, cancelled} {
		if !c.Unanswered(ctx, context.DeadlineExceeded) || unreachable() {
			t.Error("a caller that gave up made Redis unreachable")
		}
	}
	if c.Unanswered(background, redis.Nil) || unreachable() {
		t.Error("an answer counts as none")
	}
	if c.Unanswered(background, context.DeadlineExceeded) || !unreachable() {
		t.Error("a silent Redis is not unreachable")
	}
}

// While no connection can be made nothing is sent, and calls fail at once.
func TestUnreachableRedisGetsNothing(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	c := open(t, s)
	s.Kill()
	calls := func() []*Call { return []*Call{KeyCall("GET", "a"), KeyCall("GET", "b")} }
	shoptest.Eventually(t, "no connection", patience, func() bool {
		_, err := c.ReadAll(calls(), shoptest.Soonest())
		if err != outage.ErrUnavailable {
			t.Fatalf("a read: %v", err)
		}
		return c.Unreachable()
	})
	for _, r := range c.RunAll(shoptest.Soonest(), calls()) {
		if r.Err != errNotSent {
			t.Errorf("the next call: %v", r.Err)
		}
	}
	if err := c.WriteUntilAnswered(shoptest.Soonest(), increment()); err != outage.ErrUnavailable {
		t.Errorf("a write: %v", err)
	}
	if text, err := c.ReadKey(background, "a"); text != "" || err != outage.ErrUnavailable {
		t.Errorf("a key: %q, %v", text, err)
	}
	if c.Queue("a", echoed("x")) || c.Send("a", echoed("x"), shoptest.Soonest()) {
		t.Error("an operation was queued")
	}
	// What was queued before is not sent either.
	f := newFlusher(c, c.Redis)
	defer f.close()
	queued := echoed("x")
	f.push(queued)
	f.flush(time.Time{})
	if r := queued.wait(shoptest.Soonest()); r.Err != errNotSent {
		t.Errorf("a queued call: %v", r.Err)
	}
}

// A key that cannot be read is logged once a minute, a cart's without its secret. What says nothing about the value is not logged.
func TestUnreadableKeysAreLoggedOnce(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	var log shoptest.Log
	c := open(t, s, func(c *Config) { c.Logger = log.Logger() })
	wrong := errors.New("WRONGTYPE")
	for _, set := range [][]string{{"list", "x"}, {"{shop}:cart:0123456789abcdef", "x"}, {"{shop}:hold:0123456789abcdef", "x"}} {
		if _, err := s.Mini.Lpush(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for _, key := range []string{"list", "{shop}:cart:0123456789abcdef", "{shop}:hold:0123456789abcdef"} {
			if text, err := c.ReadKey(background, key); text != "" || err != outage.ErrUnavailable {
				t.Errorf("%s: %q, %v", key, text, err)
			}
		}
		if _, err := c.ReadAll([]*Call{KeyCall("GET", "none"), KeyCall("GET", "list")}, shoptest.Soonest()); err != outage.ErrUnavailable {
			t.Errorf("several keys: %v", err)
		}
		for _, err := range []error{ErrCorrupt, fmt.Errorf("order: %w", ErrReply), fmt.Errorf("quote: %w", BrokenKey("damaged"))} {
			if c.Unreadable(err, "read") != outage.ErrUnavailable {
				t.Errorf("%v is not unavailable", err)
			}
		}
		for _, err := range []error{io.EOF, errNoAnswer, wrong, dialFault("LOADING"), redis.ErrPoolTimeout} {
			if c.Unreadable(err, "unanswered") != outage.ErrUnavailable {
				t.Errorf("%v is not unavailable", err)
			}
		}
		if c.Unreadable(nil, "unanswered") != nil {
			t.Error("no error is one")
		}
		c.LogWrongType("list", "")
	}
	for line, want := range map[string]int{
		"key=list": 1, "key={shop}:cart:01234567…": 1, "key={shop}:hold:01234567…": 1, "key=read": 1, "key=damaged": 1, "unanswered": 0, "89abcdef": 0,
	} {
		if got := log.Count(line); got != want {
			t.Errorf("%s is logged %d times, want %d:\n%s", line, got, want, log.String())
		}
	}
	c.faults.logged["list"] = time.Now().Add(-faultEvery)
	c.ReadKey(background, "list")
	if log.Count("key=list") != 2 {
		t.Error("a minute later it is not logged again")
	}
	for i := range maxFaults {
		c.faults.fresh(fmt.Sprint(i))
	}
	if n := len(c.faults.logged); n > maxFaults {
		t.Errorf("%d keys are remembered", n)
	}
}

// Of the limiter's two keys the log names the one whose type is wrong.
func TestWrongTypeOfTheLimiter(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	var log shoptest.Log
	c := open(t, s, func(c *Config) { c.Logger = log.Logger() })
	_, _ = s.Mini.Lpush("list", "x")
	_ = s.Mini.Set("text", "x")
	for range 2 {
		c.LogWrongType("log 1", "list")
		c.LogWrongType("log 2", "text")
		c.LogWrongType("log 3", "none")
	}
	if log.Count("key=list") != 1 || log.Count(`key="log 2"`) != 1 || log.Count(`key="log 3"`) != 1 || log.Count("\n") != 3 {
		t.Errorf("logged:\n%s", log.String())
	}
}

// What reads return when Redis answers.
func TestAnswersOfReads(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	c := open(t, s)
	_ = s.Mini.Set("a", "x")
	values, err := c.ReadAll([]*Call{KeyCall("GET", "a"), KeyCall("GET", "none"), KeyCall("MGET", "a", "none")}, shoptest.Soonest())
	if err != nil || values[0] != "x" || values[1] != nil || !slices.Equal(Texts(values[2]), []string{"x", ""}) {
		t.Errorf("several keys: %v, %v", values, err)
	}
	for key, want := range map[string]string{"a": "x", "none": ""} {
		if text, err := c.ReadKey(background, key); text != want || err != nil {
			t.Errorf("%s: %q, %v", key, text, err)
		}
		if now, text, err := c.Now(background, key); text != want || err != nil || time.Since(now).Abs() > patience {
			t.Errorf("%s at %v: %q, %v", key, now, text, err)
		}
	}
	pair := redis.NewScript("return {KEYS[1], ARGV[1]}")
	c.config.Scripts = append(c.config.Scripts, pair)
	if got, err := c.RunScript(shoptest.Soonest(), pair, []string{"k"}, "v"); err != nil || !slices.Equal(Texts(got), []string{"k", "v"}) {
		t.Errorf("a script: %v, %v", got, err)
	}
	answering(s, func(p *server.Peer, _ string) { p.WriteError("BUSY Redis is busy running a script.") }, "EVALSHA")
	if got, err := c.RunScript(shoptest.Soonest(), pair, []string{"k"}, "v"); got != nil || err != outage.ErrUnavailable {
		t.Errorf("a refused script: %v, %v", got, err)
	}
}
