package front

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fasthttp/fasthttputil"
)

// troubled is a listener whose first calls of Accept fail.
type troubled struct {
	net.Listener
	errs []error
	asks []time.Time
}

func (l *troubled) Accept() (net.Conn, error) {
	l.asks = append(l.asks, time.Now())
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		return nil, err
	}
	return l.Listener.Accept()
}

// failed returns the error that package net makes of an errno of accept.
func failed(number syscall.Errno) error {
	return &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", number)}
}

func troubledBy(errs ...error) *troubled {
	return &troubled{Listener: fasthttputil.NewInmemoryListener(), errs: errs}
}

// An error that a client causes, or that is temporary, does not end the server.
func TestServeSurvivesTemporaryErrors(t *testing.T) {
	for _, number := range temporary {
		ln := troubledBy(failed(number), failed(number))
		var log bytes.Buffer
		server := New(Config{
			Handler: func(ctx *fasthttp.RequestCtx) { ctx.SetBodyString("served") },
			Log:     slog.New(slog.NewTextHandler(&log, nil)), Limits: Limits{LastRequests: time.Millisecond},
		})
		served := make(chan error, 1)
		go func() { served <- server.Serve(ln) }()
		client := fasthttp.HostClient{Addr: "test", Dial: func(string) (net.Conn, error) { return ln.Listener.(*fasthttputil.InmemoryListener).Dial() }}
		if _, body, err := client.Get(nil, "http://test/"); err != nil || string(body) != "served" {
			t.Errorf("%v: got %q, %v", number, body, err)
		}
		client.CloseIdleConnections()
		if err := server.Shutdown(context.Background()); err != nil || <-served != nil {
			t.Errorf("%v: Shutdown: %v", number, err)
		}
		if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), number.Error()) {
			t.Errorf("%v: want one line that names it, got\n%s", number, &log)
		}
	}
}

func TestServeEndsWithAPermanentError(t *testing.T) {
	stays := failed(syscall.EBADF)
	if err := quiet().Serve(troubledBy(stays)); !errors.Is(err, syscall.EBADF) {
		t.Errorf("Serve: got %v, want %v", err, stays)
	}
}

// The pauses between two calls of Accept grow from 5 ms to a second.
func TestPausesBetweenTriesToAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := troubledBy()
		for range 10 {
			inner.errs = append(inner.errs, failed(syscall.EMFILE))
		}
		inner.errs = append(inner.errs, net.ErrClosed)
		if _, err := quiet().newListener(inner).Accept(); err != net.ErrClosed {
			t.Fatalf("Accept: got %v, want %v", err, net.ErrClosed)
		}
		for i, want := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000} {
			if got := inner.asks[i+1].Sub(inner.asks[i]); got != want*time.Millisecond {
				t.Errorf("pause %d: got %v, want %v", i, got, want*time.Millisecond)
			}
		}
	})
}

// A stop does not wait for the pause to end.
func TestCloseEndsThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := quiet().newListener(troubledBy(failed(syscall.EMFILE)))
		ended := make(chan error, 1)
		began := time.Now()
		go func() {
			_, err := l.Accept()
			ended <- err
		}()
		synctest.Wait() // in the pause
		l.Close()
		if err := <-ended; err != net.ErrClosed || time.Since(began) > 0 {
			t.Errorf("Accept: got %v after %v, want %v at once", err, time.Since(began), net.ErrClosed)
		}
	})
}

// An episode is logged once. After a minute without an event the next one begins.
func TestEpisodes(t *testing.T) {
	var e episode
	now := testNow
	for _, row := range []struct {
		after  time.Duration
		begins bool
	}{{0, true}, {time.Second, false}, {episodeEnd, false}, {episodeEnd + 1, true}, {1, false}} {
		now = now.Add(row.after)
		if got := e.begins(now); got != row.begins {
			t.Errorf("%v later: begins %v, want %v", row.after, got, row.begins)
		}
	}
}
