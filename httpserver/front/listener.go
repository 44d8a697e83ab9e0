package front

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"
)

// listener accepts connections up to its limit, and passes the others to refuse. Shutdown closes it
// first, then fasthttp.
type listener struct {
	net.Listener
	log     *slog.Logger
	answers *Answers
	refuse  func(net.Conn)
	limit   int
	// readTimeout, bodyTime: see Limits.
	readTimeout, bodyTime time.Duration
	mu                    sync.Mutex
	// open is the number of Conns that are not closed; silent are those of them that have sent
	// nothing yet.
	open   int
	silent map[*Conn]struct{}
	once   sync.Once
	err    error
	closed chan struct{}
	// starved is when no connection could be accepted, full when too many came. As in fasthttp, one
	// goroutine accepts.
	starved, full episode
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.accept()
		if err != nil {
			return nil, err
		}
		if c := l.enter(accepted); c != nil {
			limitUnread(accepted, writeTimeout)
			return c, nil
		}
		if l.full.begins(time.Now()) {
			l.log.Warn("connections are refused: the limit of open connections is reached", "limit", l.limit)
		}
		l.refuse(accepted)
	}
}

// enter counts a connection; it returns nil if the limit is reached.
func (l *listener) enter(accepted net.Conn) *Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.limit {
		return nil
	}
	l.open++
	c := &Conn{Conn: accepted, from: l}
	l.silent[c] = struct{}{}
	return c
}

// markReceived notes that a connection has sent its first byte.
func (l *listener) markReceived(c *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
}

// leave counts a connection as closed.
func (l *listener) leave(c *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
	l.open--
}

// closeSilent closes the connections that have sent nothing, such as those that load balancers open
// in advance. fasthttp would wait for them, as if they had a request.
func (l *listener) closeSilent() {
	l.mu.Lock()
	silent := l.silent
	l.silent = map[*Conn]struct{}{}
	l.mu.Unlock()
	for c := range silent {
		c.closeUnused()
	}
}

const (
	// minPause and maxPause bound the pause between two calls of Accept.
	minPause = 5 * time.Millisecond
	maxPause = time.Second
)

// accept waits for a connection. fasthttp would end the server at a temporary error, which clients
// can cause by using up the file descriptors.
func (l *listener) accept() (net.Conn, error) {
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		accepted, err := l.Listener.Accept()
		if err == nil || !isTemporary(err) {
			return accepted, err
		}
		if l.starved.begins(time.Now()) {
			l.log.Error("no connection can be accepted; new ones wait", "error", err.Error())
		}
		select {
		case <-time.After(pause):
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
}

// temporary are the errors of accept(2) that concern one connection or a lack of resources. Package
// net does not call all of them Temporary().
var temporary = []syscall.Errno{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
	syscall.ECONNABORTED, syscall.EPROTO,
}

// isTemporary reports whether a later call of Accept may succeed.
func isTemporary(err error) bool {
	return slices.ContainsFunc(temporary, func(number syscall.Errno) bool { return errors.Is(err, number) })
}

func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.err = l.Listener.Close()
	})
	return l.err
}

// episode is a run of repeated events, of which only the first is logged.
type episode struct{ last time.Time }

// episodeEnd is the time without an event after which an episode has ended.
const episodeEnd = time.Minute

// begins reports whether an event at now begins an episode.
func (e *episode) begins(now time.Time) bool {
	before := e.last
	e.last = now
	return now.Sub(before) > episodeEnd
}

// maxRefusals is the maximum number of refused connections that wait for their request. Each of them
// uses a file descriptor.
const maxRefusals = 64

func (s *Server) newListener(ln net.Listener) *listener {
	waiting := make(chan struct{}, maxRefusals)
	refuse := func(c net.Conn) {
		select {
		case waiting <- struct{}{}:
			go func() {
				s.refuse(c)
				<-waiting
			}()
		default: // a flood: do not wait
			s.writeRefusal(c)
			c.Close()
		}
	}
	return &listener{
		Listener: ln, log: s.cfg.Log, answers: s.Answers, refuse: refuse, limit: s.cfg.Connections,
		readTimeout: s.cfg.ReadTimeout, bodyTime: s.cfg.BodyTime,
		silent: map[*Conn]struct{}{}, closed: make(chan struct{}),
	}
}

// refuse answers 503 on a connection beyond the limit. It waits for the request first: a client
// that gets an answer without a request reports an error.
func (s *Server) refuse(c net.Conn) {
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(refusalWait))
	c.Read(make([]byte, 1<<10)) // the request has no effect
	s.writeRefusal(c)
	linger(c, time.Now().Add(refusalWait))
}

// writeRefusal does not wait: the answer fits into the buffer of a new connection.
func (s *Server) writeRefusal(c net.Conn) {
	c.SetWriteDeadline(time.Now().Add(refusalWait))
	c.Write(s.cfg.Refusal(c.RemoteAddr()))
}
