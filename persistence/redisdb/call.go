package redisdb

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// errNotSent means that nothing was sent. errNoAnswer means that no answer came in time.
var (
	errNotSent  = errors.New("nothing was sent to redis")
	errNoAnswer = errors.New("redis has not answered")
)

// Call is one command, or one run of a script, whose caller waits for the reply.
type Call struct {
	// Script runs with Keys and Args. If it is nil, Args are the command's name and arguments,
	// and Keys has the key that finds the command's master.
	Script *redis.Script
	Keys   []string
	Args   []any
	// Writes means that the configured number of replicas must acknowledge the call.
	Writes bool

	command *Command
	done    chan Reply // of capacity 1
}

// KeyCall is a command on one key.
func KeyCall(command, key string, args ...any) *Call {
	return &Call{Keys: []string{key}, Args: append([]any{command, key}, args...)}
}

// Reply is the result of a call: see Pipeline.Result.
type Reply struct {
	Value any
	Err   error
}

// Join is part of Operation.
func (c *Call) Join(p *Pipeline) {
	if c.Script != nil {
		c.command = p.Script(c.Writes, c.Script, c.Keys, c.Args...)
	} else {
		c.command = p.Do(c.Writes, c.Args...)
	}
}

// Done is part of Operation.
func (c *Call) Done(p *Pipeline) {
	if err := p.Err(); err != nil {
		c.done <- Reply{Err: errNotSent}
		return
	}
	v, err := p.Result(c.command)
	c.done <- Reply{v, err}
}

// Lost is part of Operation.
func (c *Call) Lost() {
	select {
	case c.done <- Reply{Err: errNoAnswer}:
	default: // it is answered
	}
}

// Run sends a call and waits for its reply until the deadline. Errors: errNotSent, errNoAnswer,
// those of Pipeline.Result.
func (c *Client) Run(deadline time.Time, call *Call) (any, error) {
	call.done = make(chan Reply, 1)
	if !c.Send(call.Keys[0], call, deadline) {
		return nil, errNotSent
	}
	r := call.wait(deadline)
	return r.Value, r.Err
}

// RunAll sends calls, those to one master in one pipeline, and waits for their replies until the
// deadline.
func (c *Client) RunAll(deadline time.Time, calls []*Call) []Reply {
	byMaster := map[*flusher]callGroup{} // nil: Redis is unreachable
	for _, call := range calls {
		call.done = make(chan Reply, 1)
		f := c.flusherOf(call.Keys[0])
		byMaster[f] = append(byMaster[f], call)
	}
	for f, together := range byMaster {
		if f == nil || !f.push(together) {
			together.Done(&Pipeline{client: c, err: errNotSent})
		}
	}
	c.Flush(deadline)
	replies := make([]Reply, len(calls))
	for i, call := range calls {
		replies[i] = call.wait(deadline)
	}
	return replies
}

// callGroup are calls that one pipeline sends.
type callGroup []*Call

// Join is part of Operation.
func (g callGroup) Join(p *Pipeline) {
	for _, call := range g {
		call.Join(p)
	}
}

// Done is part of Operation.
func (g callGroup) Done(p *Pipeline) {
	for _, call := range g {
		call.Done(p)
	}
}

// Lost is part of Operation.
func (g callGroup) Lost() {
	for _, call := range g {
		call.Lost()
	}
}

func (c *Call) wait(deadline time.Time) Reply {
	select {
	case r := <-c.done: // this goroutine flushed it
		return r
	default:
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case r := <-c.done:
		return r
	case <-timer.C:
		return Reply{Err: errNoAnswer}
	}
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

// ClusterServers counts the servers of a cluster that the client knows; 0 if it is no cluster.
func (c *Client) ClusterServers() (n int) {
	cluster, is := c.Redis.(*redis.ClusterClient)
	if !is {
		return 0
	}
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	var mu sync.Mutex
	_ = cluster.ForEachShard(ctx, func(context.Context, *redis.Client) error { // 0 if no server of the cluster answers
		mu.Lock()
		defer mu.Unlock()
		n++
		return nil
	})
	return n
}

// Failovers counts the masters that took over since the start: another server of a sentinel, or
// a server of a cluster that was no master then.
func (c *Client) Failovers() uint64 { return c.failovers.Load() }

// followMaster counts a failover if a sentinel names another master.
func (c *Client) followMaster(addr string) {
	if before := c.master.Swap(&addr); before != nil && *before != addr {
		c.failovers.Add(1)
	}
}
