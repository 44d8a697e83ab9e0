package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startWithin = 20 * time.Second
	stopWithin  = 15 * time.Second
	poll        = 10 * time.Millisecond
)

// process is a child process that ends with the suite.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{}
	output *lines
}

// start starts a program. Its output is kept for error texts, and searched for its listen address.
func start(program string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), exited: make(chan struct{}), output: &lines{listening: make(chan string, 1)}}
	p.cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"} // the caller's environment may have CARTD_* variables
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // ends it even if the suite is killed
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	go func() { _ = p.cmd.Wait(); close(p.exited) }()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// address waits for the address that the process logs as its listen address.
func (p *process) address() (string, error) {
	select {
	case addr := <-p.output.listening:
		return addr, nil
	case <-p.exited:
	case <-time.After(startWithin):
	}
	p.stop()
	return "", fmt.Errorf("%s does not listen:\n%s", p.cmd.Path, p.output.text())
}

// stop signals the process to end, and kills it if it does not.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(stopWithin):
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}

// lines is the output of a process.
type lines struct {
	listening chan string
	mu        sync.Mutex
	all       bytes.Buffer
	looked    int // the offset of the first line that was not searched yet
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Write(p)
	for {
		line, _, whole := bytes.Cut(l.all.Bytes()[l.looked:], []byte("\n"))
		if !whole {
			return len(p), nil
		}
		l.looked += len(line) + 1
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" {
			select {
			case l.listening <- entry.Addr:
			default: // an earlier line already had the address
			}
		}
	}
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// redisServer is a redis-server with a directory of its own.
type redisServer struct {
	*process
	addr string
}

func (r *redisServer) url() string { return "redis://" + r.addr + "/0" }

// startRedis starts a redis-server on a free port. Rewrites of the append-only file are off, because
// a rewrite would slow only one side of a pair.
func startRedis(dir string, args ...string) (*redisServer, error) {
	const tries = 5 // another process may bind the free port first
	var err error
	for range tries {
		var addr string
		if addr, err = freeAddr(); err != nil {
			return nil, err
		}
		_, port, _ := strings.Cut(addr, ":")
		var p *process
		p, err = start("redis-server", append([]string{
			"--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "", "--auto-aof-rewrite-percentage", "0",
		}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("%w: apt-get install redis-server", err)
		}
		if err = awaitRedis(p, addr); err == nil {
			return &redisServer{p, addr}, nil
		}
		p.stop()
	}
	return nil, err
}

// awaitRedis waits until Redis answers with the id of this process.
func awaitRedis(p *process, addr string) error {
	until := time.After(startWithin)
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-p.exited:
			return fmt.Errorf("redis-server ended at its start:\n%s", p.output.text())
		case <-until:
			return errors.New("redis-server does not answer")
		case <-tick.C:
			if info, err := ask(addr, "INFO", "server"); err == nil && strings.Contains(info, fmt.Sprintf("process_id:%d\r", p.pid())) {
				return nil
			}
		}
	}
}

// ask sends Redis one command and returns its reply: a bulk string, or the text of a one-line reply.
func ask(addr string, command ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(startWithin))
	if _, err := fmt.Fprintf(conn, "%s\r\n", strings.Join(command, " ")); err != nil {
		return "", err
	}
	read := bufio.NewReader(conn)
	line, err := read.ReadString('\n')
	line = strings.TrimSpace(line)
	var size int
	if _, scanned := fmt.Sscanf(line, "$%d", &size); err != nil || scanned != nil || size < 0 {
		return strings.TrimLeft(line, ":+"), err
	}
	text := make([]byte, size)
	for n := 0; n < size && err == nil; {
		var got int
		got, err = read.Read(text[n:])
		n += got
	}
	return string(text), err
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}
