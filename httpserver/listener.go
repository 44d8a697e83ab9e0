package httpserver

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"
)

// listener hands out conns, so many at a time as fit, and has the others refused. It may
// be closed twice: by Shutdown, then by fasthttp.
type listener struct {
	net.Listener
	log    *slog.Logger
	refuse func(net.Conn)
	limit  int
	mu     sync.Mutex
	// open counts the conns handed out and not closed; silent are those of them that
	// have sent nothing yet.
	open   int
	silent map[*conn]struct{}
	once   sync.Once
	err    error
	closed chan struct{}
	// starved is when nothing could be accepted, full when too many came. As fasthttp
	// does, one goroutine accepts.
	starved, full episode
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.accept()
		if err != nil {
			return nil, err
		}
		if c := l.enter(accepted); c != nil {
			return c, nil
		}
		if l.full.begins(time.Now()) {
			l.log.Warn("connections are refused, for as many are open as may be", "limit", l.limit)
		}
		l.refuse(accepted)
	}
}

// enter counts a connection; nil: there is no room for it.
func (l *listener) enter(accepted net.Conn) *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.limit {
		return nil
	}
	l.open++
	c := &conn{Conn: accepted, from: l}
	l.silent[c] = struct{}{}
	return c
}

// hear notes that a connection sends.
func (l *listener) hear(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
}

// leave makes room for another connection.
func (l *listener) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
	l.open--
}

// closeSilent closes the connections that have sent nothing, such as those that load
// balancers open in advance: fasthttp takes them for busy.
func (l *listener) closeSilent() {
	l.mu.Lock()
	silent := l.silent
	l.silent = map[*conn]struct{}{}
	l.mu.Unlock()
	for c := range silent {
		c.Close()
	}
}

const (
	// minPause and greatestPause are between two tries to accept.
	minPause      = 5 * time.Millisecond
	greatestPause = time.Second
)

// accept waits for a connection. fasthttp would end the server at an error that passes,
// and clients can cause one: by using up the file descriptors.
func (l *listener) accept() (net.Conn, error) {
	for pause := minPause; ; pause = min(2*pause, greatestPause) {
		accepted, err := l.Listener.Accept()
		if err == nil || !passes(err) {
			return accepted, err
		}
		if l.starved.begins(time.Now()) {
			l.log.Error("connections wait, none can be accepted", "error", err.Error())
		}
		select {
		case <-time.After(pause):
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
}

// passing are the errors of accept(2) that concern one connection or a lack of something.
// Not all of them are Temporary() with package net.
var passing = []syscall.Errno{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
	syscall.ECONNABORTED, syscall.EPROTO,
}

// passes reports whether accepting may succeed later.
func passes(err error) bool {
	return slices.ContainsFunc(passing, func(number syscall.Errno) bool { return errors.Is(err, number) })
}

// stopped reports whether no connection is accepted any more.
func (l *listener) stopped() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.err = l.Listener.Close()
	})
	return l.err
}

// episode is something that comes in rows, of which only the beginning is logged.
type episode struct{ last time.Time }

// peace ends an episode.
const peace = time.Minute

// begins reports whether nothing of the kind happened for a while before now.
func (e *episode) begins(now time.Time) bool {
	before := e.last
	e.last = now
	return now.Sub(before) > peace
}
