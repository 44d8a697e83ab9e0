package redistest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/process"
)

func TestEachServerAnswersAtItsURLAfterARestart(t *testing.T) {
	Each(t, func(t *testing.T, s *Server) {
		options, err := redis.ParseURL(s.URL())
		if err != nil || options.Addr != s.Addr() {
			t.Fatalf("ParseURL(%q) = %v, %v; want %s", s.URL(), options, err, s.Addr())
		}
		wantPing(t, s.Client(), true)
		s.Kill()
		wantPing(t, s.Client(), false)
		s.Restart()
		wantPing(t, s.Client(), true)
	})
}

func TestAnAppendOnlyServerKeepsItsDataOverAKill(t *testing.T) {
	s := Real(t, "--appendonly", "yes", "--appendfsync", "always")
	if err := s.Client().Set(context.Background(), "k", "kept", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if got, err := s.Client().Get(context.Background(), "k").Result(); got != "kept" {
		t.Errorf("GET after the restart = %q, %v; want kept", got, err)
	}
}

func TestServerKeepsNothingByDefault(t *testing.T) {
	s := Real(t)
	if err := s.Client().Set(context.Background(), "k", "lost", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if got, err := s.Client().Get(context.Background(), "k").Result(); err != redis.Nil {
		t.Errorf("GET after the restart = %q, %v; want nothing", got, err)
	}
}

func TestAPausedServerAnswersOnceItResumes(t *testing.T) {
	s := Real(t)
	s.Pause()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		t.Fatal(err)
	}
	reply := make([]byte, len("+PONG\r\n"))
	_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := conn.Read(reply); !os.IsTimeout(err) {
		t.Fatalf("a paused server answered %q, %v", reply[:n], err)
	}
	s.Resume()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := conn.Read(reply); err != nil || string(reply[:n]) != "+PONG\r\n" {
		t.Errorf("a resumed server answered %q, %v", reply[:n], err)
	}
}

func TestServesComparesTheProcess(t *testing.T) {
	s := Real(t)
	if id := s.real.ID(); !process.Serves(s.Addr(), id) || process.Serves(s.Addr(), id+1) {
		t.Errorf("Serves(%s) does not compare the process with %d", s.Addr(), id)
	}
}

func TestConcurrentServersFindFreePorts(t *testing.T) {
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			wantPing(t, Real(t).Client(), true)
		})
	}
}

func wantPing(t *testing.T, client *redis.Client, want bool) {
	t.Helper()
	if err := client.Ping(context.Background()).Err(); (err == nil) != want {
		t.Fatalf("PING = %v, want an answer: %v", err, want)
	}
}

// REDIS_SERVER names the program of every server: make test-long runs the tests on Valkey with it.
func TestAnotherProgramServes(t *testing.T) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "valkey-server")
	if err := os.Symlink(program, other); err != nil {
		t.Fatal(err)
	}
	t.Setenv("REDIS_SERVER", other)
	s := Real(t)
	wantPing(t, s.Client(), true)
	if s.real.Cmd.Path != other {
		t.Errorf("the program is %s, want %s", s.real.Cmd.Path, other)
	}
}

// Tests, servers and the commands of documents have one clock, also where scripts/test-dates.sh moves it.
func TestServersHaveTheClockOfTests(t *testing.T) {
	text, err := exec.Command("date", "+%s").Output()
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	server, err := Real(t).Client().Time(context.Background()).Result()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for name, at := range map[string]time.Time{"date": time.Unix(seconds, 0), "redis-server": server} {
		if now.Sub(at).Abs() > time.Hour {
			t.Errorf("%s says %v, the test %v", name, at, now)
		}
	}
}
