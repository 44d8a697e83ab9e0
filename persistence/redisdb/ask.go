package redisdb

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// OrUnavailable is ErrUnavailable in the place of an error after which nothing was done for
// certain.
func OrUnavailable(err error) error {
	if errors.Is(err, ErrNotSent) || CertainlyRefused(err) {
		return engine.ErrUnavailable
	}
	return err
}

// Soon is by when Redis answers, or counts as away.
func (c *Client) Soon() time.Time { return time.Now().Add(2 * c.config.Timeout) }

// RunScript runs a script that no replica is waited for, and returns its reply, which is a list.
// Errors: ErrUnavailable where it certainly had no effect.
func (c *Client) RunScript(script *redis.Script, keys []string, args ...any) ([]any, error) {
	v, err := c.Run(c.Soon(), &Call{Script: script, Keys: keys, Args: args})
	if err != nil {
		return nil, OrUnavailable(err)
	}
	values, _ := v.([]any)
	return values, nil
}

// ReadKey returns the text of a key, "" where there is none. Errors: ErrUnavailable.
func (c *Client) ReadKey(ctx context.Context, key string) (string, error) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = c.Soon()
	}
	v, err := c.Run(deadline, &Call{Keys: []string{key}, Args: []any{"GET", key}})
	if err != nil {
		switch {
		case IsReply(err) && !CertainlyRefused(err):
			c.Broken(key)
		case IsReply(err) && (c.cluster || !TakesNoWrites(err)): // which is logged once, elsewhere
			c.log.Error("reading a key", "key", key, "error", err.Error())
		}
		return "", engine.ErrUnavailable
	}
	text, _ := v.(string)
	return text, nil
}

// ReadAll takes one round trip for several reading commands. Errors: ErrUnavailable.
func (c *Client) ReadAll(calls []*Call, deadline time.Time) ([]any, error) {
	if c.Unreachable() {
		return nil, engine.ErrUnavailable
	}
	values := make([]any, len(calls))
	for i, reply := range c.RunAll(deadline, calls) {
		if reply.Err != nil {
			if IsReply(reply.Err) && !CertainlyRefused(reply.Err) {
				c.Broken(calls[i].Keys[0])
			}
			return nil, engine.ErrUnavailable
		}
		values[i] = reply.Value
	}
	return values, nil
}

// WriteUntilAnswered sends a write that may be sent again, until Redis answers (and as many
// replicas as have to) or the deadline passes. Errors: ErrUnavailable if none of the sendings had
// an effect, ErrUnknownOutcome if they may have had one.
func (c *Client) WriteUntilAnswered(deadline time.Time, write Call) error {
	write.Writes = true
	unknown := engine.ErrUnavailable
	for attempt := 1; ; attempt++ {
		call := write
		_, err := c.Run(deadline, &call)
		if err == nil {
			return nil
		}
		if OrUnavailable(err) != engine.ErrUnavailable {
			unknown = engine.ErrUnknownOutcome
		}
		pause := engine.ResendPause(attempt)
		if unknown == engine.ErrUnavailable || time.Until(deadline) < pause {
			return unknown
		}
		time.Sleep(pause)
	}
}
