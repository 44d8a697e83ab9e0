package redisdb

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

const patience = shoptest.Patience

// open connects to a server for a test.
func open(t testing.TB, s *redistest.Server, edits ...func(*Config)) *Client {
	t.Helper()
	config := Config{URL: s.URL(), Timeout: 5 * time.Second, Scripts: []*redis.Script{echo}, Logger: slog.New(slog.DiscardHandler)}
	for _, edit := range edits {
		edit(&config)
	}
	c, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// echo returns its argument.
var echo = redis.NewScript("return ARGV[1]")

// pipelines records the commands of every pipeline, by their last argument, and may delay one.
type pipelines struct {
	mu     sync.Mutex
	sent   [][]string
	before func(first string)
}

func watch(c *Client, before func(first string)) *pipelines {
	w := &pipelines{before: before}
	c.Redis.AddHook(w)
	return w
}

func (*pipelines) DialHook(next redis.DialHook) redis.DialHook { return next }

func (*pipelines) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (w *pipelines) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		names := make([]string, len(cmds))
		for i, cmd := range cmds {
			names[i] = fmt.Sprint(cmd.Args()[len(cmd.Args())-1])
		}
		w.mu.Lock()
		w.sent = append(w.sent, names)
		w.mu.Unlock()
		if w.before != nil {
			w.before(names[0])
		}
		return next(ctx, cmds)
	}
}

// echoed is a call of the script.
func echoed(text string) *Call {
	return &Call{Script: echo, Keys: []string{"key"}, Args: []any{text}, done: make(chan Reply, 1)}
}

// A pipeline has the queued commands in their order, and never too many.
func TestPipelinesSendTheQueueInOrder(t *testing.T) {
	c := open(t, redistest.Mini(t))
	entered, release := make(chan struct{}), make(chan struct{})
	w := watch(c, func(first string) {
		if first == "0" {
			close(entered)
			<-release
		}
	})
	const n = 1 + 3*maxBatch + 7
	calls := make([]*Call, n)
	for i := range calls {
		calls[i] = echoed(fmt.Sprint(i))
	}
	c.Queue("key", calls[0])
	c.Flush(time.Time{})
	<-entered // the first pipeline is on its way; all others queue up
	for _, call := range calls[1:] {
		if !c.Queue("key", call) {
			t.Fatal("the queue is full")
		}
	}
	close(release)
	for i, call := range calls {
		if r := call.wait(time.Now().Add(patience)); r.Err != nil || r.Value != fmt.Sprint(i) {
			t.Fatalf("call %d: %v, %v", i, r.Value, r.Err)
		}
	}
	var sizes []int
	for _, names := range w.sent {
		sizes = append(sizes, len(names))
	}
	if want := []int{1, maxBatch, maxBatch, maxBatch, 7}; !slices.Equal(sizes, want) {
		t.Errorf("pipelines of %v, want %v", sizes, want)
	}
	for i, name := range slices.Concat(w.sent...) {
		if name != fmt.Sprint(i) {
			t.Fatalf("command %d is %s", i, name)
		}
	}
}

// Calls that are run together share a pipeline, also while the flusher looks at its queue.
func TestCallsOfOneRunShareAPipeline(t *testing.T) {
	c := open(t, redistest.Mini(t))
	w := watch(c, nil)
	const rounds, size = 300, 8
	for range rounds {
		calls := make([]*Call, size)
		for i := range calls {
			calls[i] = echoed("x")
		}
		for _, r := range c.RunAll(time.Now().Add(patience), calls) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
	}
	for _, names := range w.sent {
		if len(names) != size {
			t.Fatalf("a pipeline of %d, want %d", len(names), size)
		}
	}
}

// A panic of one operation ends neither the process nor the pipeline: every operation is answered,
// and one line is logged. It does not matter whose goroutine flushes.
func TestPanicOfAnOperation(t *testing.T) {
	for _, waits := range []bool{true, false} {
		for name, c := range map[string]struct {
			broken broken
			want   error // of the other operations
		}{"as it joins": {broken{joins: true}, errNoAnswer}, "when it is done": {broken{}, nil}} {
			client := open(t, redistest.Mini(t))
			var log shoptest.Log
			client.log = log.Logger()
			c.broken.lost = new(atomic.Int64)
			first, last := echoed("one"), echoed("two")
			f := client.flusherOf("key")
			if !f.push(first, c.broken, c.broken, last) {
				t.Fatal("the queue is full")
			}
			deadline := time.Now().Add(patience)
			if waits {
				client.Flush(deadline)
			} else {
				client.Flush(time.Time{})
			}
			for _, call := range []*Call{first, last} {
				if r := call.wait(deadline); r.Err != c.want {
					t.Errorf("%s: another operation got %v, want %v", name, r.Err, c.want)
				}
			}
			if v, err := client.Run(deadline, echoed("three")); v != "three" || err != nil {
				t.Errorf("%s: the next one got %v, %v", name, v, err)
			}
			if c.broken.lost.Load() != 2 || log.Count("panicked") != 1 {
				t.Errorf("%s: %d of 2 lost, logged\n%s", name, c.broken.lost.Load(), log.String())
			}
		}
	}
}

