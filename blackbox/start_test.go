package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// finished is a cartd that has ended.
type finished struct {
	args           []string
	code           int
	stdout, stderr string
	// audit has the log lines of what the command has changed, which are not in stderr.
	audit string
}

// runs starts cartd with these arguments and waits for its end.
func runs(t *testing.T, args ...string) finished {
	t.Helper()
	return runsIn(t, nil, args...)
}

// runsIn is runs with an environment.
func runsIn(t *testing.T, env []string, args ...string) finished {
	t.Helper()
	return finish(t, "", env, nil, 20*time.Second, args...)
}

// finish runs cartd to its end in a folder, with an environment and a standard input. It kills a
// cartd that takes too long.
func finish(t *testing.T, dir string, env []string, input io.Reader, within time.Duration, args ...string) finished {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = append([]string{}, env...), input, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatalf("cartd %v: %v", args, err)
	}
	timer := time.AfterFunc(within, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait() // the exit status has the result
	f := finished{args: args, code: cmd.ProcessState.ExitCode(), stdout: out.String()}
	for line := range strings.Lines(errs.String()) {
		if args[0] != "serve" && strings.Contains(line, `"msg":"operator"`) {
			f.audit += line
			continue
		}
		f.stderr += line
	}
	return f
}

// wantOneLine wants a failure: exit 1 and one line on stderr with all of these words.
func (f finished) wantOneLine(t *testing.T, words ...string) {
	t.Helper()
	f.wantLine(t, 1, words...)
}

// wantUsage wants a usage error: exit 2 and one line on stderr with all of these words.
func (f finished) wantUsage(t *testing.T, words ...string) {
	t.Helper()
	f.wantLine(t, 2, words...)
}

func (f finished) wantLine(t *testing.T, code int, words ...string) {
	t.Helper()
	line := strings.TrimSuffix(f.stderr, "\n")
	if f.code != code || line == "" || strings.Contains(line, "\n") {
		t.Errorf("cartd %v\n got: exit %d, stderr:\n%s\nwant: exit %d and one line", f.args, f.code, f.stderr, code)
	}
	for _, word := range words {
		if !strings.Contains(line, word) {
			t.Errorf("cartd %v\n got: %s\nwant: %q in it", f.args, line, word)
		}
	}
}

// closedAddr is a loopback address without a listener. A bound socket keeps other tests from using
// the port.
func closedAddr(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("127.0.0.1:", bound.(*syscall.SockaddrInet4).Port)
}

func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestTheVersionIsOneLine(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"version", "--version"} {
		f := runs(t, arg)
		if f.code != 0 || f.stderr != "" || !regexp.MustCompile(`^cartd [0-9.]+ (\([0-9a-f]+\+?\) )?go1\.[0-9.]+\n$`).MatchString(f.stdout) {
			t.Errorf("cartd %s\n got: exit %d %q %q", arg, f.code, f.stdout, f.stderr)
		}
	}
	runs(t, "version", "1").wantUsage(t, "cartd version")
}

// cartd does not start on a Redis that may evict carts.
func TestAnEvictingRedisIsRefused(t *testing.T) {
	t.Parallel()
	evicting := redistest.Real(t, "--maxmemory-policy", "allkeys-lru")
	f := runs(t, "serve", "--listen", "127.0.0.1:0", "--store", storeFile(t, base()), "--redis", evicting.URL())
	f.wantOneLine(t, "maxmemory-policy", evicting.URL())
}

// A Redis that stores nothing on disk causes a warning. One that stores on disk does not.
func TestARedisWithoutPersistenceIsWarnedOf(t *testing.T) {
	t.Parallel()
	files := storeFiles(t, keyShop)
	for _, c := range []struct {
		name string
		r    *redistest.Server
		want bool
	}{
		{"nothing on disk", redistest.Real(t), true},
		{"append-only file", durable(t), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := start(t, options{redis: c.r.URL(), stores: files})
			if got := warns(n.Log.Lines()); got != c.want {
				t.Errorf("a warning: %v, want %v\n%s", got, c.want, n.Log)
			}
		})
	}
}

// warns reports whether a log line is a warning.
func warns(lines []string) bool {
	for _, line := range lines {
		var entry struct{ Level string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Level == "WARN" {
			return true
		}
	}
	return false
}

var survives = regexp.MustCompile(`(?i)nothing survives a restart`)

// Embedded Redis: one warning line states that nothing survives a restart.
func TestTheEmbeddedRedisSaysThatNothingSurvives(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", stores: storeFiles(t, keyShop)})
	n.client(t).fill()
	if lines := survives.FindAllString(n.Log.String(), -1); len(lines) != 1 {
		t.Errorf("the log says %d times that nothing survives a restart, want once:\n%s", len(lines), n.Log)
	}
	r := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop)})
	if survives.MatchString(r.Log.String()) {
		t.Errorf("a node with a Redis of its own says that nothing survives:\n%s", r.Log)
	}
}
