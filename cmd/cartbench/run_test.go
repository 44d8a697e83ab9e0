package main

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// empty is a plain HTTP cart that knows only empty carts. bench/adapters/plain.json describes its
// API. reached is closed at its hundredth request.
func empty() (handler http.Handler, reached chan struct{}) {
	reached = make(chan struct{})
	var seen atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := seen.Add(1)
		if n == 100 {
			close(reached)
		}
		id := strings.TrimPrefix(r.URL.Path, "/baskets/")
		if r.Method == http.MethodPost {
			id = fmt.Sprint(n)
			w.WriteHeader(http.StatusCreated)
		}
		fmt.Fprintf(w, `{"basket_id":%q,"items":[],"sum":0}`, id)
	}), reached
}

// cartbench starts this program as another process with these arguments.
func cartbench(t *testing.T, stdout, stderr *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Stdout, c.Stderr = stdout, stderr
	return c
}

func onEmptyCarts(target string, args ...string) []string {
	return append([]string{"run", "--target", target, "--adapter", "plain", "--scenario", "create", "--connections", "2", "--carts", "2", "--ramp", "0s"}, args...)
}

func TestAnInterruptedRunPrintsItsMeasurements(t *testing.T) {
	t.Parallel()
	handler, reached := empty()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	page := filepath.Join(t.TempDir(), "out.html")
	var stdout, stderr bytes.Buffer
	c := cartbench(t, &stdout, &stderr, onEmptyCarts(server.URL, "--duration", "10m", "--html", page)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("an interrupted run ends with %v, want exit status 1", err)
	}
	if want := `(?m)^create +plain +1 +[0-9,]+ +100 % `; !regexp.MustCompile(want).Match(stdout.Bytes()) {
		t.Errorf("no row like %s in\n%s", want, stdout.String())
	}
	if want := "interrupted: the figures cover the time until the interrupt"; !strings.Contains(stderr.String(), want) {
		t.Errorf("standard error is %q, want %q", stderr.String(), want)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

// An unknown certificate is refused. SSL_CERT_FILE makes it known.
func TestTargetsByHTTPS(t *testing.T) {
	t.Parallel()
	handler, _ := empty()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	args := onEmptyCarts(server.URL, "--requests", "50")
	var stdout, stderr bytes.Buffer
	if err := cartbench(t, &stdout, &stderr, args...).Run(); err == nil || !strings.Contains(stderr.String(), "certificate") {
		t.Errorf("an unknown certificate\n got: %v, %s\nwant: refused", err, stderr.String())
	}
	stderr.Reset()
	c := cartbench(t, &stdout, &stderr, args...)
	c.Env = append(os.Environ(), "SSL_CERT_FILE="+file)
	if err := c.Run(); err != nil || !strings.Contains(stdout.String(), "100 %") {
		t.Errorf("a known certificate\n got: %v, %s%s\nwant: every request succeeds", err, stdout.String(), stderr.String())
	}
}

// Thresholds decide the exit status. A bound of errors takes the place of --max-errors.
func TestThresholdsSetTheExitStatus(t *testing.T) {
	t.Parallel()
	handler, _ := empty()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && n.Add(1)%20 == 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "out.json")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 1, "requests failed, at most 0 may"},
		{[]string{"--threshold", "errors<50%,p99<10s"}, 0, `p99<10s +create +plain +1 +[0-9.]+ ms +yes`},
		{[]string{"--threshold", "errors<50%", "--threshold", "rate>1000000"}, 1, `run 1: the threshold rate>1000000 is missed: [0-9.]+ /s`},
		{[]string{"--threshold", "errors<0.1%"}, 1, `the threshold errors<0.1% is missed: [0-9.]+ %`},
		{[]string{"--threshold", "errors<50%", "--max-errors", "0"}, 1, "at most 0 may"},
		{[]string{"--threshold", "p99<10s"}, 1, "at most 0 may"},
		{[]string{"--threshold", "p99<10s,memory<1GiB", "--max-errors", "1000"}, 1, `memory<1GiB is missed: not measured`},
		{[]string{"--threshold", "p99<10s", "--max-errors", "1000", "--json", file}, 0, "yes"},
	} {
		var out, errs bytes.Buffer
		args := append(onEmptyCarts(server.URL, "--requests", "200", "--connections", "1"), c.args...)
		if status := run(t.Context(), args, &out, &errs); status != c.status || !regexp.MustCompile(c.want).MatchString(out.String()+errs.String()) {
			t.Errorf("%v\n got: status %d\n%s%s\nwant: status %d and %s", c.args, status, out.String(), errs.String(), c.status, c.want)
		}
	}
	page := filepath.Join(t.TempDir(), "page.html")
	for threshold, want := range map[string]int{"p99<10s": 0, "p99>10s": 1} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"compare", "--html", page, "--threshold", threshold, file, file}, &out, &errs); status != want {
			t.Errorf("compare --threshold %s: status %d, want %d\n%s%s", threshold, status, want, out.String(), errs.String())
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "Compared with an earlier run") {
			t.Errorf("compare --html: %v\n%s", err, text)
		}
	}
}
