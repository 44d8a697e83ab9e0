package process

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

const (
	// startWithin bounds the wait until a program listens or answers.
	startWithin = 20 * time.Second
	// StopWithin is how long cartd takes at most to stop after SIGTERM.
	StopWithin = 15 * time.Second
)

// Process is a program that runs, or has ended.
type Process struct {
	Cmd *exec.Cmd
	// Log holds standard output and standard error.
	Log *Log
	// Exited is closed when the process has ended.
	Exited chan struct{}
}

// Start starts a command. The caller's environment does not reach it, for CARTD_* would
// count, and it ends with the caller, also when that is killed.
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

// Address waits until the process says where it listens. Errors: it has ended, or it says
// nothing within 20 s and is killed.
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

// Kill ends the process at once (SIGKILL) and waits until it is gone.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // gone already: nothing to do
	<-p.Exited
}

// Stop asks the process to stop (SIGTERM), waits and returns its exit status.
func (p *Process) Stop() (status int) {
	_ = p.Cmd.Process.Signal(syscall.SIGTERM) // gone already: the exit status stands
	return p.Await()
}

// Await waits until the process has ended and returns its exit status. After 15 s the
// process is killed; the status is -1 then, as after any signal.
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
