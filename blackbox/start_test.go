package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
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
	return finished{args, cmd.ProcessState.ExitCode(), out.String(), errs.String()}
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

// A failed start prints one line that names the remedy, and exits with 1.
func TestABadStartIsOneLine(t *testing.T) {
	t.Parallel()
	url := redistest.Mini(t).URL()
	taken, closed := listener(t).Addr().String(), closedAddr(t)
	good := storeFile(t, base())
	missing := filepath.Join(t.TempDir(), "none.json")
	serve := func(more ...string) []string {
		return append([]string{"serve", "--listen", "127.0.0.1:0", "--store", good}, more...)
	}
	for _, c := range []struct {
		name  string
		args  []string
		words []string // words of the line
		code  int
	}{
		{"no Redis named", serve(), []string{"--redis", "embedded"}, 2},
		{"port in use", []string{"serve", "--listen", taken, "--redis", url, "--store", good}, []string{taken}, 1},
		{"port in use, of the demo", []string{"serve", "--listen", taken, "--redis", "embedded", "--demo"}, []string{taken, "--listen", "make run LISTEN="}, 1},
		{"Redis unreachable, with a password", serve("--redis", "redis://:secret-key-redis@"+closed+"/0", "--redis-patience", "0"), []string{closed}, 1},
		{"Redis that is no address", serve("--redis", "nonsense://x"), []string{"nonsense", "redis://"}, 2},
		{"Redis address of host and port only", serve("--redis", "127.0.0.1:6379"), []string{"127.0.0.1:6379", "redis://"}, 2},
		{"Redis address with a database that is no number", serve("--redis", "redis://127.0.0.1/x"), []string{"redis://127.0.0.1/x"}, 2},
		{"Redis address without a scheme, with a password", serve("--redis", "me:secret-key-redis@"+closed), []string{"redis://"}, 2},
		{"Redis addresses, the first without a scheme", serve("--redis", "me:secret-key-redis@"+closed+",redis://"+closed), []string{"redis://"}, 2},
		{"Redis address with a password that is not encoded", serve("--redis", "redis://:secret-key-redis/%@"+closed), []string{closed, "percent-encode"}, 2},
		{"Redis address that an operator's command cannot read", []string{"stores", "--redis", "127.0.0.1:6379"}, []string{"127.0.0.1:6379", "redis://"}, 2},
		{"an authority for a Redis without TLS", serve("--redis", url, "--redis-ca", missing), []string{"rediss://"}, 2},
		{"an authority for the embedded Redis", serve("--redis", "embedded", "--redis-ca", missing), []string{"rediss://"}, 2},
		{"an authority that is not there", serve("--redis", "rediss://"+closed, "--redis-ca", missing), []string{missing}, 1},
		{"a file for the address without one", serve("--redis-file", fileOf(t, nil)), []string{"--redis-file", "one line"}, 2},
		{"a port without a colon", serve("--redis", url, "--listen", "8086"), []string{`--listen="8086"`, "127.0.0.1:8080"}, 2},
		{"a port beyond the last", serve("--redis", url, "--listen", "127.0.0.1:65536"), []string{`--listen="127.0.0.1:65536"`}, 2},
		{"a port for operators without a colon", serve("--redis", url, "--ops-listen", "9090"), []string{`--ops-listen="9090"`, "HOST:PORT"}, 2},
		{"a cluster of which nothing is there", serve("--redis", "redis://"+closed+",redis://"+closedAddr(t), "--redis-patience", "0"), []string{closed}, 1},
		{"sentinel unreachable, with passwords", serve("--redis", "redis://:secret-key-redis@"+closed+"/0?master_name=m&password=secret-key-redis", "--redis-patience", "0"), []string{"cannot be reached", closed}, 1},
		{"sentinel's password under an unknown name", serve("--redis", "redis://"+closed+"?master_name=m&sentinel_password=secret-key-redis"), []string{closed}, 2},
		{"sentinel's password without a scheme", serve("--redis", closed+"?master_name=m&sentinel_password=secret-key-redis"), []string{"redis://"}, 2},
		{"sentinel's password of signs", serve("--redis", "redis://"+closed+"?master_name=m&sentinel_password=me@secret-key-redis"), []string{"redis://"}, 2},
		{"replicas of what has none", serve("--redis", "embedded", "--redis-wait", "1"), []string{"--redis-wait"}, 2},
		{"a delay below zero", serve("--redis", url, "--drain-delay", "-1s"), []string{"--drain-delay"}, 2},
		{"a patience that is none", serve("--redis", url, "--redis-patience", "long"), []string{"--redis-patience", "30s", "forever"}, 2},
		{"two documents of one store", serve("--redis", url, "--store", storeFile(t, base(), changed(hammer, "name", "Other")), "--store-replace"), []string{"two documents"}, 1},
		{"missing store file", serve("--redis", url, "--store", missing), []string{missing, "give the path"}, 1},
		{"no memory for records", serve("--redis", url, "--resident", "0"), []string{`--resident="0"`, "above zero"}, 2},
		{"networks that are none", serve("--redis", url, "--trusted-proxies", "10.0.0.0/8,foo"), []string{"--trusted-proxies", `"foo"`, "10.0.0.0/8, or an address: see"}, 2},
		{"a time-out out of reach", serve("--redis", url, "--webhook-timeout", "2m"), []string{"--webhook-timeout"}, 2},
		{"a request longer than a stop", serve("--redis", url, "--request-timeout", "10001ms"), []string{"--request-timeout", "10s"}, 2},
		{"an origin that is none", serve("--redis", url, "--cors-origins", "https://shop.example,foo"), []string{"cors-origins", "foo", "https://"}, 2},
		{"a collector that is none", serve("--redis", url, "--otlp", "http://user:secret%zz@collector"), []string{"--otlp"}, 2},
		{"check of a missing file", []string{"check", missing}, []string{missing}, 1},
		{"check of a folder", []string{"check", filepath.Dir(good)}, []string{filepath.Dir(good) + ": it is a directory: give the path"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := runs(t, c.args...)
			f.wantLine(t, c.code, c.words...)
			wantNoSecretsIn(t, f.stdout+f.stderr)
		})
	}
}

