package front

import (
	"io"
	"log/slog"
	"net"
	"testing"
	"time"
)

var testNow = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// quiet is a Server without a handler that logs nothing.
func quiet() *Server { return New(Config{Log: slog.New(slog.DiscardHandler)}) }

// spy is a connection that records its deadlines.
type spy struct {
	net.Conn
	reading, writing []time.Time
}

func (h *spy) Read([]byte) (int, error)  { return 0, nil }
func (h *spy) Write([]byte) (int, error) { return 0, nil }
func (h *spy) SetReadDeadline(t time.Time) error {
	h.reading = append(h.reading, t)
	return nil
}
func (h *spy) SetWriteDeadline(t time.Time) error {
	h.writing = append(h.writing, t)
	return nil
}

// A wait ends at the deadline or earlier, by less than the slack.
func TestDeadlinesAreArmedByTheWaitsThatNeedThem(t *testing.T) {
	idle := testNow.Add(idleTimeout)
	type step struct {
		name   string
		wanted time.Time
		waits  bool
		armed  time.Time // the socket's deadline after the step
	}
	steps := []step{
		{"set, nothing waits", idle, false, time.Time{}},
		{"the first wait", idle, true, idle},
		{"sooner, nothing waits", testNow.Add(readTimeout), false, idle},
		{"later by less than the slack", idle.Add(deadlineSlack - 1), true, idle},
		{"later by the slack", idle.Add(deadlineSlack), true, idle.Add(deadlineSlack)},
		{"sooner", testNow.Add(readTimeout), true, testNow.Add(readTimeout)},
		{"sooner by a moment", testNow.Add(readTimeout - 1), true, testNow.Add(readTimeout - 1)},
		{"none", time.Time{}, true, time.Time{}},
		{"one again", idle, true, idle},
	}
	socket := new(spy)
	c := &Conn{Conn: socket, from: &listener{answers: newAnswers(1, 1, nil)}}
	for _, s := range steps {
		c.SetDeadline(s.wanted)
		if s.waits {
			c.Read(nil)
			c.Write(nil)
		}
		for what, set := range map[string][]time.Time{"reading": socket.reading, "writing": socket.writing} {
			var armed time.Time
			if len(set) > 0 {
				armed = set[len(set)-1]
			}
			if armed != s.armed {
				t.Errorf("%s: %s until %v, want %v", s.name, what, armed, s.armed)
			}
		}
	}
	if set := len(socket.reading); set != 6 {
		t.Errorf("the socket got %d deadlines, want 6", set)
	}
}

// Each direction has a deadline of its own.
func TestDeadlinesOfEitherDirection(t *testing.T) {
	socket := new(spy)
	c := &Conn{Conn: socket, from: &listener{answers: newAnswers(1, 1, nil)}}
	c.SetReadDeadline(testNow)
	c.SetWriteDeadline(testNow.Add(time.Minute))
	c.Read(nil)
	c.Write(nil)
	if len(socket.reading) != 1 || socket.reading[0] != testNow || len(socket.writing) != 1 || socket.writing[0] != testNow.Add(time.Minute) {
		t.Errorf("reading until %v, writing until %v", socket.reading, socket.writing)
	}
}

// A 100 Continue long after the previous answer is not late.
func TestARequestMovesThePassedWriteDeadline(t *testing.T) {
	socket := new(spy)
	c := &Conn{Conn: socket, from: &listener{answers: newAnswers(1, 1, nil)}}
	c.SetWriteDeadline(testNow)
	c.Write(nil)
	c.SetReadDeadline(testNow.Add(time.Minute))
	c.Write(nil)
	c.SetReadDeadline(testNow.Add(time.Second)) // a deadline never moves to an earlier time
	c.Write(nil)
	if len(socket.writing) != 2 || socket.writing[1] != testNow.Add(time.Minute) {
		t.Errorf("writing until %v, want the minute at last", socket.writing)
	}
}

// talking is a client that sends a byte at every read.
type talking struct {
	net.Conn
	meanwhile func()
	ended     bool
}

func (s *talking) Read([]byte) (int, error)          { s.meanwhile(); return 1, nil }
func (s *talking) Write(b []byte) (int, error)       { return len(b), nil }
func (s *talking) Close() error                      { s.ended = true; return nil }
func (s *talking) SetReadDeadline(t time.Time) error { return nil }

// A request that arrives on a connection while it is closed has no effect: its bytes are not read.
func TestARequestOnAClosedConnectionIsNotRead(t *testing.T) {
	for answers := range 2 {
		l := quiet().newListener(troubledBy())
		client := &talking{meanwhile: func() {}}
		c := l.enter(client)
		for range answers {
			c.Read(make([]byte, 1))
			c.Write(nil)
		}
		client.meanwhile = func() { c.Close() }
		if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("after %d answers a closed connection has %d bytes (%v) to read", answers, n, err)
		}
		if c.Close(); !client.ended || l.open != 0 || len(l.silent) != 0 {
			t.Errorf("after %d answers: ended %v, %d open, %d silent", answers, client.ended, l.open, len(l.silent))
		}
	}
}

// A stop closes the connections that have sent nothing. A first request that came at that moment gets
// its answer.
func TestAStopAndAFirstRequestAtTheSameMoment(t *testing.T) {
	l := quiet().newListener(troubledBy())
	client := &talking{meanwhile: func() {}}
	c := l.enter(client)
	silent := l.silent
	c.Read(make([]byte, 1))
	l.silent = map[*Conn]struct{}{c: {}} // as the stop found it, just before the byte
	if l.closeSilent(); client.ended || len(silent) != 0 {
		t.Error("the request got no answer")
	}
	c.Write(nil)
	if c.Close(); !client.ended || l.open != 0 {
		t.Errorf("after the answer: ended %v, %d open", client.ended, l.open)
	}
}

// A connection is closed even in the middle of a request, also at a stop: fasthttp drops a request
// whose connection it is closing as idle.
func TestABrokenRequestIsClosed(t *testing.T) {
	for _, stop := range []bool{false, true} {
		l := quiet().newListener(troubledBy())
		client := &talking{meanwhile: func() {}}
		c := l.enter(client)
		c.Read(make([]byte, 1))
		if stop {
			l.Close()
		}
		if c.Close(); !client.ended || l.open != 0 {
			t.Errorf("stop %v: ended %v, %d open", stop, client.ended, l.open)
		}
	}
}

// fasthttp closes a connection twice. That makes room for one connection only.
func TestClosingTwiceMakesRoomOnce(t *testing.T) {
	l := quiet().newListener(troubledBy())
	ours, theirs := net.Pipe()
	defer theirs.Close()
	c := l.enter(ours)
	l.enter(theirs)
	c.Close()
	c.Close()
	if l.open != 1 {
		t.Errorf("%d open, want 1", l.open)
	}
}

// The server ends it like a client would, even if no read has begun.
func TestAClosedSilentConnectionEnds(t *testing.T) {
	l := quiet().newListener(troubledBy())
	ours, theirs := net.Pipe()
	defer theirs.Close()
	c := l.enter(ours)
	c.SetReadDeadline(testNow)
	l.closeSilent()
	if n, err := c.Read(make([]byte, 4)); n != 0 || err != io.EOF {
		t.Errorf("Read: got %d, %v; want the end", n, err)
	}
}
