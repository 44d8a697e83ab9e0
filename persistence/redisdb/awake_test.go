package redisdb

import (
	"io"
	"runtime"
	"syscall"
	"testing"
)

// sleeper is a socket that receives its answer only when the reader sleeps.
type sleeper struct {
	syscall.RawConn
	fd     int
	slept  int
	arrive func()
}

func (s *sleeper) Read(f func(uintptr) bool) error {
	for !f(uintptr(s.fd)) {
		s.slept++
		s.arrive()
	}
	return nil
}

// socket returns an empty socket and its other end.
func socket(t *testing.T) (s *sleeper, other int) {
	t.Helper()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(ends[0]) })
	return &sleeper{fd: ends[0]}, ends[1]
}

func TestOnlyALoneRequestPolls(t *testing.T) {
	for _, c := range []struct {
		name            string
		waiting, sleepy int32
		want            bool
	}{
		{"a request alone", 1, 0, runtime.GOMAXPROCS(0) > 1},
		{"no known request", 0, 0, false},
		{"one of two", 2, 0, false},
		{"one after a poll without an answer", 1, 1, false},
	} {
		a := &awake{}
		a.waiting.Store(c.waiting)
		a.sleepy.Store(c.sleepy)
		if got := a.worthwhile(); got != c.want {
			t.Errorf("%s polls: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestReadReturnsTheAnswerOfAPollOrAfterSleep(t *testing.T) {
	a, b := &awake{}, make([]byte, 8)
	s, other := socket(t)
	write := func() { syscall.Write(other, []byte("pong")) }
	a.waiting.Store(1)
	write()
	if n, err := a.read(s, b); string(b[:n]) != "pong" || err != nil || s.slept != 0 || a.missed.Load() != 0 {
		t.Errorf("an early answer: %q, %v after %d sleeps", b[:n], err, s.slept)
	}
	s.arrive = write
	if n, err := a.read(s, b); string(b[:n]) != "pong" || err != nil || s.slept != 1 || a.missed.Load() != 1 {
		t.Errorf("a late answer: %q, %v after %d sleeps", b[:n], err, s.slept)
	}
	s.arrive = func() { syscall.Close(other) }
	if n, err := a.read(s, b); n != 0 || err != io.EOF {
		t.Errorf("the end: %d, %v, want %v", n, err, io.EOF)
	}
	s.fd = -1
	if n, err := a.read(s, b); n > 0 || err != syscall.EBADF {
		t.Errorf("a failure: %d, %v, want %v", n, err, syscall.EBADF)
	}
}

// A poll ends as soon as another request waits. The more polls in a row end without an answer,
// the rarer they become.
func TestWaitsInVainBecomeRare(t *testing.T) {
	a, b := &awake{}, make([]byte, 8)
	s, other := socket(t)
	defer syscall.Close(other)
	s.arrive = func() { syscall.Write(other, []byte("pong")) }
	for i, want := range []int32{2, 4, 8, 16, 32, 64, 128, 256, 256} {
		a.waiting.Store(2)
		if _, err := a.read(s, b); err != nil || s.slept != i+1 || a.sleepy.Load() != want {
			t.Errorf("%v, %d sleeps; the next %d sleep at once, want %d", err, s.slept, a.sleepy.Load(), want)
		}
	}
	a.waiting.Store(1)
	s.arrive()
	if _, err := a.read(s, b); err != nil || a.missed.Load() != 0 {
		t.Errorf("%v, %d missed after one that was not", err, a.missed.Load())
	}
}
