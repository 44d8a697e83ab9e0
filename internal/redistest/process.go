package redistest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// ready bounds the wait for a started server's first answer, reloading its
	// files included; between two looks it waits for poll.
	ready = 20 * time.Second
	poll  = 5 * time.Millisecond
	// tries is how often another port is taken when somebody else was quicker.
	tries = 5
)

// errExited says that redis-server ended before it answered.
var errExited = errors.New("redis-server ended at its start")

// process is a redis-server as a child process.
type process struct {
	binary string
	dir    string
	config string // a file of settings; empty: none
	args   []string
	addr   string // host:port, the same over every restart

	running *exec.Cmd     // nil: not running
	exited  chan struct{} // closed once the running one has ended
}

// newProcess prepares a server without starting it.
func newProcess(t testing.TB, args []string) *process {
	t.Helper()
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is needed: apt-get install redis-server")
	}
	return &process{binary: binary, dir: t.TempDir(), args: args}
}

// start runs the server on a free port; a port that is lost to somebody else
// between the look and the start is replaced by another.
func (p *process) start() error {
	var err error
	for range tries {
		if p.addr, err = freeAddr(); err != nil {
			return err
		}
		if err = p.run(); !errors.Is(err, errExited) {
			return err
		}
	}
	return err
}

// restart runs the server on its old port, which a passing connection of
// somebody else may hold for a moment.
func (p *process) restart() error {
	err := p.run()
	for until := time.Now().Add(ready); errors.Is(err, errExited) && time.Now().Before(until); {
		time.Sleep(poll)
		err = p.run()
	}
	return err
}

// run starts the process and returns once it answers PING.
func (p *process) run() error {
	_, port, err := net.SplitHostPort(p.addr)
	if err != nil {
		return err
	}
	args := []string{"--bind", "127.0.0.1", "--port", port, "--dir", p.dir, "--logfile", "redis.log", "--save", ""}
	if p.config != "" {
		args = append([]string{p.config}, args...)
	}
	command := exec.Command(p.binary, append(args, p.args...)...)
	if err := command.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	exited := make(chan struct{})
	go func() { _ = command.Wait(); close(exited) }()
	p.running, p.exited = command, exited
	if err := p.await(); err != nil {
		p.kill()
		return fmt.Errorf("%w; its log ends with:\n%s", err, p.logTail())
	}
	return nil
}

// await polls until this very process answers.
func (p *process) await() error {
	deadline := time.NewTimer(ready)
	defer deadline.Stop()
	look := time.NewTicker(poll)
	defer look.Stop()
	for {
		select {
		case <-p.exited:
			return errExited
		case <-deadline.C:
			return fmt.Errorf("redis-server at %s does not answer within %v", p.addr, ready)
		case <-look.C:
			if answers(p.addr, p.running.Process.Pid) {
				return nil
			}
		}
	}
}

// kill ends the process, if it runs, and waits until it is gone.
func (p *process) kill() {
	if p.running == nil {
		return
	}
	_ = p.running.Process.Kill()
	<-p.exited
	p.running = nil
}

// logTail returns the last lines of the server's log.
func (p *process) logTail() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "redis.log"))
	if err != nil {
		return err.Error()
	}
	const most = 1000
	return string(text[max(0, len(text)-most):])
}

// answers reports whether the server at addr answers PING and is the process pid,
// not another test's that took the port.
func answers(addr string, pid int) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\nINFO server\r\nQUIT\r\n")); err != nil {
		return false
	}
	reply := bufio.NewScanner(conn)
	if !reply.Scan() || reply.Text() != "+PONG" {
		return false
	}
	for reply.Scan() {
		if id, ok := strings.CutPrefix(reply.Text(), "process_id:"); ok {
			return id == strconv.Itoa(pid)
		}
	}
	return false
}

// freeAddr returns a loopback address that nobody listened on a moment ago.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}