// broken panics when it joins, else when it is done.
type broken struct {
	joins bool
	lost  *atomic.Int64
}

func (b broken) Join(*Pipeline) {
	if b.joins {
		panic("a test")
	}
}

func (broken) Done(*Pipeline) { panic("a test") }

func (b broken) Lost() { b.lost.Add(1) }

// A full queue and a closed one accept nothing.
func TestFullAndClosedQueuesAcceptNothing(t *testing.T) {
	c := open(t, redistest.Mini(t))
	op := silent{new(atomic.Int64)}
	for range maxQueued {
		if !c.Queue("key", op) {
			t.Fatal("the queue is full too early")
		}
	}
	if c.Queue("key", op) {
		t.Errorf("more than %d operations are queued", maxQueued)
	}
	f := newFlusher(c, c.Redis)
	f.close()
	if f.push(op) {
		t.Error("a closed queue accepts an operation")
	}
}

// A queued operation is done exactly once, also if the flusher is closed meanwhile.
func TestClosedFlusherHasDoneEveryOperation(t *testing.T) {
	c := open(t, redistest.Mini(t))
	for range 200 {
		var accepted, done atomic.Int64
		f := newFlusher(c, c.Redis)
		var adders sync.WaitGroup
		for range 3 {
			adders.Go(func() {
				if f.push(silent{&done}) {
					accepted.Add(1)
				}
			})
		}
		f.close()
		adders.Wait()
		if done.Load() != accepted.Load() {
			t.Fatalf("%d of %d operations were done", done.Load(), accepted.Load())
		}
	}
}

// silent sends nothing.
type silent struct{ done *atomic.Int64 }

func (silent) Join(*Pipeline) {}

func (s silent) Done(*Pipeline) { s.done.Add(1) }

func (s silent) Lost() {}

// Only the commands whose script Redis has forgotten are sent again.
func TestForgottenScriptsAreLoadedAndSentOnceMore(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		c := open(t, s)
		if err := s.Client().ScriptFlush(background).Err(); err != nil {
			t.Fatal(err)
		}
		replies := c.RunAll(time.Now().Add(patience), []*Call{
			{Keys: []string{"n"}, Args: []any{"INCR", "n"}}, {Script: echo, Keys: []string{"n"}, Args: []any{"x"}},
		})
		if replies[0].Value != int64(1) || replies[1].Value != "x" || replies[1].Err != nil {
			t.Errorf("got %v", replies)
		}
	})
}

// After the first time-out the other requests fail at once, until Redis is back.
func TestSilentRedisIsWaitedForOnce(t *testing.T) {
	s := redistest.Real(t)
	var log shoptest.Log
	c := open(t, s, func(c *Config) { c.Timeout, c.Logger = 100*time.Millisecond, log.Logger() })
	s.Pause()
	if _, err := c.Run(time.Now().Add(patience), echoed("x")); err == nil || CertainlyRefused(err) {
		t.Errorf("the first call: %v, want an unknown outcome", err)
	}
	if _, err := c.Run(time.Now().Add(patience), echoed("x")); err != errNotSent || !c.Unreachable() {
		t.Errorf("the next call: %v, away %v; want errNotSent", err, c.Unreachable())
	}
	s.Resume()
	shoptest.Eventually(t, "Redis is back", patience, func() bool { return !c.Unreachable() && log.Count("redis is back") > 0 })
	if v, err := c.Run(time.Now().Add(patience), echoed("x")); v != "x" || err != nil {
		t.Errorf("when Redis is back: %v, %v", v, err)
	}
	if log.Count("redis is unreachable") != 1 || log.Count("redis is back") != 1 {
		t.Errorf("logged:\n%s", log.String())
	}
}