// A start with a faulty document prints every fault, as an import does.
func TestAStartPrintsEveryFault(t *testing.T) {
	t.Parallel()
	bad := storeFile(t, base(), setting("colour", "red"), changed(hammer, "tax", "luxury"))
	f := runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--store", storeFile(t, base()), "--store", bad)
	imported := runs(t, "import", "--redis", redistest.Mini(t).URL(), bad)
	if f.code != 1 || f.stderr != imported.stderr || !strings.Contains(f.stderr, "\n"+bad+": faults: 2, nothing was loaded\n") {
		t.Errorf("exit %d\n%s\nwant the faults of the import:\n%s", f.code, f.stderr, imported.stderr)
	}
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

// A node that cannot start does not replace a store of running nodes.
func TestABadStartReplacesNothing(t *testing.T) {
	t.Parallel()
	r, taken := redistest.Real(t), listener(t).Addr().String()
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	before := exports(t, r, storeBase)
	other := storeFile(t, base(), changed(hammer, "name", "Other"))
	for _, address := range []string{"--listen", "--ops-listen"} {
		args := []string{"serve", "--redis", r.URL(), "--store", other, "--store-replace", "--listen", "127.0.0.1:0", address, taken}
		runs(t, args...).wantOneLine(t, taken, address)
		if after := exports(t, r, storeBase); after != before {
			t.Errorf("%s in use: the store was replaced", address)
		}
	}
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

// Every flag has an environment twin.
func TestFlagsHaveEnvironmentTwins(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base())
	f := runs(t, "serve", "--listen", "127.0.0.1:0", "--store", file)
	f.wantUsage(t, "--redis")
	for twin, want := range map[string]string{
		"CARTD_RESIDENT=1e6": `CARTD_RESIDENT="1e6": write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB`,
		"CARTD_DEMO=maybe":   `CARTD_DEMO="maybe": write true or false`, "CARTD_REDIS_TIMEOUT=5": `CARTD_REDIS_TIMEOUT="5": write a duration such as 5s`,
	} {
		runsIn(t, []string{twin}, "serve").wantUsage(t, want)
	}
	for _, headers := range []string{"no pair", "a b=secret-key-otlp", "a=secret-key-otlp%zz", "a=secret-key-otlp%0d%0ab:c"} {
		f := runsIn(t, []string{"OTEL_EXPORTER_OTLP_HEADERS=" + headers}, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--otlp", "http://127.0.0.1:1")
		f.wantUsage(t, "OTEL_EXPORTER_OTLP_HEADERS", "percent-encode")
		if strings.Contains(f.stderr, "secret-key-otlp") {
			t.Errorf("the error shows the value: %s", f.stderr)
		}
	}
	serve := exec.Command(binary, "serve", "--store", file)
	serve.Env = []string{"CARTD_LISTEN=127.0.0.1:0", "CARTD_REDIS=" + redistest.Mini(t).URL()}
	listens(t, serve).client(t).get("me").wantStatus(http.StatusOK)
}
