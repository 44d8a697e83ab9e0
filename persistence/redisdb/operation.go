package redisdb

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Operation waits for the next pipeline to its master. Join and Done are called once each, in
// this order, under no lock.
type Operation interface {
	// Join adds the operation's commands to the pipeline right ahead of the sending. An
	// operation without commands sends nothing.
	Join(*Pipeline)
	// Done is called once the commands have their replies or errors.
	Done(*Pipeline)
	// Lost is called if an operation of the pipeline panicked, or Done did: the commands may have had
	// their effect. It may follow Done, and must not block.
	Lost()
}

// Pipeline is one sending to a master.
type Pipeline struct {
	client   *Client
	commands []*Command
	shared   []SharedCall
	err      error
	writes   bool
	panicked bool
	// replicas is the WAIT after the last command; nil if no write has to wait for replicas.
	replicas *redis.Cmd
}

// Trip is one sending of a pipeline that requests share.
type Trip struct {
	Kind TripKind
	// Commands is the number of commands; Took is the time until their answers.
	Commands int
	Took     time.Duration
	// ReplicasUnmet means that fewer replicas than configured acknowledged its writes.
	ReplicasUnmet bool
}

// TripKind is the reason of a sending.
type TripKind string

const (
	// TripWrite has commands that the configured number of replicas must acknowledge, as visits;
	// TripRead has none.
	TripRead  TripKind = "read"
	TripWrite TripKind = "write"
	// TripScript repeats commands whose script Redis had forgotten. TripRedirect repeats those
	// that a server of a cluster redirected.
	TripScript   TripKind = "script"
	TripRedirect TripKind = "redirect"
)

// TripKinds lists them all.
var TripKinds = []TripKind{TripRead, TripWrite, TripScript, TripRedirect}

// kind is the kind of the first sending.
func (p *Pipeline) kind() TripKind {
	if p.writes {
		return TripWrite
	}
	return TripRead
}

// Command is one command of a pipeline.
type Command struct {
	cmd    *redis.Cmd
	writes bool
}

var background = context.Background()

// Do adds a command: its name and arguments. Strings may be given by pointer, which saves an
// allocation each. writes means that the configured number of replicas must acknowledge it.
func (p *Pipeline) Do(writes bool, args ...any) *Command {
	c := p.Reserve(writes)
	c.Set(args...)
	return c
}

// Reserve adds a command whose arguments are set after every operation has joined.
func (p *Pipeline) Reserve(writes bool) *Command {
	c := &Command{writes: writes}
	p.commands = append(p.commands, c)
	p.writes = p.writes || writes
	return c
}

// NewCommand makes a command that an operation adds to one pipeline after another, with arguments that
// are pointers to its present ones.
func NewCommand(writes bool, args ...any) *Command {
	c := &Command{writes: writes}
	c.Set(args...)
	return c
}

// Add adds a command of NewCommand, whose last pipeline has ended.
func (p *Pipeline) Add(c *Command) *Command {
	p.commands = append(p.commands, c)
	p.writes = p.writes || c.writes
	return c
}

// Set gives a reserved command its name and arguments.
func (c *Command) Set(args ...any) { c.cmd = redis.NewCmd(background, args...) }

// SetScript makes a reserved command a run of a script.
func (c *Command) SetScript(s *redis.Script, keys []string, args ...any) {
	c.Set(scriptArgs(s, keys, args)...)
}

// Script adds a run of a script.
func (p *Pipeline) Script(writes bool, s *redis.Script, keys []string, args ...any) *Command {
	return p.Do(writes, scriptArgs(s, keys, args)...)
}

func scriptArgs(s *redis.Script, keys []string, args []any) []any {
	all := append(make([]any, 0, 3+len(keys)+len(args)), "evalsha", s.Hash(), len(keys))
	for i := range keys {
		all = append(all, &keys[i])
	}
	return append(all, args...)
}

// SharedCall is a reserved command that several operations share. Complete sets its arguments
// after every operation has joined.
type SharedCall interface{ Complete() }

// Shared returns the pipeline's last shared command of a type that fits. If there is none it
// makes one.
func Shared[T SharedCall](p *Pipeline, fits func(T) bool, create func() T) T {
	for i := len(p.shared) - 1; i >= 0; i-- {
		if t, is := p.shared[i].(T); is && fits(t) {
			return t
		}
	}
	t := create()
	p.shared = append(p.shared, t)
	return t
}

// ErrTooFewReplicas means that fewer replicas than configured acknowledged a write: it may be
// lost in a failover.
var ErrTooFewReplicas = errors.New("too few replicas have acknowledged the write")

// Err is the reason why nothing of the pipeline was sent; nil if it was sent.
func (p *Pipeline) Err() error { return p.err }

// Result is a command's reply. A missing key is a nil reply. Errors: those of Redis, dial
// errors (CertainlyRefused), ErrTooFewReplicas, any other if the outcome is unknown.
func (p *Pipeline) Result(c *Command) (any, error) {
	v, err := c.cmd.Result()
	switch {
	case err != nil && !errors.Is(err, redis.Nil):
		return nil, err
	case c.writes && p.replicas != nil && !p.acknowledged():
		return v, ErrTooFewReplicas
	}
	return v, nil
}

// acknowledged reports whether enough replicas have the pipeline's writes.
func (p *Pipeline) acknowledged() bool {
	n, err := p.replicas.Int()
	return err == nil && n >= p.client.config.Replicas
}
