//go:build long

// Package deploy_test checks the files that operators deploy, as far as that is possible
// without a container engine: the image's file system is laid out and run, HAProxy and
// systemd read their files, and nodes are added, drained and killed under HAProxy.
package deploy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within bounds every wait of these tests.
const within = 20 * time.Second

// image is the folder that scripts/image.sh laid out: the image's file system.
var image string

func TestMain(m *testing.M) {
	os.Exit(layOutAndRun(m))
}

func layOutAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cartd-deploy-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	image = filepath.Join(dir, "image")
	script := exec.Command("sh", "scripts/image.sh", image)
	script.Dir = ".."
	script.Stdout, script.Stderr = os.Stderr, os.Stderr
	if err := errorsOf(os.Chmod(dir, 0o755), script.Run()); err != nil {
		fmt.Fprintln(os.Stderr, "scripts/image.sh:", err)
		return 1
	}
	return m.Run()
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// haproxyProgram is where HAProxy is; /usr/sbin is no part of every user's path.
func haproxyProgram() string {
	if program, err := exec.LookPath("haproxy"); err == nil {
		return program
	}
	return "/usr/sbin/haproxy"
}

// process is a running child process.
type process struct {
	*exec.Cmd
	exited chan struct{} // closed when it has ended
	lines  chan string   // of its standard error
}

// launch starts a command. It is killed when the test ends.
func launch(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	p := &process{Cmd: cmd, exited: make(chan struct{}), lines: make(chan string, 1000)}
	go func() {
		for text := bufio.NewScanner(errs); text.Scan(); {
			select {
			case p.lines <- text.Text():
			default:
			}
		}
		close(p.lines)
		_ = cmd.Wait() // ProcessState tells
		close(p.exited)
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.exited
}

// stop asks the process to end and returns its exit status.
func (p *process) stop(t *testing.T) int {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.exited:
	case <-time.After(within):
		t.Fatalf("%v still runs %v after SIGTERM", p.Args, within)
	}
	return p.ProcessState.ExitCode()
}

// addresses waits for the log lines with these messages and returns the addresses in them.
func (p *process) addresses(t *testing.T, messages ...string) []string {
	t.Helper()
	found := make([]string, len(messages))
	timeout := time.After(within)
	for missing := len(messages); missing > 0; {
		select {
		case line, ok := <-p.lines:
			if !ok {
				t.Fatalf("%v ended before it listened", p.Args)
			}
			var entry struct{ Msg, Addr string }
			_ = json.Unmarshal([]byte(line), &entry) // other lines have no address
			for i, message := range messages {
				if entry.Msg == message {
					found[i], missing = entry.Addr, missing-1
				}
			}
		case <-timeout:
			t.Fatalf("%v does not listen after %v", p.Args, within)
		}
	}
	return found
}

const (
	storefrontKey = "demo-storefront-key"
	tube          = "10000000-0000-4000-8000-000000000201"
)

var client = http.Client{Timeout: 15 * time.Second}

// answer is a status with its header and body; status 0: there was no answer.
type answer struct {
	status int
	header http.Header
	body   string
}

// call sends a request. key is its Idempotency-Key, where it is not empty.
func call(method, url, key, body string) answer {
	return callWith(storefrontKey, method, url, key, body)
}

// callWith is call with another API key.
func callWith(apiKey, method, url, key, body string) answer {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}
	}
	request.GetBody = nil // else net/http itself sends some requests again
	request.Header.Set("Authorization", "Bearer "+apiKey)
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	reply, err := client.Do(request)
	if err != nil {
		return answer{}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return answer{}
	}
	return answer{reply.StatusCode, reply.Header, string(text)}
}

// makeCart makes a cart and returns its URL.
func makeCart(t *testing.T, base string) string {
	t.Helper()
	a := call("POST", base+"/v1/api/commerce/carts", "", "")
	var cart struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(a.body), &cart); err != nil || a.status != http.StatusCreated {
		t.Fatalf("POST carts: %d %s", a.status, a.body)
	}
	return base + "/v1/api/commerce/carts/" + cart.Data.ID
}

// quantity is the quantity of the only line of a cart.
func quantity(t *testing.T, cart string) int {
	t.Helper()
	a := call("GET", cart, "", "")
	var shown struct {
		Data struct{ Lines []struct{ Quantity int } }
	}
	if err := json.Unmarshal([]byte(a.body), &shown); err != nil || len(shown.Data.Lines) != 1 {
		t.Fatalf("GET %s: %d %s", cart, a.status, a.body)
	}
	return shown.Data.Lines[0].Quantity
}
