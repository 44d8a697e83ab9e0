package redistest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"cartd/internal/process"
)

// Server is one Redis that belongs to one test and ends with it. Its methods end the test at an
// error, so call them on the test's own goroutine.
type Server struct {
	// Mini is the miniredis; nil for a real server.
	Mini *miniredis.Miniredis

	t    testing.TB
	addr string
	real *process.Redis // nil for a miniredis

	login string // NAME:PASSWORD@ of the URL; empty for the default user

	certificates *Certificates // nil without TLS
	tlsAddr      string
}

// Real starts a private redis-server on a free loopback port with a directory of
// its own. It keeps nothing on disk unless args ask for it, for example
// "--appendonly", "yes", "--appendfsync", "always".
func Real(t testing.TB, args ...string) *Server {
	t.Helper()
	real := process.NewRedis(t.TempDir(), args...)
	launch(t, real)
	return &Server{t: t, addr: real.Addr, real: real}
}

// launch starts a server that ends with the test.
func launch(t testing.TB, real *process.Redis) {
	t.Helper()
	t.Cleanup(real.Kill)
	if err := real.Start(); err != nil {
		t.Fatal(err)
	}
}

// Sentinel starts a private sentinel that watches a real server under a name. It decides alone on
// the server's failover.
func Sentinel(t testing.TB, name string, master *Server) *Server {
	t.Helper()
	args, watched, tlsAddr := []string{"--sentinel"}, master.Addr(), ""
	var err error
	if master.certificates != nil {
		if tlsAddr, err = process.FreeAddress(); err != nil {
			t.Fatal(err)
		}
		args, watched = append(args, master.certificates.args(tlsAddr)...), master.TLSAddr()
	}
	host, port, err := net.SplitHostPort(watched)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sentinel := process.NewRedis(dir, args...)
	sentinel.Config = filepath.Join(dir, "sentinel.conf")
	watch := fmt.Sprintf("sentinel monitor %s %s %s 1\n", name, host, port)
	if err := os.WriteFile(sentinel.Config, []byte(watch), 0o600); err != nil {
		t.Fatal(err)
	}
	launch(t, sentinel)
	return &Server{t: t, addr: sentinel.Addr, real: sentinel, certificates: master.certificates, tlsAddr: tlsAddr}
}

// Mini starts a miniredis.
func Mini(t testing.TB) *Server {
	t.Helper()
	mini := miniredis.RunT(t)
	return &Server{t: t, addr: mini.Addr(), Mini: mini}
}

// Each runs f as the subtests "miniredis" and "redis". With -short it leaves miniredis out: the race
// detector makes its Lua many times slower.
func Each(t *testing.T, f func(t *testing.T, s *Server)) {
	t.Helper()
	if !testing.Short() {
		t.Run("miniredis", func(t *testing.T) { f(t, Mini(t)) })
	}
	t.Run("redis", func(t *testing.T) { f(t, Real(t)) })
}

// Addr is the server's host and port. A Restart does not change it.
func (s *Server) Addr() string { return s.addr }

// URL is the server's address as a redis:// URL, database 0.
func (s *Server) URL() string { return "redis://" + s.login + s.Addr() + "/0" }

// As returns the same server with the URL of a user that it has. Its clients stay the default user's.
func (s *Server) As(name, password string) *Server {
	as := *s
	as.login = name + ":" + password + "@"
	return &as
}

// Client returns a client that is closed at the end of the test. It does not retry, so a test sees
// every failure.
func (s *Server) Client() *redis.Client {
	s.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.Addr(), MaxRetries: -1})
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

// Kill ends the server at once (SIGKILL) and closes its connections. A real server loses all writes
// that are not on its disk; a miniredis keeps its data.
func (s *Server) Kill() {
	if s.Mini != nil {
		s.Mini.Close()
		return
	}
	s.real.Kill()
}

// Restart starts the server again with its port and directory, and waits until it answers. It kills
// a running server first.
func (s *Server) Restart() {
	s.t.Helper()
	s.Kill()
	var err error
	if s.Mini != nil {
		err = s.Mini.Restart()
	} else {
		err = s.real.Restart()
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// Pause stops a real server (SIGSTOP): connections stay open, and no request is answered until
// Resume.
func (s *Server) Pause() {
	s.t.Helper()
	s.signal(syscall.SIGSTOP)
}

// Resume continues a paused server (SIGCONT).
func (s *Server) Resume() {
	s.t.Helper()
	s.signal(syscall.SIGCONT)
}

// signal sends a real server a signal.
func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if s.real == nil {
		s.t.Fatalf("a miniredis takes no signal (%v)", sig)
	}
	if s.real.Process == nil {
		s.t.Fatalf("the redis-server is not running, it takes no signal (%v)", sig)
	}
	if err := s.real.Cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// InfoField is the value of one field in an INFO answer; empty if the field is missing.
func InfoField(info, field string) string {
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && name == field {
			return value
		}
	}
	return ""
}
