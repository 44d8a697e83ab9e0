package redisdb

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/outage"
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

// OrUnavailable returns ErrUnavailable for an error after which nothing was done for certain,
// else the error itself.
func OrUnavailable(err error) error {
	if errors.Is(err, errNotSent) || CertainlyRefused(err) {
		return outage.ErrUnavailable
	}
	return err
}

// Soon returns the moment by which Redis has answered or counts as unreachable.
func (c *Client) Soon() time.Time { return time.Now().Add(2 * c.config.Timeout) }

// RunScript runs a script that need not be acknowledged by replicas. The script's reply is a
// list. Errors: ErrUnavailable if the script certainly had no effect.
func (c *Client) RunScript(deadline time.Time, script *redis.Script, keys []string, args ...any) ([]any, error) {
	v, err := c.Run(deadline, &Call{Script: script, Keys: keys, Args: args})
	if err != nil {
		return nil, OrUnavailable(err)
	}
	values, _ := v.([]any)
	return values, nil
}

// ReadKey returns the text of a key, "" if there is none. Errors: ErrUnavailable.
func (c *Client) ReadKey(ctx context.Context, key string) (string, error) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = c.Soon()
	}
	v, err := c.Run(deadline, KeyCall("GET", key))
	if err != nil {
		if IsReply(err) && CertainlyRefused(err) && (c.cluster || !takesNoWrites(err)) { // noteReadOnly logs the other ones once
			c.log.Error("reading a key", "key", loggedKey(key), "error", err.Error())
		}
		return "", c.Unreadable(err, key)
	}
	text, _ := v.(string)
	return text, nil
}

// Texts returns a reply's list of texts.
func Texts(reply any) (texts []string) {
	list, _ := reply.([]any)
	for _, item := range list {
		text, _ := item.(string)
		texts = append(texts, text)
	}
	return texts
}

// ReadAll takes one round trip for several reading commands. Errors: ErrUnavailable.
func (c *Client) ReadAll(calls []*Call, deadline time.Time) ([]any, error) {
	if c.Unreachable() {
		return nil, outage.ErrUnavailable
	}
	values := make([]any, len(calls))
	for i, reply := range c.RunAll(deadline, calls) {
		if reply.Err != nil {
			return nil, c.Unreadable(reply.Err, calls[i].Keys[0])
		}
		values[i] = reply.Value
	}
	return values, nil
}

// WriteUntilAnswered sends a write that may be repeated, until Redis and the configured number
// of replicas acknowledge it or the deadline passes. Errors: ErrUnavailable if no sending had
// an effect, ErrUnknownOutcome if one may have had an effect.
func (c *Client) WriteUntilAnswered(deadline time.Time, write Call) error {
	write.Writes = true
	ended := outage.ErrUnavailable
	outage.Until(deadline, func() (again bool) {
		call := write
		switch _, err := c.Run(deadline, &call); {
		case err == nil:
			ended = nil
		case OrUnavailable(err) != outage.ErrUnavailable:
			ended = outage.ErrUnknownOutcome
		}
		return ended == outage.ErrUnknownOutcome
	})
	return ended
}
