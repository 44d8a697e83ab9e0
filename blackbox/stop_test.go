package blackbox_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// allowHangup makes nodes that this process starts receive SIGHUP. A caller under nohup ignores it,
// and so would a node that it starts.
func allowHangup() { signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) }

// A signal ends a start at once, with status 0. The node has opened its port when it connects to
// Redis, and then waits for the answer.
func TestSignalsEndAStart(t *testing.T) {
	t.Parallel()
	allowHangup()
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sent.String(), func(t *testing.T) {
			t.Parallel()
			silent := listener(t)
			o := options{redis: "redis://" + silent.Addr().String(), flags: []string{"--demo", "--redis-timeout", "10m", "--drain-delay", "10m"}}
			p := newPipe(t).launch(t, o.args()...)
			conn, err := silent.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = p.Cmd.Process.Signal(sent)
			if code := p.Await(); code != 0 {
				t.Errorf("exit status %d, want 0", code)
			}
		})
	}
}

// A start that waits for a full pipe ends at a signal.
func TestSignalEndsAnUnreadStart(t *testing.T) {
	t.Parallel()
	r, log := redistest.Mini(t), newPipe(t)
	log.fill(t)
	p := log.launch(t, options{redis: r.URL(), flags: []string{"--demo"}}.args()...)
	poll(t, "connection to Redis", func() bool { return r.Mini.TotalConnectionCount() > 0 })
	if code := p.Stop(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}
