package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// poll is the pause between two checks of a Redis that starts.
const poll = 5 * time.Millisecond

// errExited means that redis-server ended without an answer.
var errExited = errors.New("redis-server ended at its start")

// ServerProgram is the name of the program of every Redis. REDIS_SERVER in the environment names another one, for example
// valkey-server.
func ServerProgram() string {
	if program := os.Getenv("REDIS_SERVER"); program != "" {
		return program
	}
	return "redis-server"
}

// Redis is a redis-server at a loopback port. A restart keeps the port.
type Redis struct {
	*Process // nil while the server is not running
	Addr     string
	// Config is a file of settings, "" for none.
	Config string

	dir  string
	args []string
}

// NewRedis makes a Redis that works in a folder; Start starts it. It stores nothing on disk unless
// args ask for it.
func NewRedis(dir string, args ...string) *Redis { return &Redis{dir: dir, args: args} }

// URL is the server's address as a redis:// URL, database 0.
func (r *Redis) URL() string { return "redis://" + r.Addr + "/0" }

// Start starts the server at a free port and waits until it answers.
func (r *Redis) Start() error {
	const tries = 5 // another program may bind the free port first
	var err error
	for range tries {
		if r.Addr, err = FreeAddress(); err != nil {
			return err
		}
		if err = r.run(); !errors.Is(err, errExited) {
			return err
		}
	}
	return err
}

// Restart starts the server at its old port. A connection of another program may use that port for a
// moment, so Restart retries.
func (r *Redis) Restart() error {
	r.Kill()
	err := r.run()
	for until := time.Now().Add(startWithin); errors.Is(err, errExited) && time.Now().Before(until); {
		time.Sleep(poll)
		err = r.run()
	}
	return err
}

// Kill ends the server at once if it is running.
func (r *Redis) Kill() {
	if r.Process != nil {
		r.Process.Kill()
		r.Process = nil
	}
}

func (r *Redis) run() (err error) {
	_, port, _ := net.SplitHostPort(r.Addr)
	args := []string{"--bind", "127.0.0.1", "--port", port, "--dir", r.dir, "--save", ""}
	if r.Config != "" {
		args = append([]string{r.Config}, args...)
	}
	if r.Process, err = Start(exec.Command(ServerProgram(), append(args, r.args...)...)); err != nil {
		return fmt.Errorf("%w: apt-get install redis-server", err)
	}
	if err := r.await(); err != nil {
		log := r.Log.String()
		r.Kill()
		return fmt.Errorf("%w:\n%s", err, log)
	}
	return nil
}

// await waits until the started process itself answers.
func (r *Redis) await() error {
	timeout, tick := time.After(startWithin), time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-r.Exited:
			return errExited
		case <-timeout:
			return fmt.Errorf("redis-server at %s does not answer within %v", r.Addr, startWithin)
		case <-tick.C:
			if Serves(r.Addr, r.ID()) {
				return nil
			}
		}
	}
}

// Serves reports whether the Redis at an address answers and is the process with this id. Another
// process may have bound the port.
func Serves(addr string, id int) bool {
	if pong, err := AskRedis(addr, "PING"); err != nil || pong != "PONG" { // it may still load its files
		return false
	}
	info, err := AskRedis(addr, "INFO", "server")
	return err == nil && strings.Contains(info, "process_id:"+strconv.Itoa(id)+"\r")
}

// AskRedis sends one command and returns its reply: a bulk string, or the text of a one-line reply.
func AskRedis(addr string, command ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
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
	_, err = io.ReadFull(read, text)
	return string(text), err
}

// FreeAddress is a loopback address that was free a moment ago.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}
