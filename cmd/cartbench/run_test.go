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
