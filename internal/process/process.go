package process

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// startWithin bounds the wait until a program listens or answers.
	startWithin = 20 * time.Second
	// StopWithin is the maximum time in which cartd stops after SIGTERM.
	StopWithin = 15 * time.Second
)

// Process is a program that is running or has ended.
type Process struct {
	Cmd *exec.Cmd
	// Log has standard output and standard error.
	Log *Log
	// Exited is closed when the process has ended.
	Exited chan struct{}
}

// Start starts a command without the caller's environment, which may have CARTD_* variables. The
// command ends with the caller, even if the caller is killed.
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{Cmd: cmd, Log: newLog(), Exited: make(chan struct{})}
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	cmd.Stdout, cmd.Stderr = p.Log, p.Log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	go func() { _ = cmd.Wait(); close(p.Exited) }()
	return p, nil
}

// ID is the process's id.
func (p *Process) ID() int { return p.Cmd.Process.Pid }

// Address waits until the process logs its listen address. It returns an error if the process ended,
// or if it logged no address within 20 s; it is then killed.
func (p *Process) Address() (string, error) {
	timeout := time.After(startWithin)
	for {
		grown := p.Log.grown()
		if addr := p.Log.Address("listening"); addr != "" {
			return addr, nil
		}
		select {
		case <-grown:
			continue
		case <-p.Exited:
			if addr := p.Log.Address("listening"); addr != "" {
				return addr, nil
			}
		case <-timeout:
			p.Kill()
		}
		return "", fmt.Errorf("%v does not listen, exit status %d:\n%s", p.Cmd.Args, p.Status(), p.Log)
	}
}

// Kill ends the process at once (SIGKILL) and waits for its end.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // it fails only if the process has ended
	<-p.Exited
}

// Stop sends SIGTERM, waits for the end of the process and returns its exit status.
func (p *Process) Stop() (status int) {
	_ = p.Cmd.Process.Signal(syscall.SIGTERM) // it fails only if the process has ended
	return p.Await()
}

// Await waits for the end of the process and returns its exit status. After 15 s it kills the
// process. The status of a process that a signal ended is -1.
func (p *Process) Await() (status int) {
	select {
	case <-p.Exited:
	case <-time.After(StopWithin):
		p.Kill()
	}
	return p.Status()
}

// Status is the exit status of a process that has ended.
func (p *Process) Status() int { return p.Cmd.ProcessState.ExitCode() }

// Log is the output of a process.
type Log struct {
	mu    sync.Mutex
	text  strings.Builder
	wrote chan struct{} // closed and replaced at each write
}

func newLog() *Log { return &Log{wrote: make(chan struct{})} }

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return l.text.Write(p)
}

// grown is closed at the next write.
func (l *Log) grown() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wrote
}

// String is the output so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Lines are the complete lines that are not blank.
func (l *Log) Lines() (lines []string) {
	for line := range strings.Lines(l.String()) {
		if strings.TrimSpace(line) != "" && strings.HasSuffix(line, "\n") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// Address is the address in the first line with this message, "" if there is none.
func (l *Log) Address(message string) string {
	for _, line := range l.Lines() {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == message && entry.Addr != "" {
			return entry.Addr
		}
	}
	return ""
}
